#!/usr/bin/env node
// Checks a proof that `sluice proof make` wrote, offline and only with Node: node verify-proof.mjs FILE [THUMBPRINT [DECISION_KEY]].
// It checks that each byte is as it was signed, that the evidence does not contradict itself, and derives each verdict again.
// DECISION_KEY is the key of people's decisions. Without it the decisions count as those of the key that the proof names.
// Exit codes: 0 whole and signed by THUMBPRINT, 1 changed or not a proof, 5 it does not tie out, 6 no THUMBPRINT was given.
import { createHash, verify } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

const sha256 = (bytes, form = 'hex') => createHash('sha256').update(bytes).digest(form)
const refuse = (where, why) => {
  throw new Error(`${where}: ${why}`)
}
// --- The bytes: lines of JSON, then a list of their hashes, then a signature (a compact JWS) over the hash of that list.
const deeper = (depth, value) => Math.max(depth, 1 + depthOf(value))
const depthOf = (value) => (Object(value) === value ? Object.values(value).reduce(deeper, 1) : 0)
function parse(line, where) {
  const value = JSON.parse(line.toString('utf8'))
  if (!line.equals(Buffer.from(JSON.stringify(value)))) refuse(where, 'it has a name twice, or can be read in two ways')
  const isObject = Object(value) === value && !Array.isArray(value)
  return isObject && depthOf(value) <= 64 ? value : refuse(where, 'it is no object')
}
function open(bytes) {
  if (bytes.at(-1) !== 10) refuse('the signature', 'the file does not end with it and a line break')
  const rows = bytes.toString('latin1', 0, bytes.length - 1).split('\n', 10_003)
  const lines = rows.map((row) => Buffer.from(row, 'latin1'))
  const [contents, jws] = [lines.at(-2) ?? refuse('the file', 'it has one line'), rows.at(-1)]
  const segments = jws.split('.').map((segment) => Buffer.from(segment, 'base64url'))
  const again = segments.map((segment) => segment.toString('base64url')).join('.')
  if (segments.length !== 3 || again !== jws) refuse('the signature', 'the last line is none, or it was changed')
  const { alg, typ, jwk } = parse(segments[0], 'the signature')
  const forms = { EdDSA: ['OKP', 'crv', 'kty', 'x'], RS256: ['RSA', 'e', 'kty', 'n'] } // in the order of RFC 7638
  const [kty, ...fields] = forms[alg] ?? refuse('the signature', 'its algorithm is not taken')
  const isKind = jwk?.kty === kty && (alg !== 'EdDSA' || jwk.crv === 'Ed25519')
  if (typ !== 'sluice-proof+jws' || !isKind) refuse('the signature', 'it is none of a proof')
  const key = Object.fromEntries(fields.map((field) => [field, jwk[field]]))
  const signed = Buffer.from(jws.slice(0, jws.lastIndexOf('.')), 'latin1')
  const isSigned = verify(alg === 'EdDSA' ? null : 'sha256', signed, { key, format: 'jwk' }, segments[2])
  if (!isSigned) refuse('the signature', 'it does not fit its key')
  const { format, contents: hashed } = parse(segments[1], 'the signature')
  if (format !== 'sluice-proof/1') refuse('the signature', 'it is of another format')
  if (sha256(contents) !== hashed) refuse('the list of contents', 'it is not what was signed')
  const listed = parse(contents, 'the list of contents').contents
  const parts = new Map()
  for (const [index, [name, length, hash]] of listed.entries()) {
    const line = index < lines.length - 2 ? lines[index] : refuse(name, 'it is missing')
    if (line.length !== length || sha256(line) !== hash) refuse(name, 'it is not what was signed')
    if (parts.has(name) || parse(line, name).part !== name) refuse(name, 'its name')
    parts.set(name, parse(line, name))
  }
  if (lines.length !== listed.length + 2 || lines.length > 10_002) refuse('the file', 'it has lines that nobody signed')
  return { parts, thumbprint: sha256(JSON.stringify(key), 'base64url') }
}
/** JSON with the keys of each object sorted. */
function text(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(text).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${text(value[key])}`).join(',')}}`
}
const hashOf = (value) => sha256(text(JSON.parse(JSON.stringify(value))))
/** A record carries a hash over itself and over the hash of the version that it replaced. */
function isWhole({ chain, before, ...bare }) {
  const [, of] = /^(\d+)\.[\w-]{43}$/.exec(chain) ?? []
  if (Number(of) !== bare.version || (before && Number(before.split('.')[0]) !== of - 1)) return false
  return chain === `${of}.${sha256(`${before ?? ''}\n${text(bare)}`, 'base64url')}`
}
/** Whether a value has a shape. Knows as much of JSON Schema as the shapes below use. `isStrict`: no other field is allowed. */
function fits(shape, value, isStrict) {
  const { $ref, anyOf, oneOf = anyOf, type, pattern, enum: names, properties = {}, required = [] } = shape
  const { additionalProperties: others = {}, propertyNames = {}, items = {} } = shape
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (type && ![type].flat().includes(type === 'integer' && Number.isInteger(value) ? type : kind)) return false
  if ($ref && !fits(LISTS.$defs[$ref], value, isStrict)) return false
  if (oneOf && !oneOf.some((each) => fits(each, value, isStrict))) return false
  if ((names && !names.includes(value)) || ('const' in shape && value !== shape.const)) return false
  if (typeof value === 'string' && pattern && !new RegExp(pattern, 'u').test(value)) return false
  const {
    minLength,
    maxLength,
    minItems = minLength,
    maxItems = maxLength,
    minimum = minItems,
    maximum = maxItems,
  } = shape
  const size = value?.length ?? value
  if (size < minimum || size > maximum) return false
  if (Array.isArray(value)) return value.every((each) => fits(items, each, isStrict))
  if (Object(value) !== value) return true
  return (
    required.every((field) => Object.hasOwn(value, field)) &&
    Object.entries(value).every(([field, inner]) => {
      if (Object.hasOwn(properties, field)) return fits(properties[field], inner, isStrict)
      return others === false ? !isStrict : fits(propertyNames, field) && fits(others, inner, isStrict)
    })
  )
}
function shaped(name, value, where) {
  const isPart = ['about', 'service', 'record'].includes(name) // a record may have fields of a later release, a part may not
  if (value === undefined || !fits(LISTS.shapes[name], value, isPart))
    refuse(where, 'it is missing, or not of its form')
  return isPart || value.format === LISTS.format ? value : refuse(where, 'it is of another format')
}
/** An intent that ended before it was armed may have no terms. */
function asIntent(stored) {
  const { pk, intentId, kind, state, attempt, frozen } = shaped('intent', stored, stored.pk)
  if (pk.length > 100 || pk !== `I#${kind}#${intentId}`) refuse(pk, 'it holds another intent')
  const isArmed = state === 'ARMED' || attempt !== undefined
  const shapes = LISTS.shapes[kind].properties
  const isSettled = isArmed || state === 'READY'
  const isFit = isSettled
    ? Object.keys(shapes).every((name) => (name === 'attempt' && !isArmed) || fits(shapes[name], stored[name]))
    : fits({ type: 'object' }, frozen)
  return isFit ? stored : refuse(pk, 'it is not of its form')
}
/** An exact amount, scaled to 18 decimal places. */
const decimal = (figure) => {
  const [, whole, fraction = ''] =
    /^(0|[1-9]\d{0,29})(?:\.(\d{1,18}))?$/.exec(figure) ?? refuse('an amount', 'it is none')
  return BigInt(whole + fraction.padEnd(18, '0'))
}
const sum = (figures) => figures.reduce((total, figure) => total + decimal(figure), 0n)
const isOneOf = (amount, figures) => amount !== null && figures.some((figure) => decimal(figure) === decimal(amount))
const keyOf = (id, figure) => text([id, `${decimal(figure)}`])
const subTypesOf = (type) => (type === 'BANK_ACCOUNT' ? ['EXTERNAL_FIAT_BANK', 'EXTERNAL_FIAT_REDPAY'] : [type])
const isSame = (left, right) => left.toLowerCase() === right.toLowerCase()
const namesOf = ({ assetSymbol, rebasedSymbol = assetSymbol }) => [assetSymbol, rebasedSymbol]
/** Whether a name belongs to an asset. The service does not always name a movement's asset. */
const isNamed = (name, asset) => name === null || namesOf(asset).some((code) => isSame(code, name.trim()))
/** Whether the frozen terms follow from the request, so that nobody has changed the amount or the payee. */
function follows({ kind, params, frozen, notAfter }) {
  const { amount, increment, payee, fee, total, feeMode, contactId } = frozen
  const step = decimal(increment)
  if (step <= 0n || decimal(amount) !== decimal(params.amount) - (decimal(params.amount) % step)) return false
  if (![undefined, notAfter].includes(params.notAfter)) return false
  if (kind === 'convert') {
    const { maxSlippageBps: most, referenceRate } = frozen
    if (!isNamed(params.baseAsset, frozen.baseAsset) || !isNamed(params.quoteAsset, frozen.quoteAsset)) return false
    if (params.maxSlippageBps !== undefined && !(most <= params.maxSlippageBps)) return false
    return most === undefined || referenceRate !== undefined || decimal(amount) === 0n
  }
  const isCrypto = payee.type === 'EXTERNAL_CRYPTO'
  const named = params.contactReference?.replace(/^(.{60}).+$/s, '$1…')
  const whole = decimal(amount) + (feeMode === 'deduct' ? 0n : decimal(fee))
  return [
    isSame(frozen.assetSymbol, params.assetSymbol) && feeMode === (params.feeMode ?? 'deduct'),
    contactId === (params.contactId ?? contactId) && payee.contactId === contactId,
    named === undefined || [payee.reference, payee.alias].includes(named),
    text([...frozen.subTypes].sort()) === text(subTypesOf(payee.type)),
    isCrypto ? frozen.networkId === payee.networkId : frozen.networkId === null && decimal(fee) === 0n,
    decimal(total) === whole && whole <= decimal(params.most ?? total),
  ].every(Boolean)
}
const only = (fields, of) => Object.fromEntries(fields.map((field) => [field, of[field]]))
const without = (fields, of) => Object.fromEntries(Object.entries(of).filter(([field]) => !fields.includes(field)))
/** The hash of the approved plan, computed again from the run's record. */
function approvedHash({ plan, asPlanned, guardsHash, approval }) {
  if (!approval || !plan || guardsHash === undefined) return undefined
  const { leg: ofEach, leftOutOfPayee, leftOutOfPolicy, ...fieldsOf } = LISTS.planHash
  const legs = plan.legs.map((leg) => {
    const payee = leg.payee && without(leftOutOfPayee, leg.payee)
    return { ...only(ofEach, leg), ...only(fieldsOf[leg.kind], leg), ...(leg.kind === 'withdraw' && { payee }) }
  })
  const ways = (plan.trades ?? []).map(({ gives, brings, way }) => [gives, brings, ...way.markets].join(' ')).sort()
  legs.sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))
  const policyHash = hashOf(without(leftOutOfPolicy, asPlanned))
  const { expiresAt } = approval
  return hashOf({ ...only(fieldsOf.plan, plan), policyHash, guardsHash, expiresAt, legs, ways })
}
const MARK = ' (not verified)'
const nameIn = (by) => (by.endsWith(MARK) ? by.slice(0, -MARK.length) : by)
/** One person may use several roles, and is known by the user or the session. */
const personOf = (by) => nameIn(by).replace(/^.*\//s, '').toLowerCase()
/** `*` stands for any text. */
function isLike(text, pattern) {
  const [first, ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return text === pattern
  const end = text.length - last.length
  const at = others.reduce((from, part) => {
    const found = text.indexOf(part, from)
    return found < 0 ? Infinity : found + part.length
  }, first.length)
  return text.startsWith(first) && text.endsWith(last) && at <= end
}
/** Whether enough people approved it, of those who may, before anybody rejected it. */
function isApprovedBy(words, { asPlanned, plan }, requester) {
  const { approvers, requesterMayApprove = true, twoAbove } = asPlanned.approval ?? {}
  // Nobody knows who caused an event or wrote a file, so one more person must approve.
  const isUnnamed = !requesterMayApprove && ['event', 'file'].includes(requester?.kind)
  const isOwn = (by) => !requester || (requester.kind === 'person' && personOf(by) === personOf(requester.by))
  const people = new Set()
  let isForTwo = twoAbove !== undefined && decimal(plan?.turnover ?? '0') > decimal(twoAbove)
  for (const { decision, by, secondBecause } of words) {
    if (decision === 'rejected') return false
    const isOther = approvers && !approvers.some((pattern) => isLike(nameIn(by), pattern))
    if (isOther || (!requesterMayApprove && isOwn(by)) || people.has(personOf(by))) continue
    people.add(personOf(by))
    isForTwo ||= secondBecause !== undefined
    if (people.size === 1 + isForTwo + isUnnamed) return true
  }
  return false
}
/** Judges the run's own records, and whether people approved it where its policy wants this. */
function runFacts({ id, run, record, find, decisionKey }) {
  const { policy, outcome, requestHash, plan, approval, asPlanned, phases, notAfter, request } = run
  const stored = (key, name) => record(key) && shaped(name, record(key), key)
  const first = stored(`Q#${id}`, 'requester')
  const requester = first?.requestHash === requestHash ? only(['kind', 'by', 'at'], first) : undefined
  const planHash = approval?.planHash
  const decided = (approval && stored(`D#${id}#${planHash}`, 'decisions')?.words) ?? []
  // A decision counts only with the record of the request for it, which Decide has accepted, and with the signature of the key.
  const key = { key: { kty: 'OKP', crv: 'Ed25519', x: decisionKey }, format: 'jwk' }
  const isSigned = ({ signed, ...word }) => {
    const meant = only(['decision', 'by', 'because', 'at', 'secondBecause', 'spoken'], word)
    const bytes = Buffer.from(`sluice-decision/1 ${hashOf({ run: id, planHash, word: meant })}`)
    return decisionKey && signed && verify(null, bytes, key, Buffer.from(signed, 'base64url'))
  }
  const words = decided.filter(isSigned).filter(({ decision, by, because, at, spoken }) => {
    const { by: signer, at: heardAt, asked } = (spoken?.startsWith('N#decide#') && stored(spoken, 'accepted')) || {}
    return by === signer && at === heardAt && asked === hashOf({ decision, because, run: id, planHash })
  })
  const differs = approval && approvedHash(run) !== planHash
  if (hashOf({ ...request, trigger: undefined }) !== requestHash) find(`R#${id}`, 'request_differs')
  if (differs) find(`R#${id}`, 'plan_differs')
  const isLate = approval && Date.parse(notAfter) > Date.parse(approval.expiresAt) + asPlanned.runLifeSeconds * 1000
  const isApproved = approval && isApprovedBy(words, run, requester) && !isLate && plan?.policy === policy
  const { above } = asPlanned.approval ?? {}
  const isUnasked = above !== undefined && plan !== undefined && decimal(plan.turnover) > decimal(above)
  const isHidden = !approval && record(`D#${id}#any`) !== undefined
  if (isHidden || (phases.length > 0 && !isApproved && (approval || isUnasked))) find(`R#${id}`, 'not_approved')
  const isAsDecided = !differs && phases.flatMap(({ legs }) => legs).every((leg) => isApprovedLeg(leg, run))
  const decisions = (isAsDecided ? words : []).map((word) => only(['decision', 'by', 'at'], word))
  const hashes = { plan: plan && hashOf(plan), approvedPlan: planHash }
  return { policy, outcome, request: requestHash, ...hashes, requester, decisionKey, decisions }
}
const idOf = (runId, { key, once }) => sha256(once ?? `${runId}\n${key}`).slice(0, 40)
function isApprovedLeg({ key, intentId, leg }, { runId, plan, approval }) {
  const approved = plan?.legs.find((each) => each.key === key)
  if (approval === undefined) return true
  return approved !== undefined && idOf(runId, approved) === intentId && (!leg || isWithin(leg, approved, plan))
}
/** A leg of a later phase that was planned again gives up at most the approved amount, and is otherwise the same. */
function isWithin({ kind, request }, { kind: of, phase, request: approved }, { legs }) {
  const mayDiffer = legs.every((leg) => leg.phase >= phase) ? {} : { amount: '', plannedRate: '' }
  const isAlike = kind === of && hashOf({ ...request, ...mayDiffer }) === hashOf({ ...approved, ...mayDiffer })
  return isAlike && decimal(request.amount) <= decimal((kind === 'withdraw' ? approved.most : approved.amount) ?? '0')
}
const ZERO = 'certified zero'
const VERDICTS = { DONE: 'one movement', REJECTED: ZERO, EXHAUSTED: ZERO, ESCALATED: 'stop with evidence' }
/** Derives the whole statement from the evidence. */
function judge(parts) {
  const record = (key) => parts.get(`record ${key}`)?.record
  const { kind, id, from, decisionKey } = shaped('about', parts.get('about'), 'about')
  const contradictions = []
  const find = (about, code) => contradictions.push({ about, code })
  for (const [name, part] of parts) {
    if (name.startsWith('service ')) shaped('service', part, name)
    if (!name.startsWith('record ')) continue
    const { record: stored } = shaped('record', part, name)
    if (name !== `record ${stored.pk}`) refuse(name, 'it holds another record')
    if (!isWhole(stored)) find(stored.pk, 'record_broken')
  }
  if (![null, record('A#account')?.account ?? from.account].includes(from.account)) find('A#account', 'another_account')
  const run = kind === 'run' ? shaped('run', record(`R#${id}`), `R#${id}`) : undefined
  if (run && run.runId !== id) refuse(`R#${id}`, 'it holds another run')
  const movements = (run ? run.phases.flatMap(({ legs }) => legs) : [{ intentId: id }]).map(movement)
  const named = movements.map(({ kind: of, movementId }) => movementId && `${of} ${movementId}`)
  const keys = movements.map(({ kind: of, intentId }) => of && `I#${of}#${intentId}`)
  for (const name of [...parts.keys()].filter((each) => each.startsWith('record I#')))
    if (!keys.includes(name.slice(7))) find(name.slice(7), 'leg_differs')
  for (const [nth, name] of named.entries()) if (name && named.indexOf(name) < nth) find(keys[nth], 'movement_shared')
  const facts = run && runFacts({ id, run, record, find, decisionKey })
  const notShown = [
    ...(from.account === null ? ['of which account the key is that read the service'] : []),
    ...movements.flatMap(({ intentId, attempts = 0, verdict }) => {
      const shown = parts.get(`service ${intentId}`)
      return [
        ...(shown === undefined && verdict !== 'not begun' ? [`what the service shows of ${intentId}`] : []),
        ...(shown?.leftOut === undefined ? [] : [`of ${intentId}: ${shown.leftOut}`]),
        ...(attempts > 1
          ? [`of ${intentId}: what attempts before the last one signed; the journal keeps the last`]
          : []),
      ]
    }),
  ]
  const inOrder = ({ about, code }) => `${about} ${code}`
  contradictions.sort((left, right) => (inOrder(left) < inOrder(right) ? -1 : 1))
  return { from, of: { kind, id }, run: facts, movements, contradictions, notShown }
  function movement({ intentId, key, leg }, nth, legs) {
    if (nth >= 2200 || legs.findIndex((each) => each.intentId === intentId) < nth) refuse(`R#${id}`, 'its legs')
    const planned = leg ?? run?.plan?.legs.find((each) => each.key === key)
    if (run && planned === undefined) refuse(`R#${id}`, 'its legs')
    const pk = `I#${planned?.kind ?? kind}#${intentId}`
    if (!run && record(pk) === undefined) refuse(pk, 'the record is missing')
    const intent = record(pk) && asIntent(record(pk))
    const ref = intent?.state === 'DONE' ? intent.ref : undefined
    const { outcome, conversion, withdrawal: paid } = run?.results[intentId] ?? {}
    const reported = { FILLED: conversion?.orderId, COMPLETED: paid?.withdrawalId }[outcome]
    if (reported !== undefined && reported !== ref) find(pk, 'claim_missing')
    if (intent === undefined) return { intentId, leg: key, verdict: 'not begun' }
    const { state, attempt, params, paramsHash, frozen, resolution, why, attemptNumber } = intent
    const isOpen = attempt || ['READY', 'ARMED'].includes(state)
    if (run) {
      const asked = { ...planned.request, policy: run.policy, run: id, notAfter: run.notAfter }
      const approved = run.approval && run.plan?.legs.find((each) => idOf(id, each) === intentId)
      const destination = (payee) => hashOf(without(LISTS.planHash.leftOutOfPayee, payee))
      const isSeen = !approved?.payee || !isOpen || destination(approved.payee) === destination(frozen.payee)
      const isOwn = isSeen && idOf(id, planned) === intentId && hashOf(asked) === paramsHash
      if (!isOwn || !isApprovedLeg({ key, intentId, leg }, run)) find(pk, 'leg_differs')
    }
    if (hashOf(params) !== paramsHash) find(pk, 'request_differs')
    else if (isOpen && !follows(intent)) find(pk, 'terms_differ')
    const { assetSymbol, amount, feeMode, contactId, baseAsset, quoteAsset, subTypes, networkId } = frozen
    const { orderId, terms, known = [], seen = [], since } = attempt ?? {}
    const body = JSON.stringify(orderId ? { orderId } : { assetSymbol, amount, feeMode, contactId })
    if (attempt && sha256(body) !== attempt.bodySha256) find(pk, 'body_differs')
    const verdict = VERDICTS[state] ?? (attempt || state === 'ARMED' ? 'in doubt' : 'nothing sent')
    const claimOf = (movementId) => {
      const holder = record(`C#${intent.kind}#${movementId}`)?.intentId
      // A sending step can claim a movement for others. The decision of a person is a separate record.
      return holder === '(foreign)' && !record(`O#${intent.kind}#${movementId}`) ? undefined : holder
    }
    const isProven = ref && claimOf(ref) === intentId && (attempt || resolution || why !== undefined)
    if (state === 'DONE' && !isProven) find(pk, 'claim_missing')
    const service = parts.get(`service ${intentId}`)
    const isZero = verdict === ZERO
    if (service && isZero && attempt && Date.parse(service.readAt) < attempt.exp * 1000) find(pk, 'looked_too_early')
    const moved = service && (intent.kind === 'convert' ? order : withdrawal)(service)
    return {
      ...{ intentId, leg: key, kind: intent.kind, verdict, request: paramsHash, attempts: attempt ? attemptNumber : 0 },
      ...{
        signed: attempt && only(['nonce', 'kid', 'bodySha256', 'iat', 'exp'], attempt),
        movementId: ref,
        moved,
        why,
      },
      decidedBy: resolution?.by,
    }
    function order({ orders = [], fills = [], ledger }) {
      if (orders.some((each) => each.row !== null && each.id !== ref)) find(pk, 'another_movement')
      if (isZero && attempt && !orders.some((each) => each.id === orderId)) find(pk, 'not_looked_for')
      const row = orders.find((each) => each.id === ref)?.row
      if (ref === undefined) return undefined
      if (!row) return void find(pk, 'movement_missing')
      const market = row.market.trim()
      const isAsked = attempt && [
        namesOf(baseAsset).some((base) => namesOf(quoteAsset).some((quote) => isSame(`${base}-${quote}`, market))),
        isSame(row.side, params.side) && isNamed(row.baseAsset, baseAsset) && isNamed(row.quoteAsset, quoteAsset),
        isOneOf(amount, [isSame(params.amountAsset, params.baseAsset) ? row.baseAmount : row.quoteAmount]),
        isOneOf(terms.baseAmount, [row.baseAmount]) && isOneOf(terms.quoteAmount, [row.quoteAmount]) && orderId === ref,
      ]
      if (row.id !== ref || !isAsked?.every(Boolean)) find(pk, 'movement_differs')
      const isSum = (leg, all) => sum(fills.map((of) => of[leg])) === decimal(all) && decimal(all) <= decimal(row[leg])
      const isWholeOrder = isSum('baseAmount', row.filledBaseAmount) && isSum('quoteAmount', row.filledQuoteAmount)
      const booked = new Set(ledger.map(({ source }) => source?.id))
      const own = new Set(fills.flatMap((of) => [keyOf(of.id, of.baseAmount), keyOf(of.id, of.quoteAmount)]))
      const isOfFills = ledger.every(({ source, amount: is }) => is !== null && own.has(keyOf(source?.id, is)))
      if (!isWholeOrder || !fills.every(({ id: of }) => booked.has(of)) || !isOfFills) find(pk, 'figures_differ')
      const { side, status, filledBaseAmount: baseAmount, filledQuoteAmount: quoteAmount } = row
      return { market: row.market, side, status, baseAmount, quoteAmount }
    }
    function withdrawal({ withdrawal: row, rows, ledger, leftOut }) {
      const [old, listed] = [known, rows ?? []].map((list) => new Set(list.map((each) => each.id)))
      const sinceMs = Date.parse(since)
      const others = rows?.filter(({ id }) => id !== ref && [undefined, intentId].includes(claimOf(id))) ?? []
      const isFresh = (each) => attempt && !old.has(each.id) && !(Date.parse(each.createdAt) < sinceMs)
      const isLike = (each) => isOneOf(amount, [each.amount, each.total]) || isOneOf(frozen.total, [each.total])
      if ((ref || isZero) && others.some((each) => isFresh(each) && isLike(each))) find(pk, 'another_movement')
      const isWhole = rows && [...known, ...seen].every((each) => listed.has(each.id))
      if ((ref || isZero) && attempt && !isWhole && !leftOut) find(pk, 'not_looked_for')
      if (ref === undefined) return undefined
      if (!row) return void find(pk, 'movement_missing')
      const isSent = isOneOf(amount ?? null, [feeMode === 'add' ? row.amount : row.total])
      const isAsked = attempt && isSent && isNamed(row.assetSymbol, frozen) && row.networkId === networkId
      const isDearer = attempt && decimal(row.fee) > decimal(attempt.fee)
      if (row.id !== ref || !isAsked || isDearer || old.has(row.id) || !subTypes.includes(row.subType))
        find(pk, 'movement_differs')
      const isOfIt = ledger.every((is) => is.source?.id === ref && isOneOf(is.amount, [row.amount, row.fee, row.total]))
      const isBooked = row.status !== 'COMPLETED' || ledger.length > 0
      if (sum([row.amount, row.fee]) !== decimal(row.total) || !isOfIt || !isBooked) find(pk, 'figures_differ')
      return only(['assetSymbol', 'status', 'amount', 'fee', 'total'], row)
    }
  }
}
// --- What `proof check` knows too: the shapes of records and parts as JSON Schema, and the fields that an approval covers.
// `node operations/proof/write-verifier.ts` writes this line.
// biome-ignore format: one line, which a program writes.
const LISTS = JSON.parse(String.raw`{"format":1,"planHash":{"plan":["policy","kind","valuationAsset","turnover"],"leg":["key","once","phase","kind","request","value"],"convert":["market","indicativeRate","gives","brings"],"withdraw":["assetSymbol","contactId","fee","total","payee","paidAs","backByBalance"],"leftOutOfPayee":["alias","reference","paidAs"],"leftOutOfPolicy":["was","rows"]},"shapes":{"about":{"type":"object","properties":{"part":{"$ref":"0"},"kind":{"type":"string","enum":["convert","withdraw","run"]},"id":{"$ref":"0"},"at":{"$ref":"1"},"from":{"type":"object","properties":{"money":{"type":"string","enum":["play money","that of the account"]},"service":{"$ref":"0"},"account":{"$ref":"2"},"stage":{"$ref":"0"},"environment":{"$ref":"2"}},"required":["money","service","account","stage","environment"],"additionalProperties":false},"readWith":{"$ref":"0"},"decisionKey":{"type":"string","pattern":"^[A-Za-z0-9_-]{43}$"}},"required":["part","kind","id","at","from","readWith"]},"service":{"type":"object","properties":{"part":{"$ref":"0"},"readAt":{"$ref":"1"},"orders":{"type":"array","items":{"type":"object","properties":{"id":{"$ref":"3"},"row":{"anyOf":[{"type":"object","properties":{"id":{"$ref":"3"},"status":{"$ref":"0"},"side":{"$ref":"0"},"market":{"$ref":"0"},"baseAsset":{"$ref":"2"},"quoteAsset":{"$ref":"2"},"baseAmount":{"$ref":"4"},"filledBaseAmount":{"$ref":"4"},"quoteAmount":{"$ref":"4"},"filledQuoteAmount":{"$ref":"4"},"rate":{"$ref":"0"}},"required":["id","status","side","market","baseAsset","quoteAsset","baseAmount","filledBaseAmount","quoteAmount","filledQuoteAmount","rate"]},{"type":"null"}]}},"required":["id","row"]}},"fills":{"type":"array","items":{"type":"object","properties":{"id":{"$ref":"3"},"baseAmount":{"$ref":"4"},"quoteAmount":{"$ref":"4"}},"required":["id","baseAmount","quoteAmount"]}},"withdrawal":{"anyOf":[{"$ref":"5"},{"type":"null"}]},"rows":{"type":"array","items":{"$ref":"5"}},"ledger":{"type":"array","items":{"type":"object","properties":{"amount":{"anyOf":[{"$ref":"4"},{"type":"null"}]},"source":{"anyOf":[{"type":"object","properties":{"type":{"$ref":"0"},"id":{"$ref":"0"}},"required":["type","id"]},{"type":"null"}]}},"required":["amount","source"]}},"leftOut":{"$ref":"0"}},"required":["part","readAt","ledger"]},"record":{"type":"object","properties":{"part":{"$ref":"0"},"record":{"type":"object","properties":{"pk":{"$ref":"0"},"version":{"type":"number"},"format":{"type":"number"},"stamp":{"$ref":"0"}},"required":["pk","version","format","stamp"],"additionalProperties":{}}},"required":["part","record"]},"run":{"type":"object","properties":{"outcome":{"type":"string","enum":["SETTLED","PARTLY_SETTLED","NOTHING_MOVED","NOTHING_TO_DO","OFF_TARGET","SHADOWED","GUARDED","HALTED","ALREADY_RUNNING","AWAITING_APPROVAL","DISAPPROVED","APPROVAL_VOID","FAILED","OWN_FAULT","NEEDS_ATTENTION","RUNNING"]},"runId":{"$ref":"6"},"policy":{"$ref":"7"},"kind":{"type":"string","enum":["rebalance","fund","convert-on-arrival","sweep","convert-and-withdraw","payouts"]},"trigger":{"$ref":"8"},"startedAt":{"$ref":"1"},"endedAt":{"$ref":"1"},"plan":{"type":"object","properties":{"policy":{"$ref":"7"},"kind":{"type":"string","enum":["rebalance","fund","convert-on-arrival","sweep","convert-and-withdraw","payouts"]},"takenAt":{"$ref":"1"},"valuationAsset":{"$ref":"9"},"totalValue":{"$ref":"4"},"unpriced":{"maxItems":20,"type":"array","items":{"$ref":"9"}},"unreached":{"maxItems":20,"type":"array","items":{"$ref":"10"}},"turnover":{"$ref":"4"},"positions":{"type":"array","items":{"type":"object","properties":{"asset":{"$ref":"9"},"holding":{"$ref":"4"},"spendable":{"$ref":"4"},"price":{"anyOf":[{"$ref":"4"},{"type":"null"}]},"value":{"$ref":"4"},"weight":{"$ref":"4"},"targetValue":{"$ref":"4"},"targetWeight":{"$ref":"4"},"drift":{"$ref":"11"},"afterHolding":{"$ref":"4"},"afterValue":{"$ref":"4"},"afterWeight":{"$ref":"4"}},"required":["asset","holding","spendable","price","value","weight","afterHolding","afterValue","afterWeight"]}},"legs":{"maxItems":2200,"type":"array","items":{"$ref":"12"}},"trades":{"maxItems":200,"type":"array","items":{"$ref":"41"}},"nonLegs":{"type":"array","items":{"type":"object","properties":{"asset":{"$ref":"9"},"code":{"type":"string","enum":["within_band","below_smallest","below_minimum","costs_more_than_drift","fee_too_dear","below_trigger","no_market","no_price","nothing_spendable","in_doubt","guard","turnover_spent","cooling_down","left_alone","reserved","contact_mismatch","already_paid","other_terms","paid_twice","awaits_canary","no_facts","stranded","no_counterpart","cut_short"]},"reason":{"type":"string"},"row":{"$ref":"40"}},"required":["asset","code","reason"]}},"guards":{"type":"array","items":{"type":"object","properties":{"guard":{"type":"string"},"leg":{"type":"string"},"says":{"type":"string"}},"required":["guard","says"]}}},"required":["policy","kind","takenAt","valuationAsset","totalValue","turnover","positions","legs","nonLegs","guards"]},"approval":{"type":"object","properties":{"planHash":{"type":"string"},"expiresAt":{"$ref":"1"},"requester":{"type":"object","properties":{"kind":{"$ref":"43"},"by":{"$ref":"44"},"at":{"$ref":"1"}},"required":["kind","by","at"]},"decision":{"type":"string","enum":["approved","rejected"]},"by":{"type":"string"},"because":{"type":"string"},"at":{"$ref":"1"},"needed":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"approvals":{"type":"array","items":{"type":"object","properties":{"by":{"type":"string"},"because":{"type":"string"},"at":{"$ref":"1"},"secondBecause":{"type":"string"}},"required":["by","because","at"]}}},"required":["planHash","expiresAt"]},"residues":{"type":"array","items":{"type":"object","properties":{"asset":{"$ref":"9"},"contactId":{"$ref":"3"},"before":{"$ref":"4"},"amount":{"$ref":"4"}},"required":["asset","before","amount"]}},"totalValueAfter":{"$ref":"4"},"distances":{"maxItems":100,"type":"array","items":{"$ref":"45"}},"tiesOut":{"type":"boolean"},"tripped":{"type":"object","properties":{"because":{"type":"string"},"at":{"$ref":"1"}},"required":["because","at"]},"why":{"type":"string"},"version":{"$ref":"46"},"request":{"type":"object","properties":{"policy":{"anyOf":[{"$ref":"7"},{"$ref":"47"}]},"rows":{"minItems":1,"maxItems":100,"type":"array","items":{"$ref":"74"}},"pages":{"minItems":1,"maxItems":20,"type":"array","items":{"$ref":"75"}},"shadow":{"type":"boolean"},"trigger":{"$ref":"8"}},"required":["policy"],"additionalProperties":false},"requestHash":{"type":"string"},"entry":{"$ref":"46"},"settledBy":{"$ref":"46"},"asPlanned":{"$ref":"47"},"policyHash":{"type":"string"},"notAfter":{"$ref":"1"},"waiting":{"type":"object","properties":{"until":{"$ref":"1"},"waits":{"$ref":"46"},"nextAt":{"$ref":"1"}},"required":["until","waits","nextAt"]},"phases":{"type":"array","items":{"type":"object","properties":{"phase":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"legs":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"intentId":{"$ref":"6"},"leg":{"$ref":"12"}},"required":["key","intentId"]}}},"required":["phase","legs"]}},"settling":{"type":"object","properties":{"by":{"type":"string"},"legs":{"type":"array","items":{"type":"object","properties":{"intentId":{"$ref":"6"},"moved":{"type":"string","enum":["whole","part","nothing","unknown"]},"tiesOut":{"type":"boolean"},"isFinal":{"type":"boolean"}},"required":["intentId","moved","tiesOut","isFinal"]}}},"required":["by","legs"]},"results":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"object","properties":{"outcome":{"type":"string"},"conversion":{"type":"object","properties":{"outcome":{"type":"string","enum":["FILLED","PRICE_REFUSED","EXPIRED_OUT","REJECTED","FAILED","OWN_FAULT","STUCK","NEEDS_ATTENTION","QUOTED","RECORDED","HELD","AWAITING_APPROVAL","QUOTE_EXPIRED","UNCERTAIN","PROCESSING"]},"intentId":{"$ref":"6"},"attempts":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"orderId":{"$ref":"3"},"settled":{"$ref":"76"},"awaited":{"$ref":"76"},"market":{"type":"string"},"side":{"type":"string","enum":["BUY","SELL"]},"rate":{"$ref":"4"},"baseAmount":{"$ref":"4"},"quoteAmount":{"$ref":"4"},"fills":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"sequence":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"baseAmount":{"$ref":"4"},"quoteAmount":{"$ref":"4"},"rate":{"$ref":"4"},"executedAt":{"type":"string"}},"required":["id","sequence","baseAmount","quoteAmount","rate","executedAt"]}},"why":{"type":"string"},"goesOn":{"type":"boolean","const":true},"guardedBy":{"type":"string","enum":["floor","price","budget","largest","allowed","approval","contact"]},"until":{"type":"string"},"waitSeconds":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"waits":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"keyAtFault":{"type":"boolean","const":true}},"required":["outcome","intentId"]},"withdrawal":{"type":"object","properties":{"outcome":{"type":"string","enum":["COMPLETED","REJECTED","EXHAUSTED","FAILED_REFUNDED","OWN_FAULT","STUCK","NEEDS_ATTENTION","CHECKED","RECORDED","HELD","AWAITING_APPROVAL","AGAIN","UNCERTAIN","PROCESSING"]},"intentId":{"$ref":"6"},"attempts":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"withdrawalId":{"$ref":"3"},"settled":{"$ref":"76"},"awaited":{"$ref":"76"},"assetSymbol":{"type":"string"},"amount":{"$ref":"4"},"fee":{"$ref":"4"},"total":{"$ref":"4"},"transactionHash":{"type":["string","null"]},"bankReference":{"type":["string","null"]},"candidates":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"subType":{"type":"string"},"networkId":{"type":["string","null"]},"amount":{"$ref":"4"},"fee":{"$ref":"4"},"total":{"$ref":"4"},"status":{"type":"string"},"createdAt":{"type":"string"},"transactionHash":{"type":["string","null"]},"bankReference":{"type":["string","null"]}},"required":["id","subType","networkId","amount","fee","total","status","createdAt","transactionHash","bankReference"]}},"why":{"type":"string"},"goesOn":{"type":"boolean","const":true},"guardedBy":{"type":"string","enum":["floor","price","budget","largest","allowed","approval","contact"]},"until":{"type":"string"},"waitSeconds":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"waits":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"keyAtFault":{"type":"boolean","const":true},"isRefundDue":{"type":"boolean","const":true},"isByBalance":{"type":"boolean","const":true},"refused":{"type":"object","properties":{"isFirstUse":{"type":"boolean"},"isUnsent":{"type":"boolean"}},"required":["isFirstUse","isUnsent"]}},"required":["outcome","intentId"]},"begunBy":{"$ref":"6"},"why":{"type":"string"}},"required":["outcome"]}},"basis":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"$ref":"4"}},"guardsHash":{"type":"string"}},"required":["outcome","runId","policy","kind","startedAt","version","request","requestHash","entry","asPlanned","policyHash","notAfter","phases","results"]},"requester":{"type":"object","properties":{"kind":{"$ref":"43"},"by":{"$ref":"44"},"at":{"$ref":"1"},"requestHash":{"type":"string"},"ownId":{"type":"string","pattern":"^\\P{Cc}{1,200}$"}},"required":["kind","by","at","requestHash"]},"decisions":{"type":"object","properties":{"words":{"type":"array","items":{"type":"object","properties":{"decision":{"type":"string","enum":["approved","rejected"]},"by":{"type":"string"},"because":{"type":"string"},"at":{"type":"string"},"secondBecause":{"type":"string"},"spoken":{"type":"string"},"signed":{"type":"string"}},"required":["decision","by","because","at"]}}},"required":["words"]},"accepted":{"type":"object","properties":{"by":{"type":"string"},"to":{"type":"string"},"at":{"type":"string"},"asked":{"type":"string"}},"required":["by","to","at","asked"]},"intent":{"type":"object","properties":{"intentId":{"$ref":"77"},"paramsHash":{"$ref":"77"},"createdAt":{"$ref":"77"},"notAfter":{"$ref":"77"},"version":{"type":"number"},"attemptNumber":{"type":"number"},"ref":{"$ref":"78"},"outcome":{"$ref":"78"},"why":{"$ref":"78"},"guardedBy":{"$ref":"78"},"resolution":{"type":"object","properties":{"by":{"$ref":"77"},"because":{"$ref":"77"},"at":{"$ref":"77"},"movementId":{"$ref":"78"},"sameAccount":{"$ref":"78"},"spoken":{"$ref":"78"}},"required":["by","because","at"]},"kind":{"type":"string","enum":["convert","withdraw"]},"state":{"type":"string","enum":["READY","ARMED","DONE","REJECTED","EXHAUSTED","ESCALATED"]}},"required":["intentId","paramsHash","createdAt","notAfter","version","attemptNumber","kind","state"]},"convert":{"type":"object","properties":{"params":{"type":"object","properties":{"amount":{"$ref":"77"},"most":{"$ref":"78"},"keep":{"$ref":"78"},"notAfter":{"$ref":"78"},"policy":{"$ref":"78"},"run":{"$ref":"78"},"requestId":{"$ref":"78"},"baseAsset":{"$ref":"77"},"quoteAsset":{"$ref":"77"},"side":{"type":"string","enum":["BUY","SELL"]},"amountAsset":{"$ref":"77"},"worstRate":{"$ref":"78"},"plannedRate":{"$ref":"78"},"maxSlippageBps":{"type":"number"}},"required":["amount","baseAsset","quoteAsset","side","amountAsset"]},"frozen":{"type":"object","properties":{"baseAsset":{"$ref":"79"},"quoteAsset":{"$ref":"79"},"account":{"$ref":"78"},"stage":{"$ref":"78"},"amount":{"$ref":"77"},"increment":{"$ref":"77"},"maxSlippageBps":{"type":"number"},"referenceRate":{"$ref":"78"},"unitValues":{"$ref":"80"}},"required":["baseAsset","quoteAsset","amount","increment"]},"attempt":{"type":"object","properties":{"nonce":{"$ref":"77"},"kid":{"$ref":"77"},"iat":{"$ref":"81"},"exp":{"$ref":"82"},"bodySha256":{"$ref":"77"},"owner":{"$ref":"77"},"said":{"$ref":"83"},"listenedUntil":{"$ref":"78"},"fenceTiming":{"$ref":"84"},"account":{"$ref":"78"},"orderId":{"$ref":"77"},"quoteExpiresAt":{"anyOf":[{"$ref":"77"},{"type":"null"}]},"terms":{"type":"object","properties":{"market":{"$ref":"77"},"rate":{"$ref":"77"},"baseAmount":{"$ref":"77"},"quoteAmount":{"$ref":"77"}},"required":["market","rate","baseAmount","quoteAmount"]}},"required":["nonce","kid","iat","exp","bodySha256","owner","fenceTiming","orderId","quoteExpiresAt","terms"]}},"required":["params","frozen","attempt"]},"withdraw":{"type":"object","properties":{"params":{"type":"object","properties":{"amount":{"$ref":"77"},"most":{"$ref":"78"},"keep":{"$ref":"78"},"notAfter":{"$ref":"78"},"policy":{"$ref":"78"},"run":{"$ref":"78"},"requestId":{"$ref":"78"},"assetSymbol":{"$ref":"77"},"feeMode":{"type":"string","enum":["deduct","add"]},"contactId":{"$ref":"78"},"contactReference":{"$ref":"78"}},"required":["amount","assetSymbol"]},"frozen":{"type":"object","properties":{"account":{"$ref":"77"},"stage":{"$ref":"77"},"assetSymbol":{"$ref":"77"},"rebasedSymbol":{"$ref":"78"},"amount":{"$ref":"77"},"increment":{"$ref":"77"},"feeMode":{"type":"string","enum":["deduct","add"]},"contactId":{"$ref":"77"},"subTypes":{"type":"array","items":{"$ref":"77"}},"networkId":{"anyOf":[{"$ref":"77"},{"type":"null"}]},"fee":{"$ref":"77"},"total":{"$ref":"77"},"payee":{"$ref":"38"},"unitValues":{"$ref":"80"}},"required":["account","stage","assetSymbol","amount","increment","feeMode","contactId","subTypes","networkId","fee","total","payee"]},"attempt":{"type":"object","properties":{"nonce":{"$ref":"77"},"kid":{"$ref":"77"},"iat":{"$ref":"81"},"exp":{"$ref":"82"},"bodySha256":{"$ref":"77"},"owner":{"$ref":"77"},"said":{"$ref":"83"},"listenedUntil":{"$ref":"78"},"fenceTiming":{"$ref":"84"},"fee":{"$ref":"77"},"approvedTotal":{"$ref":"78"},"since":{"$ref":"77"},"known":{"$ref":"85"},"seen":{"$ref":"85"},"accepted":{"type":"boolean"}},"required":["nonce","kid","iat","exp","bodySha256","owner","fenceTiming","fee","since","known"]}},"required":["params","frozen","attempt"]}},"$defs":{"0":{"type":"string","maxLength":65536},"1":{"type":"string","maxLength":40,"format":"date-time","pattern":"^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"},"2":{"anyOf":[{"$ref":"0"},{"type":"null"}]},"3":{"type":"string","minLength":1,"maxLength":256},"4":{"type":"string","pattern":"^(0|[1-9][0-9]{0,29})(\\.[0-9]{1,18})?$"},"5":{"type":"object","properties":{"id":{"$ref":"3"},"subType":{"$ref":"0"},"status":{"$ref":"0"},"assetSymbol":{"$ref":"2"},"amount":{"$ref":"4"},"fee":{"$ref":"4"},"total":{"$ref":"4"},"createdAt":{"$ref":"0"},"transactionHash":{"$ref":"2"},"bankReference":{"$ref":"2"},"networkId":{"$ref":"2"}},"required":["id","subType","status","assetSymbol","amount","fee","total","createdAt","transactionHash","bankReference","networkId"]},"6":{"type":"string","pattern":"^[A-Za-z0-9-]{1,76}$"},"7":{"type":"string","pattern":"^[a-z0-9][a-z0-9-]{0,47}$"},"8":{"type":"object","properties":{"by":{"type":"string","enum":["schedule","event","deposit","file","person","call"]},"id":{"type":"string","maxLength":256}},"required":["by"]},"9":{"type":"string","pattern":"^[A-Za-z0-9._-]{1,32}$"},"10":{"type":"object","properties":{"asset":{"$ref":"9"},"off":{"$ref":"11"}},"required":["asset","off"]},"11":{"type":"string","pattern":"^-?(0|[1-9][0-9]{0,29})(\\.[0-9]{1,18})?$"},"12":{"oneOf":[{"type":"object","properties":{"kind":{"type":"string","const":"convert"},"key":{"$ref":"13"},"phase":{"$ref":"14"},"value":{"$ref":"4"},"reason":{"$ref":"15"},"once":{"$ref":"16"},"request":{"type":"object","properties":{"baseAsset":{"$ref":"9"},"quoteAsset":{"$ref":"9"},"side":{"$ref":"17"},"amountAsset":{"$ref":"9"},"amount":{"$ref":"4"},"worstRate":{"$ref":"18"},"most":{"$ref":"19"},"maxSlippageBps":{"$ref":"20"},"plannedRate":{"$ref":"21"},"keep":{"$ref":"22"},"notAfter":{"$ref":"23"},"policy":{"$ref":"24"},"run":{"$ref":"25"},"requestId":{"$ref":"26"}},"required":["baseAsset","quoteAsset","side","amountAsset","amount"],"additionalProperties":false},"market":{"$ref":"3"},"indicativeRate":{"$ref":"4"},"spreadCost":{"$ref":"4"},"gives":{"type":"object","properties":{"asset":{"$ref":"9"},"amount":{"$ref":"4"}},"required":["asset","amount"]},"brings":{"type":"object","properties":{"asset":{"$ref":"9"},"amount":{"$ref":"4"}},"required":["asset","amount"]}},"required":["kind","key","phase","value","reason","request","market","indicativeRate","spreadCost","gives","brings"]},{"type":"object","properties":{"kind":{"type":"string","const":"withdraw"},"key":{"$ref":"13"},"phase":{"$ref":"14"},"value":{"$ref":"4"},"reason":{"$ref":"15"},"once":{"$ref":"16"},"request":{"type":"object","properties":{"assetSymbol":{"$ref":"9"},"amount":{"$ref":"4"},"feeMode":{"$ref":"27"},"contactId":{"$ref":"28"},"contactReference":{"$ref":"30"},"most":{"$ref":"32"},"keep":{"$ref":"33"},"notAfter":{"$ref":"34"},"policy":{"$ref":"35"},"run":{"$ref":"36"},"requestId":{"$ref":"37"}},"required":["assetSymbol","amount"],"additionalProperties":false},"assetSymbol":{"$ref":"9"},"contactId":{"$ref":"3"},"payee":{"$ref":"38"},"fee":{"$ref":"4"},"total":{"$ref":"4"},"paidAs":{"$ref":"40"},"backByBalance":{"$ref":"3"},"isCanary":{"type":"boolean"}},"required":["kind","key","phase","value","reason","request","assetSymbol","contactId","fee","total"]}]},"13":{"type":"string","pattern":"^[A-Za-z0-9._-]{1,64}$"},"14":{"type":"integer","minimum":1,"maximum":9},"15":{"type":"string"},"16":{"type":"string","pattern":"^[A-Za-z0-9._/-]{1,128}$"},"17":{"type":"string","enum":["BUY","SELL"]},"18":{"$ref":"4"},"19":{"$ref":"4"},"20":{"type":"integer","minimum":0,"maximum":9999},"21":{"$ref":"4"},"22":{"$ref":"4"},"23":{"$ref":"1"},"24":{"$ref":"7"},"25":{"$ref":"6"},"26":{"$ref":"6"},"27":{"type":"string","enum":["deduct","add"]},"28":{"$ref":"29"},"29":{"$ref":"3"},"30":{"$ref":"31"},"31":{"type":"string","maxLength":60,"pattern":"^[^\\p{Cc}\\p{Zl}\\p{Zp}]+$"},"32":{"$ref":"4"},"33":{"$ref":"4"},"34":{"$ref":"1"},"35":{"$ref":"7"},"36":{"$ref":"6"},"37":{"$ref":"6"},"38":{"type":"object","properties":{"contactId":{"$ref":"3"},"alias":{"$ref":"39"},"reference":{"$ref":"39"},"paidAs":{"type":"object","properties":{"alias":{"$ref":"39"},"reference":{"$ref":"39"}},"required":["alias","reference"]},"type":{"type":"string"},"assetSymbol":{"$ref":"39"},"networkId":{"$ref":"39"},"bank":{"$ref":"39"},"updatedAt":{"type":"string"}},"required":["contactId","alias","reference","type","assetSymbol","networkId","bank","updatedAt"]},"39":{"type":["string","null"]},"40":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$"},"41":{"type":"object","properties":{"gives":{"$ref":"9"},"brings":{"$ref":"9"},"value":{"$ref":"4"},"way":{"$ref":"42"},"others":{"type":"array","items":{"$ref":"42"}}},"required":["gives","brings","value","way","others"]},"42":{"type":"object","properties":{"hub":{"$ref":"9"},"markets":{"maxItems":2,"type":"array","items":{"$ref":"3"}},"cost":{"$ref":"11"},"code":{"type":"string","enum":["within_band","below_smallest","below_minimum","costs_more_than_drift","fee_too_dear","below_trigger","no_market","no_price","nothing_spendable","in_doubt","guard","turnover_spent","cooling_down","left_alone","reserved","contact_mismatch","already_paid","other_terms","paid_twice","awaits_canary","no_facts","stranded","no_counterpart","cut_short"]},"reason":{"type":"string"}},"required":["markets"]},"43":{"type":"string","enum":["person","schedule","event","deposit","file"]},"44":{"type":"string"},"45":{"type":"object","properties":{"asset":{"$ref":"9"},"value":{"$ref":"4"},"target":{"$ref":"4"},"off":{"$ref":"11"}},"required":["asset","value","target","off"]},"46":{"type":"integer","minimum":0,"maximum":9007199254740991},"47":{"oneOf":[{"type":"object","properties":{"kind":{"type":"string","const":"rebalance"},"was":{"$ref":"48"},"mode":{"$ref":"49"},"schedule":{"$ref":"50"},"guards":{"$ref":"52"},"approval":{"$ref":"61"},"breaker":{"$ref":"63"},"runLifeSeconds":{"$ref":"64"},"valuationAsset":{"$ref":"65"},"hubs":{"$ref":"66"},"weights":{"type":"object","propertyNames":{"$ref":"9"},"additionalProperties":{"$ref":"4"}},"amounts":{"type":"object","propertyNames":{"$ref":"9"},"additionalProperties":{"$ref":"4"}},"band":{"type":"object","properties":{"of":{"type":"string","enum":["absolute","relative"]},"bps":{"$ref":"62"}},"additionalProperties":false},"smallestTrade":{"$ref":"4"},"largestTrade":{"$ref":"4"},"turnover":{"type":"object","properties":{"run":{"$ref":"4"},"day":{"$ref":"4"}},"additionalProperties":false},"reserve":{"type":"object","propertyNames":{"$ref":"9"},"additionalProperties":{"$ref":"4"}},"coolDownSeconds":{"type":"integer","minimum":0,"maximum":31536000},"leaveAlone":{"maxItems":1000,"type":"array","items":{"$ref":"9"}}},"required":["kind"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"fund"},"was":{"$ref":"48"},"mode":{"$ref":"49"},"schedule":{"$ref":"50"},"guards":{"$ref":"52"},"approval":{"$ref":"61"},"breaker":{"$ref":"63"},"runLifeSeconds":{"$ref":"64"},"valuationAsset":{"$ref":"65"},"hubs":{"$ref":"66"},"asset":{"$ref":"9"},"atLeast":{"$ref":"4"},"target":{"$ref":"4"},"from":{"$ref":"67"},"smallestTrade":{"$ref":"4"}},"required":["kind","asset","atLeast","from"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"convert-on-arrival"},"was":{"$ref":"48"},"mode":{"$ref":"49"},"schedule":{"$ref":"50"},"guards":{"$ref":"52"},"approval":{"$ref":"61"},"breaker":{"$ref":"63"},"runLifeSeconds":{"$ref":"64"},"valuationAsset":{"$ref":"65"},"hubs":{"$ref":"66"},"asset":{"$ref":"9"},"into":{"$ref":"9"},"keep":{"$ref":"69"},"smallestTrade":{"$ref":"4"},"onDeposit":{"type":"boolean"}},"required":["kind","asset","into"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"sweep"},"was":{"$ref":"48"},"mode":{"$ref":"49"},"schedule":{"$ref":"50"},"guards":{"$ref":"52"},"approval":{"$ref":"61"},"breaker":{"$ref":"63"},"runLifeSeconds":{"$ref":"64"},"valuationAsset":{"$ref":"65"},"hubs":{"$ref":"66"},"rules":{"minItems":1,"maxItems":50,"type":"array","items":{"$ref":"70"}}},"required":["kind","rules"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"convert-and-withdraw"},"was":{"$ref":"48"},"mode":{"$ref":"49"},"schedule":{"$ref":"50"},"guards":{"$ref":"52"},"approval":{"$ref":"61"},"breaker":{"$ref":"63"},"runLifeSeconds":{"$ref":"64"},"valuationAsset":{"$ref":"65"},"hubs":{"$ref":"66"},"from":{"$ref":"9"},"into":{"$ref":"9"},"amount":{"$ref":"4"},"keep":{"$ref":"69"},"contactId":{"$ref":"29"},"feeMode":{"$ref":"71"},"feeCeilingBps":{"$ref":"72"},"smallest":{"$ref":"73"}},"required":["kind","from","into","contactId"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"payouts"},"was":{"$ref":"48"},"mode":{"$ref":"49"},"schedule":{"$ref":"50"},"guards":{"$ref":"52"},"approval":{"$ref":"61"},"breaker":{"$ref":"63"},"runLifeSeconds":{"$ref":"64"},"valuationAsset":{"$ref":"65"},"hubs":{"$ref":"66"},"assets":{"minItems":1,"maxItems":50,"type":"array","items":{"$ref":"9"}},"reserve":{"type":"object","propertyNames":{"$ref":"9"},"additionalProperties":{"$ref":"4"}},"from":{"$ref":"67"},"feeMode":{"type":"string","enum":["deduct","add"]},"feeCeilingBps":{"$ref":"62"},"files":{"type":"object","properties":{"bucket":{"type":"string","pattern":"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"},"prefix":{"type":"string","maxLength":100,"pattern":"^[A-Za-z0-9][A-Za-z0-9/_.=-]*\\/$"}},"required":["bucket"],"additionalProperties":false},"rows":{"maxItems":2000,"type":"array","items":{"$ref":"74"}}},"required":["kind","assets"],"additionalProperties":false}]},"48":{"allOf":[{"pattern":"^[a-z0-9][a-z0-9-]{0,47}$"},{"pattern":"^(?!inline-)"}],"$ref":"7"},"49":{"type":"string","enum":["live","shadow"]},"50":{"type":"object","properties":{"expression":{"type":"string","pattern":"^(rate|cron|at)\\([A-Za-z0-9 *?,/#:LW-]{1,250}\\)$"},"timeZone":{"$ref":"51"},"start":{"$ref":"1"},"end":{"$ref":"1"},"retries":{"type":"integer","minimum":0,"maximum":10},"maxEventAgeSeconds":{"type":"integer","minimum":60,"maximum":86400}},"required":["expression"],"additionalProperties":false},"51":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9_+/-]{0,63}$"},"52":{"type":"object","properties":{"total":{"$ref":"53"},"assets":{"type":"object","propertyNames":{"$ref":"9"},"additionalProperties":{"$ref":"53"}},"contacts":{"type":"object","propertyNames":{"$ref":"29"},"additionalProperties":{"$ref":"53"}},"allowedContacts":{"maxItems":200,"type":"array","items":{"$ref":"29"}},"allowedMarkets":{"maxItems":200,"type":"array","items":{"$ref":"3"}},"worstSlippageBps":{"type":"integer","minimum":0,"maximum":9999},"quietHours":{"maxItems":20,"type":"array","items":{"$ref":"54"}},"approval":{"type":"object","properties":{"above":{"$ref":"4"},"assets":{"type":"object","propertyNames":{"$ref":"9"},"additionalProperties":{"$ref":"4"}},"contacts":{"type":"object","propertyNames":{"$ref":"29"},"additionalProperties":{"$ref":"4"}},"twoAbove":{"$ref":"57"},"approvers":{"$ref":"58"},"requesterMayApprove":{"$ref":"60"}},"additionalProperties":false},"dailyWindow":{"type":"string","enum":["calendar","rolling"]}},"additionalProperties":false},"53":{"type":"object","properties":{"largest":{"$ref":"4"},"daily":{"$ref":"4"}},"additionalProperties":false},"54":{"type":"object","properties":{"days":{"minItems":1,"maxItems":7,"type":"array","items":{"$ref":"55"}},"from":{"$ref":"56"},"to":{"$ref":"56"},"timeZone":{"$ref":"51"}},"additionalProperties":false},"55":{"type":"string","enum":["MON","TUE","WED","THU","FRI","SAT","SUN"]},"56":{"type":"string","pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"},"57":{"$ref":"4"},"58":{"minItems":1,"maxItems":50,"type":"array","items":{"$ref":"59"}},"59":{"type":"string","pattern":"^[\\x21-\\x7e]{1,300}$"},"60":{"type":"boolean"},"61":{"type":"object","properties":{"above":{"$ref":"4"},"expiresAfterSeconds":{"type":"integer","minimum":60,"maximum":604800},"priceBoundBps":{"$ref":"62"},"twoAbove":{"$ref":"57"},"approvers":{"$ref":"58"},"requesterMayApprove":{"$ref":"60"}},"required":["above"],"additionalProperties":false},"62":{"type":"integer","minimum":0,"maximum":10000},"63":{"type":"object","properties":{"failures":{"type":"integer","minimum":1,"maximum":100},"largestFallBps":{"$ref":"62"}},"additionalProperties":false},"64":{"type":"integer","minimum":60,"maximum":86400},"65":{"$ref":"9"},"66":{"minItems":1,"maxItems":10,"type":"array","items":{"$ref":"9"}},"67":{"minItems":1,"maxItems":20,"type":"array","items":{"$ref":"68"}},"68":{"type":"object","properties":{"asset":{"$ref":"9"},"keep":{"$ref":"4"}},"required":["asset"],"additionalProperties":false},"69":{"type":"object","properties":{"target":{"$ref":"4"},"trigger":{"$ref":"4"}},"additionalProperties":false},"70":{"type":"object","properties":{"assets":{"minItems":1,"maxItems":1000,"type":"array","items":{"$ref":"9"}},"allBut":{"maxItems":1000,"type":"array","items":{"$ref":"9"}},"keep":{"$ref":"69"},"contactId":{"$ref":"29"},"feeMode":{"$ref":"71"},"feeCeilingBps":{"$ref":"72"},"smallest":{"$ref":"73"},"convertInto":{"$ref":"9"},"canary":{"type":"boolean"}},"required":["contactId"],"additionalProperties":false},"71":{"type":"string","enum":["deduct","add"]},"72":{"$ref":"62"},"73":{"$ref":"4"},"74":{"type":"object","properties":{"id":{"$ref":"40"},"contactId":{"$ref":"29"},"contactReference":{"$ref":"31"},"asset":{"$ref":"9"},"amount":{"$ref":"4"},"reference":{"type":"string","maxLength":140,"pattern":"^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$"}},"required":["id","contactId","asset","amount"],"additionalProperties":false},"75":{"type":"string","pattern":"^[0-9a-f]{64}$"},"76":{"type":"string","pattern":"^[0-9a-f]{64}$"},"77":{"type":"string"},"78":{"$ref":"77"},"79":{"type":"object","properties":{"assetSymbol":{"$ref":"77"},"rebasedSymbol":{"$ref":"78"}},"required":["assetSymbol"]},"80":{"type":"object","propertyNames":{"$ref":"77"},"additionalProperties":{"$ref":"77"}},"81":{"type":"number"},"82":{"type":"number"},"83":{"type":"object","properties":{"code":{"$ref":"77"},"text":{"$ref":"77"},"status":{"type":"number"},"business":{"type":"boolean"},"keyAtFault":{"type":"boolean","const":true}},"required":["code","text","business"]},"84":{"type":"object","properties":{"leewaySeconds":{"type":"number"},"visibilitySeconds":{"type":"number"}},"required":["leewaySeconds","visibilitySeconds"]},"85":{"type":"array","items":{"type":"object","properties":{"id":{"$ref":"77"},"at":{"$ref":"77"}},"required":["id","at"]}}}}`)
// --- The command.
/** Others chose the text, and may have put into it what moves a terminal's cursor or reverses its letters. */
const shown = (value) =>
  text(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
try {
  const [, , file, pinned, decisionKey] = process.argv
  const is = statSync(file ?? '') // a device has no size, and may block its reader for ever
  if (!is.isFile() || !is.size || is.size > 2 ** 25) refuse('the file', 'it is none, it is empty, or it is too large')
  const { parts, thumbprint } = open(readFileSync(file))
  if (pinned !== undefined && pinned !== thumbprint) refuse('the signature', `it is of the key ${thumbprint}`)
  const { from, movements, contradictions, ...more } = judge(parts)
  if (hashOf({ from, movements, contradictions, ...more }) !== hashOf(parts.get('statement')?.statement ?? null))
    refuse('statement', 'the evidence says other')
  const named = more.run?.decisionKey
  if (named && ![undefined, named].includes(decisionKey)) refuse('the decisions', `they are of the key ${named}`)
  for (const each of ['money', 'service', 'account', 'stage', 'environment']) console.log(each, shown(from[each]))
  for (const { intentId, verdict, movementId = '' } of movements) console.log(shown([intentId, verdict, movementId]))
  for (const what of more.notShown) console.log(`not shown: ${shown(what)}`)
  for (const { about, code } of contradictions) console.log(`does not tie out: ${shown([about, code])}`)
  if (named)
    console.log(`decisions by the key ${named}${decisionKey ? '' : ': hold it against the one that was published'}`)
  console.log(`signed by ${thumbprint}${pinned ? '' : ': hold it against the thumbprint that was published'}`)
  process.exitCode = contradictions.length > 0 ? 5 : pinned ? 0 : 6
} catch (error) {
  console.error(`error: ${shown(error.message).slice(1, -1).slice(0, 600)}`)
  process.exitCode = 1
}

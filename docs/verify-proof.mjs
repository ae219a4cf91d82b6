#!/usr/bin/env node
// Checks a proof that `sluice proof make` wrote, offline and only with Node: node verify-proof.mjs FILE [THUMBPRINT].
// It checks that each byte is as it was signed, that the evidence does not contradict itself, and derives each verdict again.
// Exit codes: 0 whole and signed by THUMBPRINT, 1 changed or not a proof, 5 it does not tie out, 6 no THUMBPRINT was given.
import { createHash, verify } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

const [, , file, pinned] = process.argv
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
/** An exact amount, scaled to 18 decimal places. */
const decimal = (figure) => {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,18}))?$/.exec(figure) ?? refuse('an amount', 'it is none')
  return BigInt(whole + fraction.padEnd(18, '0'))
}
const sum = (figures) => figures.reduce((total, figure) => total + decimal(figure), 0n)
const isOneOf = (amount, figures) => amount !== null && figures.some((figure) => decimal(figure) === decimal(amount))
const keyOf = (id, figure) => text([id, `${decimal(figure)}`])
const subTypesOf = (type) => (type === 'BANK_ACCOUNT' ? ['EXTERNAL_FIAT_BANK', 'EXTERNAL_FIAT_REDPAY'] : [type])
const isSame = (left, right) => left.toLowerCase() === right.trim().toLowerCase()
const namesOf = ({ assetSymbol, rebasedSymbol = assetSymbol }) => [assetSymbol, rebasedSymbol]
/** Whether a name belongs to an asset. The service does not always name a movement's asset. */
const isNamed = (name, asset) => name === null || namesOf(asset).some((code) => isSame(code, name))
/** Whether the frozen terms follow from the request, so that nobody has changed the amount or the payee. */
function follows({ kind, params, frozen, notAfter }) {
  const { amount, increment, guards, payee, fee, total, feeMode, contactId } = frozen
  const step = decimal(increment)
  if (step <= 0n || decimal(amount) !== decimal(params.amount) - (decimal(params.amount) % step)) return false
  if (guards?.policy?.name !== params.policy || ![undefined, notAfter].includes(params.notAfter)) return false
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
/** The hash of the approved plan, computed again from the run's record. */
function approvedHash({ plan, asPlanned: { was: _, ...of }, guardsHash, approval: { expiresAt } }) {
  const { policy, kind, valuationAsset, turnover, trades = [] } = plan ?? {}
  const legs = plan?.legs.map(({ reason: _reason, spreadCost: _cost, isCanary: _first, payee, ...leg }) => {
    return { ...leg, ...(payee && { payee: { ...payee, alias: undefined, reference: undefined } }) }
  })
  const ways = trades.map(({ gives, brings, way }) => [gives, brings, ...way.markets].join(' ')).sort()
  legs?.sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))
  return hashOf({ policy, policyHash: hashOf(of), kind, valuationAsset, turnover, guardsHash, expiresAt, legs, ways })
}
const nameOf = (by) => by.slice(by.lastIndexOf('/') + 1).replace(/ \(not verified\)$/, '') // the mark is not part of the name
/** Whether enough people for its policy approved it, in time. Without an approval no decision may be recorded. */
function isApproved({ runId, policy, plan, asPlanned, phases, notAfter, approval }, record) {
  if (approval === undefined) return record(`D#${runId}#any`) === undefined
  const { twoAbove = plan.turnover, requesterMayApprove: own } = asPlanned.approval ?? {}
  const words = record(`D#${runId}#${approval.planHash}`)?.words ?? []
  const people = new Set(words.map(({ by }) => nameOf(by.toLowerCase())))
  const isForTwo = words.some(({ secondBecause }) => secondBecause) || decimal(plan.turnover) > decimal(twoAbove)
  const more = (own === false && record(`Q#${runId}`)?.kind === 'event') + isForTwo
  const isYes = people.size > more && words.every(({ decision }) => decision === 'approved')
  const isLate = Date.parse(notAfter) > Date.parse(approval.expiresAt) + asPlanned.runLifeSeconds * 1000
  return phases.length === 0 || (isYes && !isLate && plan.policy === policy)
}
/** A leg of a later phase that was planned again gives up at most the approved amount, and is otherwise the same. */
function isWithin({ kind, request }, { kind: of, phase, request: approved } = {}, { legs }) {
  const mayDiffer = legs.every((leg) => leg.phase >= phase) ? {} : { amount: '', plannedRate: '' }
  const isAlike = kind === of && hashOf({ ...request, ...mayDiffer }) === hashOf({ ...approved, ...mayDiffer })
  return isAlike && decimal(request.amount) <= decimal((kind === 'withdraw' ? approved.most : approved.amount) ?? '0')
}
const ZERO = 'certified zero'
const VERDICTS = { DONE: 'one movement', REJECTED: ZERO, EXHAUSTED: ZERO, ESCALATED: 'halt with evidence' }
function judge(parts) {
  const record = (key) => parts.get(`record ${key}`)?.record
  const { kind, id, from } = parts.get('about')
  const found = []
  const find = (about, code) => found.push({ about, code })
  for (const [name, { record: stored }] of [...parts].filter(([each]) => each.startsWith('record '))) {
    if (name !== `record ${stored.pk}`) refuse(name, 'it holds another record')
    if (!isWhole(stored)) find(stored.pk, 'record_broken')
  }
  if (![null, record('A#account')?.account ?? from.account].includes(from.account)) find('A#account', 'another_account')
  const run = kind === 'run' ? (record(`R#${id}`) ?? refuse(`R#${id}`, 'the record is missing')) : undefined
  const movements = (run ? run.phases.flatMap(({ legs }) => legs) : [{ intentId: id }]).map(movement)
  const named = movements.map(({ kind: of, movementId }) => movementId && `${of} ${movementId}`)
  for (const name of [...parts.keys()].filter((each) => each.startsWith('record I#')))
    if (!movements.some(({ pk }) => name === `record ${pk}`)) find(name.slice(7), 'leg_differs')
  for (const [nth, name] of named.entries())
    if (name && named.indexOf(name) < nth) find(movements[nth].pk, 'movement_shared')
  if (run && hashOf({ ...run.request, trigger: undefined }) !== run.requestHash) find(`R#${id}`, 'request_differs')
  if (run && !isApproved(run, record)) find(`R#${id}`, 'not_approved')
  if (run?.approval && approvedHash(run) !== run.approval.planHash) find(`R#${id}`, 'plan_differs')
  return { from, movements, contradictions: found }
  function movement({ intentId, key, leg }, nth, legs) {
    if (nth >= 2200 || legs.findIndex((each) => each.intentId === intentId) < nth) refuse(`R#${id}`, 'its legs')
    const shown = run?.plan?.legs.find((each) => each.key === key)
    const planned = leg ?? shown
    const pk = `I#${planned?.kind ?? kind}#${intentId}`
    const intent = record(pk) ?? (key === undefined ? refuse(pk, 'the record is missing') : undefined)
    const ref = intent?.state === 'DONE' ? intent.ref : undefined
    const { outcome, conversion, withdrawal: paid } = run?.results[intentId] ?? {}
    const reported = { FILLED: conversion?.orderId, COMPLETED: paid?.withdrawalId }[outcome] ?? ref
    if (reported !== ref) find(pk, 'claim_missing')
    if (intent === undefined) return { intentId, verdict: 'not begun', isShown: true }
    if (pk.length > 100 || pk !== `I#${intent.kind}#${intent.intentId}`) refuse(pk, 'it holds another intent')
    const { state, attempt, params, paramsHash, frozen, resolution, why } = intent
    if (run) {
      const asked = { ...planned.request, policy: run.policy, run: id, notAfter: run.notAfter }
      const isOwn = sha256(shown?.once ?? `${id}\n${key}`).slice(0, 40) === intentId && hashOf(asked) === paramsHash
      if (!isOwn || (run.approval && leg && !isWithin(leg, shown, run.plan))) find(pk, 'leg_differs')
    }
    if (hashOf(params) !== paramsHash) find(pk, 'request_differs')
    else if ((attempt || ['READY', 'ARMED'].includes(state)) && !follows(intent)) find(pk, 'terms_differ')
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
    if (service) (intent.kind === 'convert' ? order : withdrawal)(service)
    return { pk, intentId, kind: intent.kind, verdict, movementId: ref, isShown: service && !service.leftOut }
    function order({ orders = [], fills = [], ledger }) {
      if (orders.some((each) => each.row !== null && each.id !== ref)) find(pk, 'another_movement')
      if (isZero && attempt && !orders.some((each) => each.id === orderId)) find(pk, 'not_looked_for')
      const row = orders.find((each) => each.id === ref)?.row
      if (!row) return ref && find(pk, 'movement_missing')
      const isAsked = attempt && [
        namesOf(baseAsset).some((base) => namesOf(quoteAsset).some((quote) => isSame(`${base}-${quote}`, row.market))),
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
      if (!ref || !row) return ref && find(pk, 'movement_missing')
      const isSent = isOneOf(amount ?? null, [feeMode === 'add' ? row.amount : row.total])
      const isAsked = attempt && isSent && isNamed(row.assetSymbol, frozen) && row.networkId === networkId
      if (row.id !== ref || !isAsked || old.has(row.id) || !subTypes.includes(row.subType)) find(pk, 'movement_differs')
      const isOfIt = ledger.every((is) => is.source?.id === ref && isOneOf(is.amount, [row.amount, row.fee, row.total]))
      const isBooked = row.status !== 'COMPLETED' || ledger.length > 0
      if (sum([row.amount, row.fee]) !== decimal(row.total) || !isOfIt || !isBooked) find(pk, 'figures_differ')
    }
  }
}
const lineOf = ({ intentId, kind, verdict, movementId }) => JSON.stringify([intentId, kind, verdict, movementId])
const summary = (of) => [text(of.from), ...of.movements.map(lineOf), ...of.contradictions.map(text).sort()].join()
try {
  const is = statSync(file ?? '') // a device has no size, and may block its reader for ever
  if (!is.isFile() || !is.size || is.size > 2 ** 25) refuse('the file', 'it is none, it is empty, or it is too large')
  const { parts, thumbprint } = open(readFileSync(file))
  if (pinned !== undefined && pinned !== thumbprint) refuse('the signature', `it is of the key ${thumbprint}`)
  const judged = judge(parts)
  if (summary(parts.get('statement').statement) !== summary(judged)) refuse('statement', 'the evidence says other')
  for (const each of ['money', 'service', 'account', 'stage', 'environment']) console.log(each, text(judged.from[each]))
  for (const { intentId, verdict, movementId = '', isShown } of judged.movements)
    console.log(text([intentId, verdict, movementId, ...(isShown ? [] : ['not all of it is shown'])]))
  for (const { about, code } of judged.contradictions) console.log(`does not tie out: ${text([about, code])}`)
  console.log(`signed by ${thumbprint}${pinned ? '' : ': hold it against the thumbprint that was published'}`)
  process.exitCode = judged.contradictions.length > 0 ? 5 : pinned ? 0 : 6
} catch (error) {
  console.error(`error: ${JSON.stringify(error.message).slice(1, -1).slice(0, 600)}`)
  process.exitCode = 1
}

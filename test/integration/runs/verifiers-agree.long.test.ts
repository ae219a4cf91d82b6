// Gives both programs that check proofs an approved run of each kind of policy, and single movements. Every field of every part
// is changed, one at a time, by somebody who can also write the chains and the statement. The programs share lists and no code.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { runRequest } from '../../../core/contract/runs.ts'
import { chained } from '../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { hashParams } from '../../../core/params-hash.ts'
import { PLAN_HASH } from '../../../core/planning/plan-hash.ts'
import { legIntentId } from '../../../core/runs/record/run-record.ts'
import { collectParts, type Proven } from '../../../operations/proof/collect.ts'
import type { Part } from '../../../operations/proof/pack-file.ts'
import { evidenceIn } from '../../../operations/proof/proof-parts.ts'
import { type Statement, statementOf } from '../../../operations/proof/statement.ts'
import { VERIFIER_FILE, verifierText } from '../../../operations/proof/write-verifier.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { spokenRequest } from '../../helpers/spoken-request.ts'
import { FROM } from '../../unit/cli/proof/from.ts'
import { createRunner } from './runner.ts'
import { useSandbox } from './sandbox.ts'

const APPROVAL = { above: '0', twoAbove: '1', approvers: ['ad*', '*/Bob'], requesterMayApprove: false }
const AT = '2026-01-01T00:00:00.000Z'

const service = useSandbox({}, 'file')
const { control, contactId } = service
let judge: (parts: ReadonlyMap<string, Part>) => Statement
beforeAll(async () => {
  const [rules] = readFileSync(VERIFIER_FILE, 'utf8').split('// --- The command.')
  const source = `data:text/javascript,${encodeURIComponent(`${rules}\nexport { judge }`)}`
  judge = (await import(/* @vite-ignore */ source)).judge
})

test('the verifier has the lists of this release: `node operations/proof/write-verifier.ts` writes them', () => {
  expect(readFileSync(VERIFIER_FILE, 'utf8') === verifierText()).toBe(true)
})

const bank = () => contactId('house-bank-eur')

const KINDS: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
  rebalance: () => ({ weights: { BTC: '0.4', ETH: '0.3', USD: '0.3' }, hubs: ['USD'] }),
  fund: () => ({ asset: 'CHF', atLeast: '1000', target: '1200', from: [{ asset: 'EUR' }], hubs: ['USD'] }),
  'convert-on-arrival': () => ({ asset: 'USDT', into: 'USD', keep: { target: '1000', trigger: '2000' } }),
  sweep: () => ({
    rules: [
      { assets: ['SOL'], keep: { target: '100' }, convertInto: 'USDC', contactId: contactId('cold-usdc-polygon') },
      { assets: ['EUR'], keep: { target: '70000' }, contactId: bank() },
    ],
  }),
  'convert-and-withdraw': () => ({ from: 'ETH', into: 'USD', amount: '2', contactId: contactId('house-bank-usd') }),
  payouts: () => ({ assets: ['EUR'] }),
}
const ROWS = () => [{ id: 'r-1', contactId: bank(), asset: 'EUR', amount: '25', reference: 'may' }]

/** The parts of an approved run that has settled, and of the movements of its legs. */
async function proofsOf(kind: string): Promise<ReadonlyMap<string, ReadonlyMap<string, Part>>> {
  const policies = { daily: { kind, approval: APPROVAL, ...KINDS[kind]?.() } }
  const runner = createRunner(service.client, policies, () => control('/clock', { advanceMs: 6_000 }))
  const machine = ['rebalance', 'fund', 'convert-on-arrival'].includes(kind) ? 'rebalance' : 'sweep'
  const request = runRequest.parse({ policy: 'daily', ...(kind === 'payouts' && { rows: ROWS() }) })
  const settle = async (runId: string) => {
    const by = kind === 'payouts' ? ({ kind: 'file', by: 'may.csv', at: AT } as const) : undefined
    await runner.requesters.record(runId, by ?? { kind: 'person', by: 'cleo', at: AT }, request)
    expect(await runner.run(machine, runId, request)).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    for (const each of ['ada (not verified)', 'arn:aws:sts::1:assumed-role/it/Bob', ...(by ? ['ad/adi'] : [])])
      await runner.approve(runId, each)
    const report = await runner.run(machine, runId, request, 2)
    expect(report).toMatchObject({ outcome: 'SETTLED' })
    return 'plan' in report ? (report.plan?.legs ?? []) : []
  }
  if (kind === 'sweep') {
    // Then the second run pays a contact that was renamed since it was last paid.
    await settle('first')
    await service.client.renameContact(bank(), { alias: 'Our landlord', reference: 'landlord' })
    await control('/balance', { assetSymbol: 'EUR', balance: '90000' })
    await control('/balance', { assetSymbol: 'SOL', balance: '150' })
  }
  const legs = await settle('run-1')
  const readStored = async (pk: string) => {
    const record = await runner.store.read(pk)
    return record && chained(record, record.version > 1 ? `${record.version - 1}.${'a'.repeat(43)}` : undefined)
  }
  const sources = {
    readStored,
    histories: async () => ({ histories: [] }),
    service: service.client,
    decisionKey,
    from: FROM,
  }
  const proven: Proven[] = [
    { kind: 'run', id: 'run-1' },
    ...legs.map((leg) => ({ kind: leg.kind, id: legIntentId('run-1', leg) })),
  ]
  const proofs = new Map<string, ReadonlyMap<string, Part>>()
  for (const each of proven) {
    const parts: Part[] = JSON.parse(JSON.stringify(await collectParts(each, sources)))
    proofs.set(each.kind, new Map(parts.map((part) => [part.part, part])))
  }
  return proofs
}

interface Judged {
  readonly statement?: Statement
  readonly hash: string
  readonly refused?: string
}

function judged(by: () => Statement): Judged {
  try {
    const statement: Statement = JSON.parse(JSON.stringify(by()))
    return { statement, hash: hashParams(statement) }
  } catch (error) {
    return { hash: 'refused', refused: error instanceof Error ? error.message : '' }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: parts of JSON, changed freely.
type Loose = any

/** Every place of a part, with one entry of each list. */
function* placesOf(value: Loose, at: readonly string[] = []): Generator<readonly string[]> {
  if (at.length > 0) yield at
  if (Array.isArray(value) ? value.length === 0 : Object(value) !== value) return
  for (const key of Array.isArray(value) ? ['0'] : Object.keys(value)) yield* placesOf(value[key], [...at, key])
}

const ISO_TIME = /^[-\d]{10}T[\d:.]+Z$/

/** Undefined: the change does not apply to the value. */
const CHANGES: Readonly<Record<string, (value: Loose) => Loose>> = {
  other: (value) => {
    if (typeof value === 'number') return value + 1
    if (typeof value === 'boolean') return !value
    if (typeof value !== 'string') return value === null ? 'x' : undefined
    if (ISO_TIME.test(value)) return new Date(Date.parse(value) + 90_000_000).toISOString()
    return /^\d+(\.\d+)?$/.test(value) ? `1${value}` : `${value}x`
  },
  'of another type': (value) => (typeof value === 'number' ? 'x' : 1),
  twice: (value) => (Array.isArray(value) ? [...value, ...value] : undefined),
}
const REMOVED = 'taken out'

/** By somebody who can write the journal, so its record has a chain of its own. */
function changedAt(part: Part, at: readonly string[], change: string): Part | undefined {
  const copy: Loose = structuredClone(part)
  const holder = at.slice(0, -1).reduce((inner, key) => inner[key], copy)
  const last = at.at(-1) ?? ''
  if (change !== REMOVED) {
    const value = CHANGES[change]?.(holder[last])
    if (value === undefined) return undefined
    holder[last] = value
  } else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  if (at[0] === 'record' && at.length > 1 && !['chain', 'before'].includes(at[1] ?? ''))
    copy.record = chained(copy.record as StoredRecord, copy.record.before)
  return copy
}

const [REFUSED, SHOWN, SILENT] = ['refused or contradicted', 'shown in the statement', 'silent'] as const

/** The fields that an approval rests on, and those from which a movement follows. No change of it is accepted, whoever signs. */
const DECIDES = [
  `run: record R#/record/plan/(${PLAN_HASH.plan.join('|')}) other`,
  `run: record R#/record/plan/legs/0/(${[...PLAN_HASH.leg, ...PLAN_HASH.convert, ...PLAN_HASH.withdraw].join('|')}|payee/(?!alias|reference|paidAs).*|request/.*) other`,
  'run: record R#/record/(plan|plan/legs|approval|phases|asPlanned/approval|guardsHash) taken out',
  'run: record R#/record/(asPlanned/(?!rows|was).*|guardsHash|notAfter|policy|request/.*|requestHash|approval/(planHash|expiresAt)) other',
  'run: record (D|N|Q)#/record taken out',
  'run: record D#/record/words/0/(decision|by|because|at|spoken|signed) (other|taken out)',
  'run: record N#/record/(pk|by|at|asked) (other|taken out)',
  '\\w+: record I#/record/(params/.*|paramsHash|notAfter|attempt/(bodySha256|orderId)|ref|kind|intentId) (other|taken out)',
  '\\w+: record I#/record/frozen/(amount|assetSymbol|contactId|feeMode|networkId|total|increment|subTypes/0|payee/contactId|payee/type|baseAsset/assetSymbol) other',
  'run: record I#/record/frozen/payee/(?!alias|reference).* other',
  '\\w+: service/(orders/0/(id|row/(?!createdAt|multiplier|onCredit|rate|status).*)|fills/0/(id|baseAmount|quoteAmount)) other',
  '\\w+: service/withdrawal/(id|amount|fee|total|subType|networkId|assetSymbol) other',
].map((each) => new RegExp(`^${each}$`))

/** With a second approval where it is wanted, and without what only people wrote. */
const ARRANGED: Readonly<Record<string, (parts: Map<string, Loose>) => void>> = {
  'one approval, and more are needed': (parts) => withWords(parts, (words) => words.slice(0, 1)),
  'the requester is among those who approve': (parts) =>
    withWords(parts, ([first]) => [first, { ...first, by: 'x/Cleo' }]),
  'a person who may not approve is among them': (parts) =>
    withWords(parts, ([first]) => [first, { ...first, by: 'eve' }]),
  'somebody said no first': (parts) => withWords(parts, (words) => [{ ...words[0], decision: 'rejected' }, ...words]),
  'nobody is recorded as its requester': (parts) => parts.delete('record Q#run-1'),
  'the requests for its decisions were taken out': (parts) => {
    for (const name of [...parts.keys()]) if (name.startsWith('record N#')) parts.delete(name)
  },
  'its approval and all decisions were taken out': (parts) => {
    for (const name of [...parts.keys()]) if (name.startsWith('record D#')) parts.delete(name)
    const part = changedAt(parts.get('record R#run-1'), ['record', 'approval'], REMOVED)
    if (part) parts.set(part.part, part)
  },
}

/** Changes the decisions. Each then has a request of its own that is exactly for it. */
function withWords(parts: Map<string, Loose>, change: (words: readonly Loose[]) => readonly Loose[]): void {
  for (const [name, { record }] of [...parts]) {
    if (record?.words === undefined) continue
    const planHash = record.pk.split('#').at(-1) ?? ''
    const spoken = change(record.words).map((word, nth) =>
      spokenRequest(word, { run: 'run-1', planHash }, `said-${nth}`),
    )
    const words = spoken.map(({ word }) => word)
    for (const { request } of spoken)
      parts.set(`record ${request.pk}`, { part: `record ${request.pk}`, record: chained(request, undefined) })
    parts.set(name, { part: name, record: chained({ ...record, words }, record.before) })
  }
}

describe.each(Object.keys(KINDS))('an approved run of the kind %s, and its movements', (kind) => {
  const ends = new Map<string, string>()
  const disagreements: string[] = []

  function bothSay(parts: ReadonlyMap<string, Part>, what: string): Judged {
    const [product, verifier] = [judged(() => statementOf(evidenceIn(parts))), judged(() => judge(parts))]
    const [left, right] = [product, verifier].map(({ statement }) => statement?.contradictions)
    // A part that is not of its form is refused by one of them, and may contradict itself for the other.
    const isRefused = left === undefined || right === undefined
    const isSame = isRefused ? left?.length !== 0 && right?.length !== 0 : product.hash === verifier.hash
    const [said, saidToo] = [product, verifier].map(({ refused, statement }) => refused ?? JSON.stringify(statement))
    if (!isSame) disagreements.push(`${what}: ${said}, ${saidToo}`)
    const isAccepted = left?.length === 0
    ends.set(what, !isAccepted ? REFUSED : product.hash === ends.get('hash') ? SILENT : SHOWN)
    return product
  }

  beforeAll(async () => {
    for (const [proven, parts] of await proofsOf(kind)) {
      const whole = bothSay(parts, proven)
      expect(whole).toMatchObject({ statement: { contradictions: [] } })
      ends.set('hash', whole.hash)
      if (proven === 'run')
        for (const [what, arrange] of Object.entries(ARRANGED)) {
          const arranged = new Map(parts)
          arrange(arranged)
          bothSay(arranged, what)
        }
      for (const [name, part] of parts)
        for (const at of placesOf(part))
          for (const change of [...Object.keys(CHANGES), REMOVED]) {
            const changed = changedAt(part, at, change)
            const where = `${proven}: ${name.replace(/^(\w+ \w#)?.*$/, '$1') || name.split(' ')[0]}/${at.join('/')} ${change}`
            if (changed !== undefined) bothSay(new Map([...parts, [name, changed]]), where)
          }
    }
  })

  test('both programs say the same, whatever field is changed', () => {
    expect(disagreements).toEqual([])
    expect(ends.size).toBeGreaterThan(1_000)
  })

  test('no change of what decides is accepted', () => {
    const accepted = [...ends].filter(([where, end]) => end !== REFUSED && DECIDES.some((each) => each.test(where)))
    expect(accepted).toEqual([])
    expect([...ends].filter(([where]) => DECIDES.some((each) => each.test(where))).length).toBeGreaterThan(50)
  })

  test.each(Object.keys(ARRANGED))('a run is refused where %s', (what) => {
    expect(ends.get(what)).toBe(REFUSED)
  })
})

// The observer finds each fault that it looks for, in small books with one fault each.
import { describe, expect, test } from 'vitest'
import type { PlanLeg } from '../../../../core/contract/plan.ts'
import { IntentKind } from '../../../../core/contract/records.ts'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import type { LedgerEntry } from '../books.ts'
import type { Evidence, Movement, RunEvidence, Whose } from '../evidence.ts'
import { fileOf } from '../worlds/base.ts'
import { observe } from './observer.ts'

const OPENED_MS = Date.UTC(2026, 0, 5)
const HOUR_MS = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
const OUT = {
  out: { kind: 'sweep', rules: [{ assets: ['USDC'], contactId: 'cold', keep: { target: '1000' } }] },
}
const SOLD = { sold: { kind: 'convert-on-arrival', asset: 'BTC', into: 'USD', keep: { target: '1' } } }

const MIDS = { 'BTC-USD': '60000', 'USDC-USD': '1' }

interface Sent {
  readonly policy?: string
  readonly run?: string
  readonly atMs?: number
  readonly from: readonly [asset: string, amount: number]
  /** The result of a conversion. Absent for a withdrawal. */
  readonly to?: readonly [asset: string, amount: number]
  readonly contactId?: string
}

/**
 * Books of an account that held `opening`, and sent. Each send was planned within a second, ending a second before it.
 */
function booksOf(file: object, opening: Readonly<Record<string, number>>, sents: readonly Sent[]): Evidence {
  const ledger: LedgerEntry[] = Object.entries(opening).map(([asset, amount]) => ({
    ...{ asset, from: 'opening', to: 'available', amount: String(amount), at: iso(OPENED_MS) },
    source: { type: 'opening', id: 'opening' },
  }))
  const movements: Movement[] = []
  const whose = new Map<string, Whose>()
  const runs: RunEvidence[] = []
  for (const [index, sent] of sents.entries()) {
    const { policy = 'out', run = `run-${index}`, atMs = OPENED_MS + HOUR_MS, from, to, contactId = 'cold' } = sent
    const [id, at] = [`m-${index}`, iso(atMs)]
    const [amount, source] = [String(from[1]), { type: to ? 'fill' : 'withdrawal', id }]
    const about = { at, source, ...(to && { orderId: id }) }
    ledger.push({ ...about, asset: from[0], from: 'available', to: to ? 'dealer' : 'transit', amount })
    if (to) ledger.push({ ...about, asset: to[0], from: 'dealer', to: 'available', amount: String(to[1]) })
    const common = { id, nonce: id, at, status: 'DONE' }
    const order = { side: 'SELL', market: `${from[0]}-${to?.[0]}`, baseAmount: amount, quoteAmount: String(to?.[1]) }
    movements.push({
      ...common,
      ...(to ? { kind: 'order', ...order } : { kind: 'withdrawal', contactId, amount, total: amount }),
    })
    whose.set(id, { policy, run, beganMs: atMs - 1_000 })
    const planned = { fromMs: atMs - 2_000, toMs: atMs - 1_000 }
    runs.push(runOf({ name: run, policy, startedAt: iso(atMs - 3_000), plannings: [planned] }))
  }
  const treasury = parseTreasury(JSON.stringify(file))
  return {
    ...{ seed: 'small books', contacts: { cold: 'cold', supplier: 'supplier' }, refusals: [], auditFindings: [] },
    ...{
      duplicates: 0,
      deadLetters: [],
      intents: [],
      claims: new Map(),
      approvals: [],
      withdrawals: [],
      payouts: [],
      runs,
      whose,
    },
    files: [{ atMs: OPENED_MS, treasury, renamed: {} }],
    deeds: Object.entries(MIDS).map(([market, mid]) => ({ atMs: OPENED_MS, path: '/price', body: { market, mid } })),
    oracle: { movements, ledger, invariants: { violations: [] }, requests: [], requestsTotal: 0 },
  }
}

function runOf(run: Partial<RunEvidence>): RunEvidence {
  const about = { name: 'run', status: 'SUCCEEDED', outcome: 'SETTLED', policy: 'out', trigger: undefined }
  return { ...about, report: undefined, startedAt: iso(OPENED_MS), plannings: [], ...run }
}

const withdrawn = (amount: number, atMs: number): Sent => ({ from: ['USDC', amount], atMs })

test('correct books have no findings', () => {
  const guards = { total: { largest: '3000', daily: '3000' }, allowedContacts: ['cold'], worstSlippageBps: 50 }
  expect(observe(booksOf(fileOf(OUT, guards), { USDC: 5_000 }, [withdrawn(2_990, OPENED_MS + HOUR_MS)]))).toEqual([])
  const sale: Sent = { policy: 'sold', from: ['BTC', 0.5], to: ['USD', 29_900] }
  expect(observe(booksOf(fileOf(SOLD, { worstSlippageBps: 50 }), { BTC: 2 }, [sale]))).toEqual([])
})

test('amounts that leave on two days count on each day alone', () => {
  const file = fileOf(OUT, { total: { daily: '1000' } })
  const sents = [withdrawn(999, OPENED_MS + 23 * HOUR_MS), withdrawn(999, OPENED_MS + 25 * HOUR_MS)]
  expect(observe(booksOf(file, { USDC: 5_000 }, sents))).toEqual([])
})

describe('the observer reports', () => {
  test.each<[string, Evidence, RegExp]>([
    [
      'a balance below the amount to keep',
      booksOf(fileOf(OUT), { USDC: 1_500 }, [withdrawn(600, OPENED_MS + HOUR_MS)]),
      /^floor: .* left 900 USDC, and 1000 is to stay/,
    ],
    [
      'a conversion at a worse price than when it was planned',
      booksOf(fileOf(SOLD, { worstSlippageBps: 50 }), { BTC: 2 }, [
        { policy: 'sold', from: ['BTC', 0.5], to: ['USD', 29_000] },
      ]),
      /^price: .* sold at 58000.0000, .* when it was planned; 50 are allowed/,
    ],
    [
      'a movement beyond the largest',
      booksOf(fileOf(OUT, { total: { largest: '400' } }), { USDC: 5_000 }, [withdrawn(500, OPENED_MS + HOUR_MS)]),
      /^largest: .* spent 500 USD, and guards.total.largest is 400/,
    ],
    [
      'two of one day beyond its bound',
      booksOf(fileOf(OUT, { dailyOutflow: { USDC: '1000' } }), { USDC: 5_000 }, [
        withdrawn(999, OPENED_MS + 24 * HOUR_MS + 1),
        withdrawn(999, OPENED_MS + 25 * HOUR_MS),
      ]),
      /^daily: .* 1998 USDC left on one day, and guards.dailyOutflow.USDC.daily is 1000/,
    ],
    [
      'a payee that the policy does not have',
      booksOf(fileOf(OUT), { USDC: 5_000 }, [{ from: ['USDC', 500], contactId: 'somebody' }]),
      /^payee: .* went to somebody, which is no contact of the policy/,
    ],
    [
      'a send in quiet hours',
      booksOf(fileOf(OUT, { quietHours: [{ from: '23:00', to: '02:00' }] }), { USDC: 5_000 }, [
        withdrawn(500, OPENED_MS + HOUR_MS),
      ]),
      /^quiet: .* went in quiet hours/,
    ],
    [
      'a movement of a policy that names no asset of the service',
      booksOf(fileOf({ typo: { kind: 'rebalance', weights: { BTC: '0.3', BTCC: '0.2', USD: '0.5' } } }), { BTC: 2 }, [
        { policy: 'typo', from: ['BTC', 0.5], to: ['USD', 29_900] },
      ]),
      /^name: .* BTCC of its policy is no asset of the service/,
    ],
    [
      'what nobody was asked about, in parts',
      booksOf(fileOf({ out: { ...OUT.out, approval: { above: '1000' } } }), { USDC: 9_000 }, [
        withdrawn(900, OPENED_MS + HOUR_MS),
        withdrawn(900, OPENED_MS + 2 * HOUR_MS),
      ]),
      /^unasked: .* 1800 went on one day without approval/,
    ],
  ])('%s', (_name, evidence, finding) => {
    const found = observe(evidence)
    expect(found).toContainEqual(expect.stringMatching(finding))
    // Nothing else is wrong with it.
    expect(new Set(found.map((one) => one.split(':', 1)[0])).size).toBe(1)
  })

  test('a contact that was changed between the plan and the send', () => {
    const evidence = booksOf(fileOf(OUT), { USDC: 5_000 }, [withdrawn(500, OPENED_MS + HOUR_MS)])
    const edited = { atMs: OPENED_MS + HOUR_MS - 1_000, path: '/contacts/cold', body: { alias: 'Moved' } }
    expect(observe({ ...evidence, deeds: [...evidence.deeds, edited] })).toEqual([
      expect.stringMatching(/^payee: .* was changed after the plan and before the send/),
    ])
  })

  test('more than was approved, and at a worse rate', () => {
    const sale: Sent = { policy: 'sold', run: 'asked', from: ['BTC', 0.5], to: ['USD', 30_000] }
    const evidence = booksOf(fileOf({ sold: { ...SOLD.sold, approval: { above: '1' } } }), { BTC: 2 }, [sale])
    const gives = { asset: 'BTC', amount: '0.25' }
    const leg = { kind: IntentKind.Convert, gives, brings: { asset: 'USD', amount: '20000' }, indicativeRate: '80000' }
    const approved = { atMs: OPENED_MS, by: 'ana', run: 'asked', policy: 'sold', legs: [leg as unknown as PlanLeg] }
    expect(observe({ ...evidence, approvals: [approved] })).toEqual([
      expect.stringMatching(/^approval: with .* 0.5 BTC were spent, and 0.25\d+ approved/),
      expect.stringMatching(/^approval: .* went at 60000, and 80000 was approved/),
    ])
  })

  test('an amount that one person approved in parts, unless another person saw it too', () => {
    const parts = { ...OUT.out, approval: { above: '100', twoAbove: '1000' } }
    const sents = ['one', 'two'].map((run) => ({ ...withdrawn(600, OPENED_MS + HOUR_MS), run }))
    const evidence = booksOf(fileOf({ out: parts }), { USDC: 9_000 }, sents)
    const leg = { kind: IntentKind.Withdraw, assetSymbol: 'USDC', contactId: 'cold', total: '600', value: '600' }
    const approvedBy = (by: string, run: string) => ({
      ...{ atMs: OPENED_MS, by, run, policy: 'out', legs: [leg as unknown as PlanLeg] },
    })
    const alone = [approvedBy('ana', 'one'), approvedBy('ana', 'two')]
    expect(observe({ ...evidence, approvals: alone })).toEqual([
      expect.stringMatching(/^alone: with run two of out, ana alone approved 1200 in a day, and above 1000 two must/),
    ])
    expect(observe({ ...evidence, approvals: [...alone, approvedBy('bob', 'one')] })).toEqual([])
  })

  test('a renamed policy that uses the budget of a day twice', () => {
    const guarded = { ...OUT.out, guards: { total: { daily: '1000' } } }
    const sents = [withdrawn(900, OPENED_MS + HOUR_MS), { ...withdrawn(900, OPENED_MS + 3 * HOUR_MS), policy: 'other' }]
    const evidence = booksOf(fileOf({ out: guarded }), { USDC: 5_000 }, sents)
    const treasury = parseTreasury(JSON.stringify(fileOf({ other: guarded })))
    const renamed = { atMs: OPENED_MS + 2 * HOUR_MS, treasury, renamed: { other: 'out' } }
    expect(observe({ ...evidence, files: [...evidence.files, renamed] })).toEqual([
      expect.stringMatching(/^daily: .* 1800 USD left on one day, and policies.out.guards.total.daily is 1000/),
    ])
  })

  test('a converted amount that was not sent on, and that no report mentions', () => {
    const file = fileOf({ out: { kind: 'convert-and-withdraw', from: 'BTC', into: 'USD', contactId: 'bank' } })
    const sale: Sent = { from: ['BTC', 0.5], to: ['USD', 29_900] }
    const evidence = booksOf(file, { BTC: 2 }, [sale])
    const withoutReason = { outcome: 'NOTHING_TO_DO', plan: { nonLegs: [], guards: [] } }
    const later = runOf({
      ...{ name: 'later', startedAt: iso(OPENED_MS + 5 * HOUR_MS) },
      report: withoutReason as unknown as NonNullable<RunEvidence['report']>,
    })
    expect(observe({ ...evidence, runs: [...evidence.runs, later] })).toEqual([
      expect.stringMatching(/^stranded: 29900 USD that run run-0 of out brought is still there/),
    ])
    const others = { asset: 'USD', source: { type: 'adjustment', id: 'theirs' } }
    const taken = { ...others, from: 'available', to: 'outside', amount: '29900', at: iso(OPENED_MS + 2 * HOUR_MS) }
    const theirs = { ...others, from: 'outside', to: 'available', amount: '100', at: iso(OPENED_MS + 3 * HOUR_MS) }
    const ledger = [...evidence.oracle.ledger, taken, theirs]
    expect(observe({ ...evidence, oracle: { ...evidence.oracle, ledger }, runs: [...evidence.runs, later] })).toEqual(
      [],
    )
    const withReason = { ...withoutReason, why: 'run-0 left 29900 USD that no withdrawal took' }
    const reporting = { ...later, report: withReason as unknown as NonNullable<RunEvidence['report']> }
    expect(observe({ ...evidence, runs: [...evidence.runs, reporting] })).toEqual([])
  })
})

describe('of payout files the observer reports', () => {
  const row = { id: 'June-1', contactId: 'ana', asset: 'USDC', amount: '100' }
  const asked = { above: '50' }
  const given = (run: string, ...rows: (typeof row)[]) => ({ atMs: OPENED_MS, run, policy: 'pay', rows })
  const paid = (amount: number, contactId = 'ana'): Sent => ({ policy: 'pay', from: ['USDC', amount], contactId })
  const evidenceOf = (policy: object, ...sents: Sent[]) =>
    booksOf(fileOf({ pay: { kind: 'payouts', assets: ['USDC'], ...policy } }), { USDC: 5_000 }, sents)

  test.each<[string, Evidence, Partial<Evidence>, RegExp | undefined]>([
    ['nothing where each row moved once', evidenceOf({}, paid(100)), { payouts: [given('one', row)] }, undefined],
    [
      'nothing of two rows with the same terms',
      evidenceOf({}, paid(100), paid(100)),
      { payouts: [given('one', row, { ...row, id: 'june-2' })] },
      undefined,
    ],
    [
      'a row that moved for each of two files',
      evidenceOf({}, paid(100), paid(100)),
      { payouts: [given('one', row), given('two', { ...row, id: 'JUNE-1' })] },
      /^payout: .* moved 2 times, for june-1$/,
    ],
    [
      'a row that moved for two files, of which one has its id without zeros',
      evidenceOf({}, paid(100), paid(100)),
      { payouts: [given('one', { ...row, id: '0041' }), given('two', { ...row, id: '41' })] },
      /^payout: .* moved 2 times, for 41$/,
    ],
    [
      'a row that moved again under another id of another file',
      evidenceOf({}, paid(100), paid(100)),
      { payouts: [given('one', row), given('two', { ...row, id: 'june-2' })] },
      /^payout: .* again, under another id, and nobody had approved it$/,
    ],
    [
      'another amount',
      evidenceOf({}, paid(101)),
      { payouts: [given('one', row)] },
      /^payout: .* moved 101 USDC to ana, and no given file has such a row/,
    ],
    [
      'another payee',
      evidenceOf({}, paid(100, 'bob')),
      { payouts: [given('one', row)] },
      /^payout: .* moved 100 USDC to bob, and no given file has such a row/,
    ],
    [
      'a row that nobody approved',
      evidenceOf({ approval: asked }, paid(100)),
      { payouts: [given('one', row), given('two', { ...row, amount: '90' })] },
      /^payout: .* nobody had approved a file with it/,
    ],
  ])('%s', (_name, evidence, more, finding) => {
    const found = observe({ ...evidence, ...more }).filter((one) => one.startsWith('payout'))
    expect(found).toEqual(finding === undefined ? [] : [expect.stringMatching(finding)])
  })
})

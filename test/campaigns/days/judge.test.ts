// The judge of the days finds each fault that it looks for, in small books with one fault each.
import { describe, expect, test } from 'vitest'
import { IntentKind, IntentState } from '../../../core/contract/records.ts'
import type { LedgerEntry } from './books.ts'
import type { Evidence, MovedIntent, Movement, RunEvidence } from './evidence.ts'
import { judge } from './judge.ts'
import { START_MS, writeScript } from './script.ts'

const AT = new Date(START_MS + 3_600_000).toISOString()
const script = { ...writeScript(1, 1), roughDays: new Set<number>() }

interface Order {
  readonly policy: string
  readonly from: readonly [asset: string, amount: number]
  readonly to: readonly [asset: string, amount: number]
  readonly id?: string
}

/** Books of an account that held `opening` of each asset, and sold at the market `from-to`. */
function evidenceOf(opening: Readonly<Record<string, number>>, orders: readonly Order[]): Evidence {
  const ledger: LedgerEntry[] = Object.entries(opening).map(([asset, amount]) => ({
    ...{ asset, from: 'opening', to: 'available', amount: String(amount) },
    ...{ at: new Date(START_MS).toISOString(), source: { type: 'opening', id: 'opening' } },
  }))
  const movements: Movement[] = []
  const intents: MovedIntent[] = []
  for (const [index, { policy, from, to, id = `order-${index}` }] of orders.entries()) {
    const about = { at: AT, orderId: id, source: { type: 'fill', id: `fill-${index}` } }
    ledger.push(
      { ...about, asset: from[0], from: 'available', to: 'dealer', amount: String(from[1]) },
      { ...about, asset: to[0], from: 'dealer', to: 'available', amount: String(to[1]) },
    )
    const amounts = { baseAmount: String(from[1]), quoteAmount: String(to[1]) }
    movements.push({ kind: 'order', id, nonce: id, side: 'SELL', status: 'FILLED', at: AT, ...amounts })
    const params = { policy, run: 'run', baseAsset: from[0], quoteAsset: to[0], side: 'SELL' }
    const attempt = { nonce: id, terms: amounts }
    const intent = { intentId: `of ${id}`, kind: IntentKind.Convert, state: IntentState.Done, ref: id, attempt }
    intents.push({ ...intent, params, frozen: { amount: amounts.baseAmount } } as unknown as MovedIntent)
  }
  return {
    ...{ contacts: { cold: 'cold', supplier: 'supplier' }, auditFindings: [], deadLetters: [], duplicates: 0 },
    ...{
      seed: 'small books',
      files: [],
      refusals: [],
      deeds: [],
      approvals: [],
      withdrawals: [],
      payouts: [],
      whose: new Map(),
    },
    ...{
      oracle: { movements, ledger, invariants: { violations: [] }, requests: [], requestsTotal: 0 },
      intents,
      runs: [],
    },
    claims: new Map(movements.map(({ id }) => [id, `of ${id}`])),
  }
}

function runOf(run: Partial<RunEvidence>): RunEvidence {
  const trigger = { by: 'schedule', id: AT }
  const about = {
    name: 'run',
    status: 'SUCCEEDED',
    outcome: 'SETTLED',
    policy: 'euros',
    report: undefined,
    plannings: [],
  }
  return { ...about, trigger, startedAt: AT, ...run }
}

/** No day is over, so no start was due. */
const verdictOf = (evidence: Partial<Evidence>) => judge({ ...evidenceOf({}, []), ...evidence }, script, 0)

test('correct books have no findings', () => {
  const sold = { policy: 'balanced', from: ['BTC', 0.1], to: ['USD', 6_700] } as const
  expect(verdictOf(evidenceOf({ BTC: 1 }, [sold]))).toEqual([])
})

test('the returned part of a failed order counts as no turnover', () => {
  const sold = { policy: 'balanced', from: ['BTC', 1], to: ['USD', 67_000] } as const
  const evidence = evidenceOf({ BTC: 3 }, [sold])
  const back = { asset: 'BTC', from: 'frozen', to: 'available', amount: '0.5', at: AT, orderId: 'order-0' }
  const ledger = [...evidence.oracle.ledger, { ...back, source: { type: 'order', id: 'order-0' } }]
  expect(verdictOf({ ...evidence, oracle: { ...evidence.oracle, ledger } })).toEqual([])
})

test('after a canary that failed and came back, another is sent', () => {
  const canary = { policy: 'to-cold', from: ['USDC', 1.1], to: ['USD', 0] } as const
  const evidence = evidenceOf({ USDC: 50_000 }, [canary, canary])
  expect(verdictOf(evidence)).toContain('2 canaries went to one contact')
  const back = { asset: 'USDC', from: 'frozen', to: 'available', amount: '1.1', at: AT, orderId: 'order-0' }
  const ledger = [...evidence.oracle.ledger, { ...back, source: { type: 'order', id: 'order-0' } }]
  expect(verdictOf({ ...evidence, oracle: { ...evidence.oracle, ledger } }).join()).not.toMatch(/canar|too small/)
})

describe('the judge reports', () => {
  test.each<[string, Evidence, RegExp]>([
    [
      'what takes more than the policy may',
      evidenceOf({ EUR: 6_000 }, [{ policy: 'euros', from: ['EUR', 2_000], to: ['USDC', 2_100] }]),
      /^euros left 4000 EUR, less than 5000/,
    ],
    [
      'a movement too small to be worth it',
      evidenceOf({ USDC: 50_000 }, [{ policy: 'float', from: ['USDC', 3], to: ['USDT', 3] }]),
      /^float moved 3 USDC/,
    ],
    [
      'a turnover beyond the day’s',
      evidenceOf({ BTC: 3 }, [{ policy: 'balanced', from: ['BTC', 1], to: ['USD', 67_000] }]),
      /^balanced turned over 67250.00 USD on day 0/,
    ],
    [
      'what one policy does and another undoes',
      evidenceOf({ EUR: 20_000, USDC: 90_000 }, [
        { policy: 'euros', from: ['EUR', 1_000], to: ['USDC', 1_084] },
        { policy: 'payout', from: ['USDC', 900], to: ['EUR', 830] },
      ]),
      /^on day 0 euros turned EUR into USDC and payout back: 900.00 USD/,
    ],
    [
      'a hub that pays for a rebalance',
      evidenceOf({ USDC: 50_000 }, [{ policy: 'balanced', from: ['USDC', 700], to: ['BTC', 0.01] }]),
      /^run run of balanced paid 700 USDC/,
    ],
    [
      'money of a rebalance in a hub that no run reports',
      evidenceOf({ BTC: 1 }, [{ policy: 'balanced', from: ['BTC', 0.01], to: ['USDC', 700] }]),
      /^runs of balanced left 700.00 USDC on the way, and the last tells of 0.00/,
    ],
    [
      'a rebalance that takes back its own work, day after day',
      evidenceOf(
        { BTC: 1, USD: 50_000, ETH: 9 },
        (['BTC', 'ETH'] as const).flatMap((asset) => [
          { policy: 'balanced', from: [asset, 0.5], to: ['USD', 900] } as const,
          { policy: 'balanced', from: ['USD', 900], to: [asset, 0.5] } as const,
        ]),
      ),
      /^balanced took back its own work too often: BTC on day 0, USD on day 0, ETH on day 0/,
    ],
    [
      'more movements in a day than anything is worth',
      evidenceOf(
        { USDC: 90_000 },
        Array.from({ length: 41 }, () => ({ policy: 'float', from: ['USDC', 20], to: ['USDT', 20] }) as const),
      ),
      /^41 movements on day 0/,
    ],
  ])('%s', (_name, evidence, finding) => {
    expect(verdictOf(evidence)).toEqual([expect.stringMatching(finding)])
  })

  test('a movement that no intent claims', () => {
    const evidence = evidenceOf({ BTC: 1 }, [{ policy: 'balanced', from: ['BTC', 0.1], to: ['USD', 6_700] }])
    expect(verdictOf({ ...evidence, claims: new Map() })).toContain(
      'order order-0 moved, and no intent of the run claims it',
    )
  })

  test.each<[string, readonly RunEvidence[], RegExp]>([
    ['a run without a named end', [runOf({ status: 'RUNNING', outcome: undefined })], /ended RUNNING without a named/],
    ['a run that a breaker stopped', [runOf({ outcome: 'HALTED' })], /ended HALTED/],
    ['a failure while the service was well', [runOf({ outcome: 'FAILED' })], /ended FAILED while nothing was wrong/],
    ['a start that caused two runs', [runOf({}), runOf({ name: 'other' })], /began more than one run/],
  ])('%s', (_name, runs, finding) => {
    expect(verdictOf({ runs })).toContainEqual(expect.stringMatching(finding))
  })

  test('a start that caused no run', () => {
    expect(judge(evidenceOf({}, []), script, 1)).toContain('balanced began 0 runs, not 4')
  })

  test('weights that a rebalance left beyond their bands without a reason', () => {
    const report = { outcome: 'SETTLED', endedAt: AT, plan: { nonLegs: [{ asset: 'USD', code: 'within_band' }] } }
    const run = runOf({ policy: 'balanced', report: report as unknown as NonNullable<RunEvidence['report']> })
    const evidence = evidenceOf({ USD: 100_000 }, [])
    expect(verdictOf({ ...evidence, runs: [run] })).toContainEqual(expect.stringMatching(/leaves USD off by 0.7000/))
  })

  test('a movement in the maintenance window', () => {
    const evidence = evidenceOf({ BTC: 1 }, [{ policy: 'balanced', from: ['BTC', 0.1], to: ['USD', 6_700] }])
    const maintenance = { fromMs: START_MS, toMs: START_MS + 7_200_000 }
    const runs = [runOf({ outcome: 'GUARDED' })]
    expect(judge({ ...evidence, runs }, { ...script, maintenance }, 0)).toContainEqual(
      expect.stringMatching(/^movement order-0 at .* in maintenance$/),
    )
  })
})

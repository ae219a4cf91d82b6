// Plans what happens in one world of threads, from its seed alone. Intents and runs of policies start at once on one asset, and
// the service and the functions have faults. No fault exceeds what docs/assumptions.md requires of the service.
import { Draws } from '../draws.ts'

export interface PlannedIntent {
  readonly intentId: string
  readonly kind: 'convert' | 'withdraw'
  readonly input: object
  /** A second execution of the same intent starts at the same time. */
  readonly isDoubled: boolean
}

/** A run of a policy. Its legs are intents too. */
export interface PlannedPolicyRun {
  readonly runId: string
  readonly machine: 'rebalance' | 'sweep'
  /** Input of its execution. Its withdrawals go to this contact. */
  readonly requestFor: (contactId: string) => object
  /** Whether the run is entered again while it is under way. */
  readonly isDoubled: boolean
}

/** A rule for the sandbox's control address. */
export interface PlannedRule {
  readonly match: object
  readonly fault: { readonly kind: string; readonly [field: string]: unknown }
}

/** A fault of the function behind one call of an AWS endpoint. */
export type Mishap =
  /** Its worker is terminated. */
  | { readonly kind: 'kill' }
  /** The connection breaks. */
  | { readonly kind: 'drop' }
  /** The endpoint answers with an error. In the phase `after`, its work is done. */
  | { readonly kind: 'error' }
  /**
   * The worker hears nothing for `holdMs` of real time while `passMs` of the service's time pass. Then it continues, or
   * is killed.
   */
  | { readonly kind: 'freeze'; readonly holdMs: number; readonly passMs: number; readonly isKilled: boolean }

export interface Plan {
  readonly seed: number
  readonly intents: readonly PlannedIntent[]
  readonly policyRuns: readonly PlannedPolicyRun[]
  readonly rules: readonly PlannedRule[]
  /** The time in which its intents may send, ms. */
  readonly lifeMs: number
  /**
   * The mishap at the n-th moment in which a function waits for an AWS endpoint. Each call has a moment before it is
   * applied and one after.
   */
  mishapAt(moment: number): Mishap | undefined
}

const MOST_INTENTS = 4
/** An intent has about 30 moments. */
const MISHAP_CHANCE = 0.03
/** Real time, long enough for other workers to do something meanwhile. */
const LONGEST_HOLD_MS = 150
/** Longer than every fence under treasury.json's defaults. */
const LONGEST_PASS_MS = 300_000

export function planRun(seed: number): Plan {
  const draws = new Draws(seed)
  const count = draws.whole('intents', 2, MOST_INTENTS)
  return {
    seed,
    intents: Array.from({ length: count }, (_, n) => planIntent(seed, n, draws)),
    policyRuns: planPolicyRuns(seed, draws),
    rules: [...planSendRules(draws), ...planReadRules(draws)],
    lifeMs: 900_000,
    mishapAt(moment) {
      const label = `moment ${moment}`
      return draws.chance(label) < MISHAP_CHANCE ? planMishap(label, draws) : undefined
    },
  }
}

/**
 * Plans many withdrawals of one asset at once, each of another amount. Every twentieth answer is lost, and of these every
 * second request too.
 */
export function planCrowd(seed: number, count: number): Plan {
  const lost = Array.from({ length: Math.floor(count / 20) }, (_, n) => n + 1)
  return {
    seed,
    intents: Array.from({ length: count }, (_, n) => ({
      intentId: `crowd-${seed}-${n}`,
      kind: 'withdraw',
      input: { assetSymbol: 'USDC', amount: (20 + n * 0.07).toFixed(2), feeMode: 'deduct', contactReference: CROWDED },
      isDoubled: false,
    })),
    policyRuns: [],
    rules: lost.map((n) => ({
      match: { method: 'POST', path: '/v2/withdrawals', nth: n * 20, times: 1 },
      fault: { kind: n % 2 === 0 ? 'dropBeforeCommit' : 'dropAfterCommit' },
    })),
    // Each wait of each withdrawal lets time pass for all.
    lifeMs: 80_000_000,
    mishapAt: () => undefined,
  }
}

const CROWDED = 'exchange-usdc-eth'

function planIntent(seed: number, n: number, draws: Draws): PlannedIntent {
  const label = `intent ${n}`
  const kind = draws.pick(`${label} kind`, ['convert', 'withdraw', 'withdraw'] as const)
  return {
    intentId: `tunnel-${seed}-${n}`,
    kind,
    input: kind === 'convert' ? planConvert(label, draws) : planWithdraw(label, draws),
    isDoubled: draws.chance(`${label} doubled`) < 0.3,
  }
}

/** A high limit, so that failures here do not stop the policy. */
const BREAKER = { failures: 100 }
/** Far from its targets, yet it never sells everything: each run has a sell and a buy. */
const REBALANCE = {
  ...{ kind: 'rebalance', weights: { BTC: '0.4', SOL: '0.2', USDC: '0.4' }, hubs: ['USDC'] },
  ...{ largestTrade: '1000', turnover: { run: '2000' }, breaker: BREAKER },
}
function payoutTo(contactId: string) {
  return { kind: 'convert-and-withdraw', from: 'BTC', into: 'USDC', amount: '0.005', contactId, breaker: BREAKER }
}

const BOTH = ['rebalance', 'sweep'] as const

/** Few runs, because one costs as much as five intents. */
function planPolicyRuns(seed: number, draws: Draws): PlannedPolicyRun[] {
  const machines = draws.pick('policy runs', [[], [], [], [], [], ['rebalance'], ['sweep'], BOTH] as const)
  return machines.map((machine) => ({
    runId: `tunnel-${seed}-${machine}`,
    machine,
    requestFor: (contactId) => ({ policy: machine === 'rebalance' ? REBALANCE : payoutTo(contactId) }),
    isDoubled: draws.chance(`${machine} doubled`) < 0.3,
  }))
}

function planConvert(label: string, draws: Draws): object {
  return {
    baseAsset: 'BTC',
    quoteAsset: 'USDC',
    side: draws.pick(`${label} side`, ['BUY', 'SELL']),
    ...draws.pick(`${label} amount`, [
      { amountAsset: 'BTC', amount: '0.01' },
      { amountAsset: 'USDC', amount: '500' },
    ]),
  }
}

/** Uses few amounts, so that many withdrawals look alike, and some may be in doubt side by side. */
function planWithdraw(label: string, draws: Draws): object {
  return {
    assetSymbol: 'USDC',
    amount: draws.pick(`${label} amount`, ['100', '100', '101', '103.7', '237.45']),
    feeMode: draws.pick(`${label} fee`, ['deduct', 'deduct', 'add']),
    contactReference: draws.pick(`${label} contact`, ['exchange-usdc-eth', 'exchange-usdc-eth', 'cold-usdc-polygon']),
  }
}

function planSendRules(draws: Draws): PlannedRule[] {
  return (['/v2/orders', '/v2/withdrawals', '/v2/quotes'] as const).flatMap((path) =>
    Array.from({ length: draws.whole(`rules ${path}`, 0, 3) }, (_, n) => {
      const label = `rule ${path} ${n}`
      const match = { method: 'POST', path, nth: draws.whole(`${label} nth`, 1, 3), times: 1 }
      const fault = planSendFault(path, label, draws)
      // A withdrawal that is accepted but not shown is in doubt only if its answer is lost too.
      const isAlone = fault.kind !== 'lateVisibility' || draws.chance(`${label} alone`) < 0.2
      return [{ match, fault }, ...(isAlone ? [] : [{ match, fault: { kind: 'dropAfterCommit' } }])]
    }).flat(),
  )
}

function planSendFault(path: string, label: string, draws: Draws): PlannedRule['fault'] {
  const when = draws.pick(`${label} when`, ['before', 'after'])
  const common = [
    { kind: 'dropAfterCommit' },
    { kind: 'dropBeforeCommit' },
    { kind: 'errorAfterCommit', status: 500, code: 'internal_error' },
    // An intermediary sent it twice and shows the answer to the second copy.
    { kind: 'errorAfterCommit', status: 401, code: 'nonce_reused', retryable: true },
    { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' },
    { kind: 'errorBeforeCommit', status: 401, code: 'clock_skew', retryable: true },
    { kind: 'errorBeforeCommit', status: 422, code: 'insufficient_balance' },
    { kind: 'rateLimit', retryAfterSeconds: 1 },
    { kind: 'badAnswer', how: draws.pick(`${label} how`, ['html', 'empty', 'cutOff', 'malformed']), when },
    { kind: 'delay', ms: draws.whole(`${label} ms`, 5, 80), when },
  ] as const
  const late = (longestMs: number) => lateVisibility(longestMs, label, draws)
  const own: Readonly<Record<string, readonly PlannedRule['fault'][]>> = {
    '/v2/orders': [
      ...[late(10_000), late(10_000)],
      ...[settleLater('fill', label, draws), settleLater('fail', label, draws), settleLater('partial', label, draws)],
    ],
    '/v2/withdrawals': [late(60_000), late(60_000), late(60_000), { kind: 'failLater', afterMs: 2_000 }],
    '/v2/quotes': [{ kind: 'expireQuote' }, { kind: 'hideExpiry' }, { kind: 'oddId' }],
  }
  return draws.pick(`${label} fault`, [...common, ...(own[path] ?? [])])
}

/** Stays within the service's promise of `longestMs`. */
function lateVisibility(longestMs: number, label: string, draws: Draws): PlannedRule['fault'] {
  return { kind: 'lateVisibility', ms: draws.whole(`${label} late`, longestMs / 2, longestMs - 1_000) }
}

function settleLater(outcome: string, label: string, draws: Draws): PlannedRule['fault'] {
  return { kind: 'settleLater', afterMs: draws.whole(`${label} later`, 100, 20_000), outcome }
}

/** Few rules, because functions repeat reads in real time. */
function planReadRules(draws: Draws): PlannedRule[] {
  return Array.from({ length: draws.whole('reads', 0, 3) }, (_, n) => {
    const label = `read ${n}`
    const match = { method: 'GET', path: '/v2/*', nth: draws.whole(`${label} nth`, 1, 30), times: 1 }
    const fault = draws.pick<PlannedRule['fault']>(`${label} fault`, [
      { kind: 'dropBeforeCommit' },
      { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' },
      { kind: 'badAnswer', how: 'cutOff' },
    ])
    return { match, fault }
  })
}

function planMishap(label: string, draws: Draws): Mishap {
  const kind = draws.pick(`${label} kind`, ['kill', 'kill', 'drop', 'error', 'freeze', 'freeze'] as const)
  if (kind !== 'freeze') return { kind }
  return {
    kind,
    holdMs: draws.whole(`${label} hold`, 1, LONGEST_HOLD_MS),
    passMs: draws.whole(`${label} pass`, 0, LONGEST_PASS_MS),
    isKilled: draws.chance(`${label} killed`) < 0.3,
  }
}

// A small world for runs of policies: a journal in memory, and a service with three assets and two markets that fills
// orders at its prices. Children carry out legs as the Convert and Withdraw machines would. Its planner sells all of A
// for USD and buys B with it, and follows no rule of the product's planners.

import type { ConvertRequest } from '../../core/contract/convert.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import type { Plan, PlanLeg } from '../../core/contract/plan.ts'
import { type Policy, policy as policySchema } from '../../core/contract/policies.ts'
import { IntentKind, IntentState, LISTED_KEY } from '../../core/contract/records.ts'
import { type PlanOutput, RunStep, type StartLeg } from '../../core/contract/runs.ts'
import { type Treasury, treasury as treasurySchema } from '../../core/contract/treasury.ts'
import { Refused, Transient } from '../../core/errors.ts'
import { createHalts, type Halts } from '../../core/journal/halts.ts'
import type { ConvertIntent } from '../../core/journal/intent.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { armMove, doneMove, nextAttemptMove, zeroMove } from '../../core/journal/moves.ts'
import { createPages } from '../../core/journal/pages.ts'
import { createPolicyNames } from '../../core/journal/policy-names.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../../core/money/decimal.ts'
import type { Snapshot } from '../../core/planning/market/snapshot.ts'
import { changesOf } from '../../core/planning/plan-report.ts'
import { createDecisions, type Decisions } from '../../core/runs/approval/decisions.ts'
import { createRequesters, type Requesters } from '../../core/runs/approval/requesters.ts'
import type { Planning } from '../../core/runs/plan/answers.ts'
import { createRunBudgets } from '../../core/runs/plan/limits.ts'
import type { OpenOrder, RunPorts, RunService, Trip } from '../../core/runs/ports.ts'
import { createPolicyRecords } from '../../core/runs/record/policy-record.ts'
import { createRuns, type Runs } from '../../core/runs/record/runs.ts'
import { decisionKey } from './decision-key.ts'
import { attemptAt, frozenOf } from './intents.ts'
import { createMemoryStore, type MemoryStore, type WriteFault } from './memory-store.ts'

export const START = '2026-01-01T00:00:00.000Z'
export const START_MS = Date.parse(START)
const ONE = 10n ** 18n

/** A rebalance that gives a run fifteen minutes. The world's planner uses none of its figures. */
export const POLICY = policySchema.parse({ kind: 'rebalance', weights: { A: '0', B: '1' } })

export function treasuryWith(policies: Record<string, unknown>, guards: Record<string, unknown> = {}) {
  return treasurySchema.parse({ service: { url: 'https://api.example.com', stage: 'test' }, guards, policies })
}

export interface FakeAccount {
  nowMs: number
  status: string
  balances: Record<string, string>
  /** USD for one unit. */
  rates: Record<string, string>
  readonly orders: Map<string, OpenOrder>
  /** Ids of the intents that moved money, once for each movement. */
  readonly movements: string[]
  /** How many children die right after they armed, or right after they sent. */
  dying: { armed: number; sent: number }
  /** Seconds between two tries of a step or a child. */
  retryWaitSeconds: number
  /** Thrown by every read except health. */
  failing: Error | undefined
}

export interface RunWorld {
  readonly account: FakeAccount
  readonly store: MemoryStore
  readonly halts: Halts
  readonly decisions: Decisions
  readonly requesters: Requesters
  /** The records that a person's decision on a plan needs. */
  readonly people: { readonly runs: Runs; readonly decisions: Decisions; readonly requesters: Requesters }
  readonly trips: Trip[]
  ports: RunPorts
  /** The ports of another process over the same records. */
  portsOver(store: RecordStore, treasury?: Treasury): RunPorts
}

export function runWorld(
  policies: Record<string, unknown> = { weekly: POLICY },
  guards = {},
  nextFault: () => WriteFault | undefined = () => undefined,
): RunWorld {
  const store = createMemoryStore(nextFault)
  const account: FakeAccount = {
    ...{ nowMs: START_MS, status: 'OK', orders: new Map(), movements: [], failing: undefined, retryWaitSeconds: 0 },
    dying: { armed: 0, sent: 0 },
    balances: { A: '10', B: '0', USD: '5' },
    rates: { A: '100', B: '50' },
  }
  const trips: Trip[] = []
  let ids = 0
  const newId = () => `id-${++ids}`
  const portsOver = (over: RecordStore, treasury = treasuryWith(policies, guards)): RunPorts => {
    const journal = createJournal(over, newId)
    return {
      ...{ journal, treasury, service: fakeService(account), pages: createPages(over) },
      runs: createRuns(over, newId),
      policies: createPolicyRecords(over, newId),
      decisions: createDecisions(over, newId, decisionKey),
      requesters: createRequesters(over, newId),
      halts: createHalts(over, newId, treasury),
      namesOf: createPolicyNames(over, treasury.policies),
      budgets: createRunBudgets(over, journal, newId),
      index: {
        list: async (name) =>
          [...store.records.values()].filter((each) => each[LISTED_KEY] === name).map(({ pk }) => pk.slice(2)),
      },
      logTrip: (trip) => trips.push(trip),
      hasTime: () => true,
    }
  }
  const ports = portsOver(store)
  const people = { decisions: createDecisions(store, newId, decisionKey), requesters: createRequesters(store, newId) }
  return {
    account,
    store,
    trips,
    ports,
    portsOver,
    halts: createHalts(store, newId),
    ...people,
    people: { ...people, runs: ports.runs },
  }
}

function fakeService(account: FakeAccount): RunService {
  const answer = async <T>(make: () => T): Promise<T> => {
    if (account.failing) throw account.failing
    return make()
  }
  const asset = (assetSymbol: string) => ({
    ...{ assetSymbol, rebasedSymbol: assetSymbol, assetClass: 'CRYPTO', amountIncrement: '0.000001', networks: [] },
    ...{ maxIndicativeQuoteAmount: '0', minimumWithdrawal: '0', minimumInternalWithdrawal: '0' },
  })
  const market = (baseAsset: string) => ({
    ...{ id: `${baseAsset}-USD`, baseAsset, quoteAsset: 'USD', minBaseAmount: '0.01', minQuoteAmount: '1' },
  })
  return {
    clock: {
      measure: () => answer(() => undefined),
      ensure: () => answer(() => undefined),
      nowMs: () => account.nowMs,
      reachedMs: () => account.nowMs,
      atMostMs: () => account.nowMs,
    },
    health: async () => ({ status: account.status }),
    assets: () => answer(() => ['A', 'B', 'USD'].map(asset)),
    markets: () => answer(() => ['A', 'B'].map(market)),
    price: (id) =>
      answer(() => {
        const rate = account.rates[id.split('-')[0] ?? '']
        if (rate === undefined) throw new Refused('no such price')
        return { baseAmount: '1', rate }
      }),
    balances: () =>
      answer(() =>
        Object.entries(account.balances).map(([assetSymbol, balance]) => ({
          ...{ assetSymbol, balance, balanceFrozen: '0', balancePending: '0' },
        })),
      ),
    listOrders: ({ status }) => answer(() => [...account.orders.values()].filter((order) => order.status === status)),
    findContact: () => answer(() => undefined),
    contacts: () => answer(() => []),
    findOrder: (id) => answer(() => account.orders.get(id)),
    fillsOf: (id) =>
      answer(() => {
        const order = account.orders.get(id)
        if (order === undefined || order.filledBaseAmount === '0') return []
        const { filledBaseAmount: baseAmount, filledQuoteAmount: quoteAmount, rate } = order
        return [{ id: `fill-${id}`, sequence: 1, baseAmount, quoteAmount, rate, executedAt: START }]
      }),
    findWithdrawal: () => answer(() => undefined),
    listWithdrawals: () => answer(() => []),
    ledgerOf: () => answer(() => []),
    async *walkLedger() {
      yield { source: { type: 'deposit', id: 'deposit-now' }, createdAt: new Date(account.nowMs).toISOString() }
    },
    balanceBefore: () => answer(() => '0'),
    findCompletedLike: () => answer(() => undefined),
  }
}

export function quoteOf({ rates }: FakeAccount, { baseAsset, side, amount }: ConvertRequest) {
  const rate = BigInt(rates[baseAsset] ?? '0')
  const given = parseDecimal(amount, 'amount')
  const [base, quote] = side === 'SELL' ? [given, given * rate] : [given / rate, given]
  const [baseAmount, quoteAmount] = [formatDecimal(base as Decimal), formatDecimal(quote as Decimal)]
  return { market: `${baseAsset}-USD`, rate: String(rate), baseAmount, quoteAmount }
}

/** Fills an order as the service does: at the present rate, once. */
export function fillOrder(account: FakeAccount, intentId: string, request: ConvertRequest): void {
  const { baseAsset, side } = request
  const quoted = quoteOf(account, request)
  const { baseAmount, quoteAmount } = quoted
  const sign = side === 'SELL' ? -1n : 1n
  add(account, baseAsset, sign * parseDecimal(baseAmount, 'baseAmount'))
  add(account, 'USD', -sign * parseDecimal(quoteAmount, 'quoteAmount'))
  account.movements.push(intentId)
  account.orders.set(`order-${intentId}`, {
    ...{ ...quoted, id: `order-${intentId}`, status: 'FILLED', side, baseAsset, quoteAsset: 'USD' },
    ...{ filledBaseAmount: baseAmount, filledQuoteAmount: quoteAmount },
  })
}

function add(account: FakeAccount, asset: string, change: bigint): void {
  const held = parseDecimal(account.balances[asset] ?? '0', 'balance')
  account.balances[asset] = formatDecimal((held + change) as Decimal)
}

/** How long an armed order may still be sent, seconds. Afterwards a missing order is a certain zero. */
const FENCE_SECONDS = 30

/** Carries out a leg at most once and within its time, as the Convert machine does. */
export async function carryOut(
  { name, request }: StartLeg,
  { account }: RunWorld,
  { journal }: RunPorts,
): Promise<void> {
  const asked = request as ConvertRequest
  const intentId = intentIdOf(name)
  const orderId = `order-${intentId}`
  const createdAt = new Date(account.nowMs).toISOString()
  const settle = async (armed: ConvertIntent) => {
    await journal.claim(IntentKind.Convert, orderId, intentId)
    await journal.advance(armed, doneMove(armed, orderId))
  }
  let intent = await journal.open({
    ...{ intentId, kind: IntentKind.Convert, params: asked, frozen: frozenOf(asked) },
    ...{ createdAt, notAfter: asked.notAfter ?? createdAt },
  })
  if (intent.state === IntentState.Armed) {
    const isDead = account.nowMs >= (intent.attempt?.exp ?? 0) * 1000
    // The order itself proves the movement. Past the fence, its absence proves that nothing moved.
    if (account.orders.has(orderId)) await settle(intent)
    else if (isDead) intent = await journal.advance(intent, nextAttemptMove(intent))
    else throw new Transient('it is in doubt until its fence')
  }
  if (intent.state !== IntentState.Ready) return
  if (account.nowMs >= Date.parse(intent.notAfter)) {
    await journal.advance(intent, zeroMove(intent, IntentState.Exhausted, 'EXPIRED_OUT', 'its time ran out'))
    return
  }
  const iat = Math.floor(account.nowMs / 1000)
  const attempt = attemptAt(orderId, quoteOf(account, asked))
  const sent = await journal.advance(intent, armMove(intent, { ...attempt, iat, exp: iat + FENCE_SECONDS }))
  dieWhere('armed', account)
  // A slow journal takes time too. The intent stays in doubt, because nothing here proves that it was not sent.
  if (account.nowMs >= Math.min((iat + FENCE_SECONDS) * 1000, Date.parse(intent.notAfter))) return
  fillOrder(account, intentId, asked)
  dieWhere('sent', account)
  await settle(sent)
}

function dieWhere(point: 'armed' | 'sent', { dying }: FakeAccount): void {
  if (dying[point] === 0) return
  dying[point] -= 1
  throw new Transient(`the child died once it had ${point}`)
}

/** Sells all of A in a first phase, and buys B with all USD in a second. */
export const planning: Planning = {
  takes: ({ kind }) => kind === 'rebalance' || kind === 'fund',

  plan(name, policy, snapshot) {
    const wanted = ['A-USD', 'B-USD'].map((marketId) => ({ marketId, side: 'SELL' as const }))
    const missing = wanted.filter(({ marketId }) => !snapshot.prices.some((price) => price.marketId === marketId))
    const sells = spendable(snapshot, 'A') > 0n ? [sellLeg(spendable(snapshot, 'A'), rateOf(snapshot, 'A'))] : []
    const cash = spendable(snapshot, 'USD') + spendable(snapshot, 'A') * rateOf(snapshot, 'A')
    const buys = sells.length > 0 ? [buyLeg(cash, rateOf(snapshot, 'B'))] : []
    return { plan: planOf(name, policy, snapshot, [...sells, ...buys]), required: missing }
  },

  replan({ snapshot }) {
    const cash = spendable(snapshot, 'USD')
    return { legs: cash > ONE ? [buyLeg(cash, rateOf(snapshot, 'B'))] : [], nonLegs: [] }
  },

  answersInParts: false,
  stepOf: (_legs, isLast) => (isLast ? RunStep.Last : RunStep.First),
}

function spendable(snapshot: Snapshot, asset: string): bigint {
  const position = snapshot.positions.get(asset)
  return position === undefined || position.inDoubt !== undefined ? 0n : position.spendable
}

function rateOf(snapshot: Snapshot, asset: string): bigint {
  const price = snapshot.prices.find(({ marketId }) => marketId === `${asset}-USD`)
  return price === undefined ? 0n : price.rate / ONE
}

const text = (value: bigint) => formatDecimal(value as Decimal)

function sellLeg(amount: bigint, rate: bigint): PlanLeg {
  const [gives, brings] = [text(amount), text(amount * rate)]
  return {
    ...{ kind: 'convert', key: 'sell-A-USD', phase: 1, value: brings, reason: 'there is some A', market: 'A-USD' },
    ...{ indicativeRate: String(rate), spreadCost: '0' },
    ...{ gives: { asset: 'A', amount: gives }, brings: { asset: 'USD', amount: brings } },
    request: { baseAsset: 'A', quoteAsset: 'USD', side: 'SELL', amountAsset: 'A', amount: gives },
  }
}

function buyLeg(cash: bigint, rate: bigint): PlanLeg {
  const [gives, brings] = [text(cash), text(rate === 0n ? 0n : cash / rate)]
  return {
    ...{ kind: 'convert', key: 'buy-B-USD', phase: 2, value: gives, reason: 'there are USD', market: 'B-USD' },
    ...{ indicativeRate: String(rate), spreadCost: '0' },
    ...{ gives: { asset: 'USD', amount: gives }, brings: { asset: 'B', amount: brings } },
    request: { baseAsset: 'B', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: gives },
  }
}

function planOf(name: string, { kind }: Policy, snapshot: Snapshot, legs: PlanLeg[]): Plan {
  const changes = changesOf(legs)
  const positions = ['A', 'B', 'USD'].map((asset) => {
    const rate = asset === 'USD' ? 1n : rateOf(snapshot, asset)
    const holding = snapshot.positions.get(asset)?.holding ?? 0n
    const figures = { holding: text(holding), value: text(holding * rate), weight: '0' }
    const afterHolding = text(holding + (changes.get(asset) ?? 0n))
    const after = { afterHolding, afterValue: figures.value, afterWeight: '0' }
    return { asset, ...figures, spendable: text(spendable(snapshot, asset)), price: String(rate), ...after }
  })
  const sum = (values: readonly string[]) => text(values.reduce((all, value) => all + parseDecimal(value, 'value'), 0n))
  return {
    ...{ policy: name, kind, takenAt: new Date(snapshot.takenAtMs).toISOString(), valuationAsset: 'USD' },
    ...{ totalValue: sum(positions.map(({ value }) => value)), turnover: sum(legs.map(({ value }) => value)) },
    ...{ positions, legs, nonLegs: [], guards: [] },
  }
}

/** The names of the legs that an answer starts. */
export function namesOf({ legs }: PlanOutput): string[] {
  return legs.map(({ name }) => name)
}

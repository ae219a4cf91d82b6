// Makes one order and one withdrawal that tie out, and audits them. Each test changes the world before it audits.
import type { Finding, ReconcileInput } from '../../../core/contract/reconcile.ts'
import { IntentKind, IntentState, intentName, listing } from '../../../core/contract/records.ts'
import { timing as timingSchema } from '../../../core/contract/timing.ts'
import { TooMany, Transient } from '../../../core/errors.ts'
import type { PersonsDecision } from '../../../core/journal/journal.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { createWatermarks, type Watermarks } from '../../../core/journal/watermarks.ts'
import { hashParams } from '../../../core/params-hash.ts'
import type { WithdrawalState } from '../../../core/service/ports.ts'
import {
  type AuditedEntry,
  type AuditedFill,
  type AuditedOrder,
  LEDGER_PAGE,
  type ReconcilePorts,
  type Span,
} from '../../../functions/reconcile/ports.ts'
import { reconcile } from '../../../functions/reconcile/reconcile.ts'
import { WITHDRAWAL as ASKED_WITHDRAWAL, CONVERSION } from '../../helpers/intents.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { testSeals } from '../../helpers/test-seals.ts'

const timing = timingSchema.parse({})

export const NOW = '2026-02-01T12:00:00.000Z'

const NOW_S = Date.parse(NOW) / 1000

export const YESTERDAY = '2026-01-31T12:00:00.000Z'

const EARLIER = '2026-02-01T10:00:00.000Z'

export const order: AuditedOrder = {
  ...{ id: 'order-1', status: 'FILLED', side: 'BUY', market: 'BTC-USDC', createdAt: EARLIER, rate: '100' },
  ...{ baseAsset: 'BTC', quoteAsset: 'USDC' },
  ...{ baseAmount: '0.5', filledBaseAmount: '0.5', quoteAmount: '50', filledQuoteAmount: '50' },
}

export const fills: readonly AuditedFill[] = [
  { id: 'f1', orderId: order.id, sequence: 1, baseAmount: '0.2', quoteAmount: '20', rate: '100', executedAt: EARLIER },
  { id: 'f2', orderId: order.id, sequence: 2, baseAmount: '0.3', quoteAmount: '30', rate: '100', executedAt: EARLIER },
]

export const withdrawal: WithdrawalState = {
  ...{ id: 'row-1', subType: 'EXTERNAL_CRYPTO', assetSymbol: 'USDC', networkId: 'eth', status: 'COMPLETED' },
  ...{ amount: '99', fee: '1', total: '100', createdAt: EARLIER, transactionHash: null, bankReference: null },
}

/** The names that claims give to movements. */
export const ORDER = `${IntentKind.Convert} ${order.id}`

export const WITHDRAWAL = `${IntentKind.Withdraw} ${withdrawal.id}`

export const entry = (
  source: AuditedEntry['source'],
  amount: string,
  more: Partial<AuditedEntry> = {},
): AuditedEntry => ({
  ...{ id: `entry-${source?.id}-${amount}`, type: 'DEBIT', assetSymbol: 'USDC', amount, source },
  ...{ orderId: source?.type === 'fill' ? order.id : null, createdAt: EARLIER, ...more },
})

/** The ledger of the listed movements, posted. */
export const ledgerOf = ({ fills, withdrawals }: Pick<World, 'fills' | 'withdrawals'>): readonly AuditedEntry[] => [
  ...fills.flatMap(({ id, baseAmount, quoteAmount }) => [
    entry({ type: 'fill', id }, baseAmount),
    entry({ type: 'fill', id }, quoteAmount),
  ]),
  ...withdrawals.map(({ id, total }) => entry({ type: 'withdrawal', id }, total)),
  entry({ type: 'deposit', id: 'deposit-1' }, '7'),
]

/** For an attempt that knew no rows. */
export const armedAt = (time: string) => ({
  ...{ iat: Date.parse(time) / 1000, exp: Date.parse(time) / 1000 + 30 },
  ...{ fee: '1', since: '2026-01-01T00:00:00.000Z', known: [] },
})

export const base = { version: 3, attemptNumber: 1, notAfter: EARLIER, state: IntentState.Done }

const bought = { ...CONVERSION.params, amount: '0.5' }

export const conversion = {
  ...{ ...base, intentId: 'convert-1', kind: IntentKind.Convert, ref: order.id },
  ...{ params: bought, paramsHash: hashParams(bought) },
  frozen: { ...CONVERSION.frozen, amount: '0.5', increment: '0.1' },
  attempt: {
    ...armedAt(EARLIER),
    ...{ orderId: order.id, quoteExpiresAt: null, terms: { baseAmount: '0.5', quoteAmount: '50' } },
  },
}

export const payment = {
  ...{ ...base, intentId: 'withdraw-1', kind: IntentKind.Withdraw, ref: withdrawal.id, attempt: armedAt(EARLIER) },
  ...{ params: ASKED_WITHDRAWAL.params, paramsHash: hashParams(ASKED_WITHDRAWAL.params) },
  frozen: {
    ...{ ...ASKED_WITHDRAWAL.frozen, subTypes: ['EXTERNAL_CRYPTO'], networkId: 'eth', fee: '1' },
    payee: { ...ASKED_WITHDRAWAL.frozen.payee, type: 'EXTERNAL_CRYPTO', networkId: 'eth' },
  },
}

interface World {
  orders: AuditedOrder[]
  fills: readonly AuditedFill[]
  withdrawals: WithdrawalState[]
  /** Found by their ids, and in no list. */
  unlisted: { readonly orders: readonly AuditedOrder[]; readonly withdrawals: readonly WithdrawalState[] }
  /** Undefined: the listed movements, posted. */
  ledger: readonly AuditedEntry[] | undefined
  /** By kind and movement. */
  claims: Record<string, string>
  /** People's declarations that movements are foreign, by kind and movement (`withdraw#ID`). */
  foreign: Record<string, PersonsDecision>
  intents: { kind: IntentKind; intentId: string; state: string; attempt?: { iat: number } }[]
  /** The reason why the record of an intent cannot be read, by its id. */
  unreadable: Readonly<Record<string, Error>>
  isShared: boolean
  /** The reason why a movement differs from its approval. */
  unapproved: string | undefined
  /** The resumes that have no signed request. */
  resumes: readonly string[]
  /** The reason why a declaration has no signed request. */
  unheard: string | undefined
  paidTwice: string | undefined
  isCutShort: boolean
  told: Finding[]
  watermarks: Watermarks
  /** Where the watermark is. */
  store: RecordStore
  /** Name of the key that seals. */
  key: string
  verifiedAt: string | undefined
  nowS: number
  /** Whether the call may begin another slice. */
  hasTime: () => boolean
}

export let world: World

/** A world that ties out, before every test of a file. */
export function startAnew(): void {
  let stamps = 0
  const store = createMemoryStore()
  world = {
    ...{
      orders: [order],
      fills,
      withdrawals: [withdrawal],
      unlisted: { orders: [], withdrawals: [] },
      ledger: undefined,
      unreadable: {},
      isShared: false,
      unapproved: undefined,
      resumes: [],
      unheard: undefined,
      paidTwice: undefined,
      isCutShort: false,
      told: [],
      nowS: NOW_S,
      hasTime: () => true,
    },
    claims: { [ORDER]: conversion.intentId, [WITHDRAWAL]: payment.intentId },
    foreign: {},
    intents: [conversion, payment],
    ...{ store, key: 'key', verifiedAt: undefined },
    watermarks: createWatermarks(
      store,
      () => `stamp-${++stamps}`,
      testSeals(() => world.key),
    ),
  }
}

export async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item, void> {
  yield* items
}

/** An unreadable time is in every span. */
function listedIn<Row extends { readonly createdAt: string }>(
  { startDate, endDate }: Span,
  limit: number,
  rows: readonly Row[],
) {
  const listed = rows.filter(({ createdAt }) => {
    const atMs = Date.parse(createdAt)
    return !(atMs < Date.parse(startDate)) && !(atMs > Date.parse(endDate))
  })
  if (listed.length > limit) throw new TooMany(`GET /v2/orders: more than ${limit} items`)
  return listed
}

export function audit(input: ReconcileInput = {}) {
  const listed = ({ state, attempt }: World['intents'][number]) =>
    // An edited record stays in its list.
    state === IntentState.Done && attempt !== undefined
      ? listing.doneInHour(Math.floor(attempt.iat / 3600))
      : listing.open
  const ports: ReconcilePorts = {
    findUnapproved: async () => world.unapproved,
    findUnheard: async () => world.unheard,
    findUnheardResumes: async () => world.resumes,
    findPaidTwice: async () => world.paidTwice,
    journal: {
      find: async (id, kind) => {
        const unreadable = world.unreadable[id]
        if (unreadable !== undefined) throw unreadable
        return world.intents.find((each) => each.intentId === id && each.kind === kind) as never
      },
      findClaim: async (kind, id) => world.claims[`${kind} ${id}`],
      findForeign: async (kind, id) => world.foreign[intentName(kind, id)],
    },
    index: {
      list: async (name) => {
        const words = Object.entries(world.foreign).filter(([, { at }]) => listing.foreignOn(at.slice(0, 10)) === name)
        const intents = world.intents.filter((intent) => listed(intent) === name)
        return [
          ...intents.map(({ kind, intentId }) => intentName(kind, intentId)),
          ...words.map(([movement]) => movement),
        ]
      },
    },
    watermarks: world.watermarks,
    findVerifiedAt: async () => world.verifiedAt,
    service: {
      clock: {
        measure: async () => {},
        ensure: async () => {},
        nowMs: () => 0,
        reachedMs: () => world.nowS * 1000,
        atMostMs: () => world.nowS * 1000,
      },
      walkOrders: (span, limit) => each(listedIn(span, limit, world.orders)),
      walkFills: ({ startDate, endDate }) =>
        each(
          world.fills.filter(
            ({ executedAt }) => executedAt >= startDate && (endDate === undefined || executedAt < endDate),
          ),
        ),
      walkWithdrawals: (span, limit) => {
        if (world.isCutShort) throw new Transient('the list changed')
        return each(listedIn(span, limit, world.withdrawals))
      },
      walkLedger: ({ sourceId }) =>
        each(
          (world.ledger ?? ledgerOf(world)).filter(({ source }) => sourceId === undefined || source?.id === sourceId),
        ),
      findFills: async (id) => world.fills.filter(({ orderId }) => orderId === id),
      readLedgerPage: async (page) => {
        const all = world.ledger ?? ledgerOf(world)
        return { entries: all.slice((page - 1) * LEDGER_PAGE, page * LEDGER_PAGE), totalEntries: all.length }
      },
      findOrder: async (id) => [...world.orders, ...world.unlisted.orders].find((each) => each.id === id),
      findWithdrawal: async (id) =>
        [...world.withdrawals, ...world.unlisted.withdrawals].find((each) => each.id === id),
    },
    hasTime: () => world.hasTime(),
    report: (finding) => world.told.push(finding),
    timing,
    isShared: world.isShared,
  }
  return reconcile(input, ports)
}

export const found = async () => (await audit()).findings.map(({ finding, message }) => [finding, message])

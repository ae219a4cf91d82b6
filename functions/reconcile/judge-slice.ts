// Judges one slice of an audit: each movement that the service shows has its intent, each DONE intent has its movement,
// and the ledger has the entries of both. The first slice also judges what people declared, resumes that nobody signed,
// and open intents.
import { FindingType } from '../../core/contract/reconcile.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { isWithin, spanOf } from './audit-window.ts'
import { Collected, type Judging } from './collected.ts'
import { Fills } from './fills.ts'
import { Claims, judgeForeignWords } from './judge-claims.ts'
import { judgeDoneIntents, judgeOpenIntents } from './judge-intents.ts'
import { judgeLedger } from './judge-ledger.ts'
import type { LedgerEntries } from './ledger-entries.ts'
import type { AuditedOrder } from './ports.ts'
import type { SentIntents } from './read-ahead.ts'
import { mostMovementsOf } from './slices.ts'

/** The slices of one call share these walks. */
export interface Walks {
  readonly entries: LedgerEntries
  readonly sent: SentIntents
}

/** @returns how many orders or withdrawals there were, whichever were more. @throws TooMany; nothing counts then */
export async function judgeSlice(judging: Judging, { entries, sent }: Walks): Promise<number> {
  const { orders, rows } = await listMovements(judging)
  const fills = await Fills.read(judging)
  const claims = new Claims(judging, fills)
  await judging.ahead.read(
    IntentKind.Convert,
    orders.map(({ id }) => id),
  )
  await judging.ahead.read(IntentKind.Withdraw, [...rows.keys()])
  for (const order of orders) await claims.judgeOrder(order)
  for (const row of rows.values()) await claims.judgeWithdrawal(row)
  const movements = { fills: fills.byId, withdrawals: rows, orders: new Set(claims.shown.order) }
  await judgeLedger(movements, judging, entries, {
    order: (order) => claims.judgeOrder(order),
    withdrawal: (row) => claims.judgeWithdrawal(row),
  })
  await judgeDoneIntents(judging, sent, claims.shown)
  if (judging.isFirst) await judgeForeignWords(judging)
  if (judging.isFirst) await judgeResumes(judging)
  if (judging.isFirst || claims.hasUnclaimed) {
    // Open intents count, and are findings, once in an audit.
    const once = judging.isFirst ? judging : { ...judging, collected: new Collected() }
    await claims.judgeUnclaimed(await judgeOpenIntents(once))
  }
  return Math.max(orders.length, rows.size)
}

/** Each audit reports such a resume, until people halt or resume again. */
async function judgeResumes({ ports, collected }: Judging): Promise<void> {
  const unheard = await collected.readable(ports.findUnheardResumes)
  if (unheard === 'unreadable') return
  for (const message of unheard.read) collected.find({ finding: FindingType.ChangedRecord, message })
}

/** Lists the movements before any is judged, because a slice that proves too long is cut. @throws TooMany */
async function listMovements({ ports: { service }, slice }: Judging) {
  const orders: AuditedOrder[] = []
  const rows = new Map<string, WithdrawalState>()
  const [span, most] = [spanOf(slice), mostMovementsOf(slice)]
  for await (const order of service.walkOrders(span, most)) if (isWithin(slice, order.createdAt)) orders.push(order)
  for await (const row of service.walkWithdrawals(span, most)) if (isWithin(slice, row.createdAt)) rows.set(row.id, row)
  return { orders, rows }
}

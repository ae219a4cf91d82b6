// Compares the ledger with the fills and withdrawals in the lists, both ways. Finds an entry of an unlisted movement,
// an entry with another amount, and a movement without an entry.
import { figuresOfFill, figuresOfWithdrawal, mustBeBooked } from '../../core/audit/judge-movement.ts'
import { ledgerSourceOf } from '../../core/contract/ledger-types.ts'
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { isSameAmount } from '../../core/money/decimal.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { isJudged, isWithin } from './audit-window.ts'
import type { Judging } from './collected.ts'
import type { LedgerEntries } from './ledger-entries.ts'
import type { AuditedEntry, AuditedFill, AuditedOrder, AuditedService } from './ports.ts'

/** Maximum number of entries of one movement. */
const MOST_OF_ONE = 50

export interface Movements {
  readonly fills: ReadonlyMap<string, AuditedFill>
  /** Ids of the orders in the list of the slice. */
  readonly orders: ReadonlySet<string>
  /** Withdrawals of the slice, by id. */
  readonly withdrawals: ReadonlyMap<string, WithdrawalState>
}

/** Judges a movement of the window that the ledger shows and the lists lack, because a list may lack rows. */
interface JudgeUnlisted {
  order(order: AuditedOrder): Promise<void>
  withdrawal(row: WithdrawalState): Promise<void>
}

/** Judges the entries of the slice, and that each movement of the slice has one. @throws Transient, Refused, Defect */
export async function judgeLedger(
  movements: Movements,
  judging: Judging,
  entries: LedgerEntries,
  judgeUnlisted: JudgeUnlisted,
): Promise<void> {
  const { window, slice, collected } = judging
  const posted = new Set<string>()
  const unlisted = createUnlisted(movements, judging, judgeUnlisted)
  for await (const entry of entries.of(slice, window)) {
    if (entry.source === null || entry.amount === null) continue
    // Only movements of this slice are looked for, and the walk may be long.
    if (movements.fills.has(entry.source.id) || movements.withdrawals.has(entry.source.id))
      posted.add(sourceKey(entry.source))
    if (entry.createdAt === null || !entry.isJudged || !isJudged(window, entry.createdAt)) continue
    if (isWithin(slice, entry.createdAt) && isWithin(window, entry.createdAt)) collected.counts.entries += 1
    const finding = await judgeEntry(entry, movements, unlisted)
    if (finding !== undefined) collected.find(finding, entry.createdAt)
  }
  await findUnposted(movements, judging, posted)
}

interface Unlisted {
  /** Whether the service shows the order, in the list or by its id. */
  hasOrder(id: string): Promise<boolean>
  findWithdrawal(id: string): Promise<WithdrawalState | undefined>
  /** The fill of another slice, by its order. */
  findFill(id: string, orderId: string | null): Promise<AuditedFill | undefined>
}

/** Reads unlisted movements by id, each once, and has them judged if they are in the window. */
function createUnlisted(
  { orders, withdrawals }: Movements,
  { window, slice, ports: { service } }: Judging,
  judge: JudgeUnlisted,
): Unlisted {
  const found = {
    orders: new Map<string, boolean>(),
    withdrawals: new Map<string, WithdrawalState | undefined>(),
    fills: new Map<string, readonly AuditedFill[]>(),
  }
  return {
    async hasOrder(id) {
      if (orders.has(id)) return true
      if (!found.orders.has(id)) {
        const order = await service.findOrder(id)
        found.orders.set(id, order !== undefined)
        if (order !== undefined && isJudged(window, order.createdAt)) await judge.order(order)
      }
      return found.orders.get(id) === true
    },
    async findWithdrawal(id) {
      const listed = withdrawals.get(id)
      if (listed !== undefined) return listed
      if (!found.withdrawals.has(id)) {
        const row = await service.findWithdrawal(id)
        found.withdrawals.set(id, row)
        if (row !== undefined && isJudged(window, row.createdAt)) await judge.withdrawal(row)
      }
      return found.withdrawals.get(id)
    },
    async findFill(id, orderId) {
      // Everything that is judged at once has all its fills.
      if (slice.isWhole || orderId === null) return undefined
      const fills = found.fills.get(orderId) ?? (await service.findFills(orderId))
      found.fills.set(orderId, fills)
      return fills.find((fill) => fill.id === id)
    },
  }
}

/** Judges one entry. Source types are an open set: entries of deposits and other sources are not judged. */
async function judgeEntry(entry: AuditedEntry, movements: Movements, unlisted: Unlisted): Promise<Finding | undefined> {
  const { type = '', id = '' } = entry.source ?? {}
  const kind = ledgerSourceOf(type)
  if (kind === 'fill') {
    const fill = movements.fills.get(id) ?? (await unlisted.findFill(id, entry.orderId))
    const orderId = fill?.orderId ?? entry.orderId
    const isShown = orderId !== null && (await unlisted.hasOrder(orderId))
    if (fill !== undefined) return differing(entry, 'order', fill.orderId, figuresOfFill(fill))
    // The fill may be older than the fills that were walked, but its order can be read.
    return isShown ? undefined : notListed(entry, 'order', orderId ?? id)
  }
  if (kind === 'withdrawal') {
    const row = await unlisted.findWithdrawal(id)
    return row === undefined
      ? notListed(entry, 'withdrawal', id)
      : differing(entry, 'withdrawal', id, figuresOfWithdrawal(row))
  }
  return undefined
}

function differing(
  entry: AuditedEntry,
  movement: 'order' | 'withdrawal',
  movementId: string,
  figures: readonly string[],
): Finding | undefined {
  const { amount } = entry
  if (amount === null || figures.some((figure) => isSameAmount(figure, amount))) return undefined
  const message = `${entryText(entry)} is none of the figures of its movement: ${figures.join(', ')}`
  return { finding: FindingType.DifferingEntry, movement, movementId, message }
}

function notListed(entry: AuditedEntry, movement: 'order' | 'withdrawal', movementId: string): Finding {
  const message = `${entryText(entry)} is of a movement that the service shows in no list`
  return { finding: FindingType.UnlistedEntry, movement, movementId, message }
}

function entryText({ id, type, amount, assetSymbol, source, createdAt }: AuditedEntry): string {
  const description = `${type ?? 'an entry'} of ${amount} ${assetSymbol ?? '(asset unknown)'}`
  return `ledger entry ${id ?? '(no id)'}, ${description} at ${createdAt}, source ${source?.type} ${source?.id},`
}

/**
 * Finds movements without an entry. Entries that the walk did not meet are read one by one, because an entry may be
 * dated outside the window.
 */
async function findUnposted(
  { fills, withdrawals }: Movements,
  { slice, collected, ports: { service } }: Judging,
  posted: Set<string>,
): Promise<void> {
  for (const { id, orderId, executedAt } of fills.values()) {
    if (!isWithin(slice, executedAt) || (await isPosted('fill', id, posted, service))) continue
    const message = `fill ${id} of order ${orderId} at ${executedAt} has no entry in the ledger`
    collected.find({ finding: FindingType.MissingEntry, movement: 'order', movementId: orderId, message }, executedAt)
  }
  for (const row of withdrawals.values()) {
    const { id, total, createdAt } = row
    if (!mustBeBooked(row) || (await isPosted('withdrawal', id, posted, service))) continue
    const message = `withdrawal ${id} of ${total} in all at ${createdAt} has no entry in the ledger`
    collected.find({ finding: FindingType.MissingEntry, movement: 'withdrawal', movementId: id, message }, createdAt)
  }
}

/** Whether the movement has an entry. Reads it by its source where the walk did not meet it. */
async function isPosted(kind: 'fill' | 'withdrawal', id: string, posted: Set<string>, service: AuditedService) {
  // A source of an unknown kind may be either, so it does not prove that an entry is missing.
  const isMet = () => posted.has(sourceKey({ type: kind, id })) || posted.has(sourceKey({ type: '', id }))
  if (isMet()) return true
  for await (const { source } of service.walkLedger({ sourceId: id }, MOST_OF_ONE)) {
    if (source?.id === id) posted.add(sourceKey(source))
  }
  return isMet()
}

/** Ids are unique only within their kind. */
function sourceKey({ type, id }: NonNullable<AuditedEntry['source']>): string {
  return `${ledgerSourceOf(type)} ${id}`
}

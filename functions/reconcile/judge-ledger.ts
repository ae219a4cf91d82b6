// Holds the ledger against the fills and withdrawals that the lists show, both ways: an entry of a movement
// that no list shows, an entry of another amount, a movement that never reached the ledger.
import { figuresOfFill, figuresOfWithdrawal, mustBeBooked } from '../../core/audit/judge-movement.ts'
import { ledgerSourceOf } from '../../core/contract/ledger-source.ts'
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { isSameAmount } from '../../core/money/decimal.ts'
import { createOlderEntries } from '../../core/movements/older-entries.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { type AuditWindow, isJudged, isWithin, SLACK_MS } from './audit-window.ts'
import type { AuditedEntry, AuditedFill, AuditedOrder, AuditedService } from './ports.ts'

/** From the present back to the stretch that is judged: an entry for each leg of a fill, and a withdrawal's debit, end or refund. */
export const MOST_ENTRIES = 300_000
/** Of one movement. */
const MOST_OF_ONE = 50

export interface Movements {
  readonly fills: ReadonlyMap<string, AuditedFill>
  /** Ids of the orders that the list of the window shows. */
  readonly orders: ReadonlySet<string>
  /** Of the window. */
  readonly withdrawals: ReadonlyMap<string, WithdrawalState>
}

/** Judges a movement of the window that the ledger shows, and that no list does: a list may lack rows. */
export interface JudgeUnlisted {
  order(order: AuditedOrder): Promise<void>
  withdrawal(row: WithdrawalState): Promise<void>
}

type LedgerService = Pick<AuditedService, 'walkLedger' | 'findOrder' | 'findWithdrawal'>

/** `datedAt`: ISO-8601, of the entry or the movement that the finding is about. */
type Find = (finding: Finding, datedAt: string) => void

/** How many entries of the stretch were judged. @throws Transient, Refused, Defect */
export async function judgeLedger(
  movements: Movements,
  window: AuditWindow,
  service: LedgerService,
  find: Find,
  judgeUnlisted: JudgeUnlisted,
): Promise<number> {
  let judged = 0
  const posted = new Set<string>()
  const unlisted = createUnlisted(movements, window, service, judgeUnlisted)
  const isPast = createOlderEntries(window.againFromMs - SLACK_MS)
  for await (const entry of service.walkLedger({}, MOST_ENTRIES)) {
    if (isPast(entry.createdAt)) break
    if (entry.source === null || entry.amount === null) continue
    posted.add(sourceKey(entry.source))
    if (entry.createdAt === null || !isJudged(window, entry.createdAt)) continue
    if (isWithin(window, entry.createdAt)) judged += 1
    const finding = await judgeEntry(entry, movements, unlisted)
    if (finding !== undefined) find(finding, entry.createdAt)
  }
  await findUnposted(movements, window, posted, service, find)
  return judged
}

interface Unlisted {
  /** @returns whether the service shows the order, in the list or by its id */
  hasOrder(id: string): Promise<boolean>
  findWithdrawal(id: string): Promise<WithdrawalState | undefined>
}

/** Asks for what the lists do not show by its id, once each, and has it judged where it is of the window. */
function createUnlisted(
  { orders, withdrawals }: Movements,
  window: AuditWindow,
  service: LedgerService,
  judge: JudgeUnlisted,
): Unlisted {
  const found = { orders: new Map<string, boolean>(), withdrawals: new Map<string, WithdrawalState | undefined>() }
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
  }
}

/** Source types are an open set: deposits and whatever else there is are not ours to judge. */
async function judgeEntry(entry: AuditedEntry, movements: Movements, unlisted: Unlisted): Promise<Finding | undefined> {
  const { type = '', id = '' } = entry.source ?? {}
  const kind = ledgerSourceOf(type)
  if (kind === 'fill') {
    const fill = movements.fills.get(id)
    const orderId = fill?.orderId ?? entry.orderId
    const isShown = orderId !== null && (await unlisted.hasOrder(orderId))
    if (fill !== undefined) return differing(entry, 'order', fill.orderId, figuresOfFill(fill))
    // Older than the fills that were walked, perhaps: its order can be asked for.
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
  const what = `${type ?? 'an entry'} of ${amount} ${assetSymbol ?? '(asset unknown)'}`
  return `ledger entry ${id ?? '(no id)'}, ${what} at ${createdAt}, source ${source?.type} ${source?.id},`
}

/** Those that the walk did not meet are asked for one by one: an entry may be dated outside of the window. */
async function findUnposted(
  { fills, withdrawals }: Movements,
  window: AuditWindow,
  posted: Set<string>,
  service: LedgerService,
  find: Find,
): Promise<void> {
  for (const { id, orderId, executedAt } of fills.values()) {
    if (!isJudged(window, executedAt) || (await isPosted('fill', id, posted, service))) continue
    const message = `fill ${id} of order ${orderId} at ${executedAt} has no entry in the ledger`
    find({ finding: FindingType.MissingEntry, movement: 'order', movementId: orderId, message }, executedAt)
  }
  for (const row of withdrawals.values()) {
    const { id, total, createdAt } = row
    if (!mustBeBooked(row) || (await isPosted('withdrawal', id, posted, service))) continue
    const message = `withdrawal ${id} of ${total} in all at ${createdAt} has no entry in the ledger`
    find({ finding: FindingType.MissingEntry, movement: 'withdrawal', movementId: id, message }, createdAt)
  }
}

/** Asks for what the walk did not meet. */
async function isPosted(kind: 'fill' | 'withdrawal', id: string, posted: Set<string>, service: LedgerService) {
  // A source whose kind cannot be told stands for either: it is no proof that one lacks.
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

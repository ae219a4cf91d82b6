// Holds the movements that the service shows against the claims of the journal: one that nobody claims was made by others,
// or by an intent whose record is lost. Reads only.
import { IntentKind } from '../../core/contract/records.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { JournalTarget } from '../target/journal/journal-target.ts'
import { printable } from '../terminal/printable.ts'
import { type Finding, FindingKind } from './judge.ts'

/** Of each kind: within the usual limits of a service they are read in minutes. */
const MOST_ROWS = 100_000

export interface CheckedMovements {
  readonly movements: number
  readonly unclaimed: readonly Finding[]
  /** Too young to be claimed yet. */
  readonly young: number
}

interface Span {
  readonly sinceMs: number
  /** What was made after it may be under way. */
  readonly untilMs: number
}

/** Movements are dated by the service's clock, so this one says which are young. @throws Transient */
export async function serviceNowMs({ clock }: Pick<ServiceClient, 'clock'>): Promise<number> {
  await clock.measure()
  return clock.nowMs()
}

/** @throws Transient, Refused, Defect for a list that is too long */
export async function checkMovements(
  { journal }: Pick<JournalTarget, 'journal'>,
  client: Pick<ServiceClient, 'walkOrders' | 'walkWithdrawals'>,
  { sinceMs, untilMs }: Span,
): Promise<CheckedMovements> {
  const unclaimed: Finding[] = []
  const counts = { movements: 0, young: 0 }
  const look = async (kind: IntentKind, id: string, createdAt: string, text: string) => {
    counts.movements += 1
    if (Date.parse(createdAt) > untilMs) {
      counts.young += 1
      return
    }
    if ((await journal.findClaim(kind, id)) !== undefined) return
    unclaimed.push({ finding: FindingKind.Unclaimed, about: id, message: `no intent claims ${text}` })
  }
  const filter = { startDate: new Date(sinceMs).toISOString() }
  const bounds = { maxItems: MOST_ROWS, isWhole: true }
  for await (const { id, side, market, baseAmount, createdAt } of client.walkOrders(filter, bounds)) {
    const text = `order ${printable(id)}, a ${printable(side)} of ${baseAmount} on ${printable(market)} at ${printable(createdAt)}`
    await look(IntentKind.Convert, id, createdAt, text)
  }
  for await (const { id, assetSymbol, total, createdAt } of client.walkWithdrawals(filter, bounds)) {
    const text = `withdrawal ${printable(id)} of ${total} ${printable(assetSymbol ?? '(asset unknown)')} at ${printable(createdAt)}`
    await look(IntentKind.Withdraw, id, createdAt, text)
  }
  return { ...counts, unclaimed }
}

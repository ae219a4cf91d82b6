// Compares the service's ledger with the claims of the journal. A movement that no list shows is still in the ledger,
// unless the service itself has lost it. Reads only.
import { findHeldBy, whyUnclaimed } from '../../core/audit/held-by.ts'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { ledgerSourceOf } from '../../core/contract/ledger-types.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { TooMany } from '../../core/errors.ts'
import { createOlderEntries } from '../../core/movements/older-entries.ts'
import { printable } from '../../core/printable.ts'
import type { LedgerEntry } from '../../core/service/ledger.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { IntentAccess } from '../../place/journal/journal-parts.ts'
import { type Finding, FindingKind } from './judge.ts'

const MOST_ENTRIES = 1_000_000
const AT_ONCE = 100

interface CheckedLedger {
  readonly entries: number
  readonly unclaimed: readonly Finding[]
  readonly isCutOff: boolean
}

interface Asked {
  readonly sinceMs: number
  /** Whether a movement of this time, in epoch ms, cannot be claimed yet. */
  readonly isYoung: (atMs: number) => boolean
  /** Whether the lists have shown the movement, which was judged then. */
  readonly isListed: (kind: IntentKind, id: string) => boolean
}

interface Moved {
  readonly kind: IntentKind
  readonly id: string
  readonly entry: LedgerEntry
}

/** @throws Transient, Refused, Defect */
export async function checkLedger(
  { journal }: IntentAccess,
  { walkLedger }: Pick<ServiceClient, 'walkLedger'>,
  { isListed, isYoung, sinceMs }: Asked,
): Promise<CheckedLedger> {
  const unclaimed: Finding[] = []
  const seen = new Set<string>()
  let entries = 0
  const isPast = createOlderEntries(sinceMs)
  let some: Moved[] = []
  const look = async () => {
    await mapBounded(some, READS_AT_ONCE, async ({ entry, id, kind }) => {
      const why = whyUnclaimed(await findHeldBy(kind, id, journal), textOf(entry, kind, id))
      if (why !== undefined) unclaimed.push({ finding: FindingKind.Unclaimed, about: id, message: why })
    })
    some = []
  }
  const done = async (isCutOff: boolean) => {
    await look()
    return { entries, unclaimed, isCutOff }
  }
  try {
    for await (const entry of walkLedger({}, { maxItems: MOST_ENTRIES })) {
      const atMs = entry.createdAt === null ? Number.NaN : Date.parse(entry.createdAt)
      const isOlder = atMs < sinceMs
      if (isPast(entry.createdAt)) break
      if (isOlder || isYoung(atMs)) continue
      entries += 1
      const moved = movedBy(entry)
      if (moved === undefined || isListed(moved.kind, moved.id) || seen.has(`${moved.kind} ${moved.id}`)) continue
      seen.add(`${moved.kind} ${moved.id}`)
      some.push(moved)
      if (some.length === AT_ONCE) await look()
    }
  } catch (error) {
    if (!(error instanceof TooMany)) throw error
    return done(true)
  }
  return done(false)
}

/** A deposit is no movement of an intent, and neither is an entry of unknown origin. */
function movedBy(entry: LedgerEntry): Moved | undefined {
  const { orderId, source } = entry
  if (source === null) return undefined
  const from = ledgerSourceOf(source.type)
  if (from === 'withdrawal') return { kind: IntentKind.Withdraw, id: source.id, entry }
  return from === 'fill' && orderId !== null ? { kind: IntentKind.Convert, id: orderId, entry } : undefined
}

function textOf({ amount, amountShown, assetSymbol, createdAt }: LedgerEntry, kind: IntentKind, id: string): string {
  const name = `${kind === IntentKind.Convert ? 'order' : 'withdrawal'} ${printable(id)}`
  const figure = `${amount ?? amountShown ?? '(amount unknown)'} ${printable(assetSymbol ?? '(asset unknown)')}`
  return `${name}, of which the ledger has ${figure} at ${printable(createdAt ?? '(time unknown)')}, and no list shows it`
}

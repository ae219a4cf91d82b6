// Walks the service's ledger, and yields the lines of a period with their owners. The ledger cannot be asked by date, so the
// walk begins at its newest entry. It holds one part of bounded size at a time. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { FOREIGN } from '../../core/contract/records.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { createOlderEntries } from '../../core/movements/older-entries.ts'
import { printable } from '../../core/printable.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { readListed } from '../movements/export/listed-rows.ts'
import {
  findRowFault,
  type GivenDirections,
  type LedgerLine,
  linesOf,
  type Movement,
  needsRow,
  type ReadEntry,
  readEntry,
  type Undirected,
} from './ledger-line.ts'
import type { Period } from './period.ts'

/** Entries whose owners are read together. */
const PART = 500
/** Reads of the journal at once. They share no rate limit with anybody. */
const CLAIMS_AT_ONCE = 32
/** Maximum entries from the newest back to the period: some years of a busy account. */
export const MOST_ENTRIES = 1_000_000

export interface LineSources {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly service: Pick<ServiceClient, 'walkLedger' | 'walkWithdrawals' | 'findWithdrawal'>
}

interface LineWalk {
  readonly period: Period
  /** Settled code: only this asset. */
  readonly asset?: string | undefined
  /** Called with one sentence for each entry that cannot be read or does not fit. */
  readonly onFault: (why: string) => void
  /** Called with each entry whose type does not say its direction. It is a fault too. */
  readonly onUndirected: (entry: Undirected) => void
  readonly given: GivenDirections
  /** Called with each entry between the midnights around the period, also outside of it. */
  readonly onEntry: (entry: ReadEntry) => void
}

/** The lines of the period, in the service's order. @throws Transient, Refused, TooMany */
export async function* walkLines(sources: LineSources, walk: LineWalk): AsyncGenerator<LedgerLine, void> {
  const { asset, given, onEntry, onFault, onUndirected, period } = walk
  const { closeMs, fromMs, openMs, toMs } = period
  const isPast = createOlderEntries(openMs)
  let part: ReadEntry[] = []
  const filter = asset === undefined ? {} : { assetSymbol: asset }
  for await (const entry of sources.service.walkLedger(filter, { maxItems: MOST_ENTRIES })) {
    if (isPast(entry.createdAt)) break
    const atMs = Date.parse(entry.createdAt ?? '')
    if (atMs < openMs || atMs >= closeMs) continue
    const read = readEntry(entry, given)
    if (typeof read === 'string' || 'why' in read) {
      onFault(printable(typeof read === 'string' ? read : read.why))
      if (typeof read !== 'string') onUndirected(read)
      continue
    }
    onEntry(read)
    if (atMs < fromMs || atMs >= toMs) continue
    part.push(read)
    if (part.length < PART) continue
    yield* ownedLines(part, sources, onFault)
    part = []
  }
  yield* ownedLines(part, sources, onFault)
}

async function* ownedLines(
  part: readonly ReadEntry[],
  { journal, service }: LineSources,
  onFault: LineWalk['onFault'],
): AsyncGenerator<LedgerLine, void> {
  const holders = await holdersOf(part, journal)
  const holderOf = ({ movement }: ReadEntry) => (movement === undefined ? undefined : holders.get(keyOf(movement)))
  const rows = await rowsOf(
    part.filter((entry) => needsRow(entry, holderOf(entry))),
    service,
  )
  for (const entry of part) {
    const holder = holderOf(entry)
    const row = rows.get(entry.sourceId)
    const fault = needsRow(entry, holder) ? findRowFault(entry, row) : undefined
    if (fault !== undefined) onFault(printable(fault))
    yield* linesOf(entry, holder, row)
  }
}

function keyOf({ kind, id }: Movement): string {
  return `${kind} ${id}`
}

/** The intent that holds each movement. A movement of others, declared or not, has none. */
async function holdersOf(
  part: readonly ReadEntry[],
  journal: LineSources['journal'],
): Promise<ReadonlyMap<string, string>> {
  const movements = new Map(
    part.flatMap(({ movement }) => (movement === undefined ? [] : [[keyOf(movement), movement]])),
  )
  const found = await mapBounded([...movements], CLAIMS_AT_ONCE, async ([key, { kind, id }]) => {
    const holder = await journal.findClaim(kind, id)
    return holder === undefined || holder === FOREIGN ? [] : [[key, holder] as const]
  })
  return new Map(found.flat())
}

async function rowsOf(
  entries: readonly ReadEntry[],
  service: LineSources['service'],
): Promise<ReadonlyMap<string, WithdrawalState>> {
  const wanted = new Map(entries.map(({ sourceId, atMs }) => [sourceId, atMs]))
  const rows = new Map<string, WithdrawalState>(await readListed(wanted, service.walkWithdrawals))
  const missing = [...wanted.keys()].filter((id) => !rows.has(id))
  const found = await mapBounded(missing, READS_AT_ONCE, service.findWithdrawal)
  for (const row of found) if (row !== undefined) rows.set(row.id, row)
  return rows
}

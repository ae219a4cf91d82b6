// Reads the entries of the ledger that belong to a slice. The ledger cannot be asked by date. A slice that is the whole
// audit walks it from its first page to entries that are too old. Other slices find their place in it by date, and
// continue from the place of the slice before.
import { createOlderEntries } from '../../core/movements/older-entries.ts'
import { type AuditWindow, SLACK_MS } from './audit-window.ts'
import { LedgerPlaces, type PlacedEntry } from './ledger-places.ts'
import { MOST_OUT_OF_ORDER, MOST_WALKED, YOUNGER_IN_A_ROW } from './limits.ts'
import type { AuditedEntry, AuditedService } from './ports.ts'
import type { Slice } from './slices.ts'

interface SliceEntry extends AuditedEntry {
  /** Whether this slice judges the entry. Another slice judges it otherwise. */
  readonly isJudged: boolean
}

type LedgerService = Pick<AuditedService, 'walkLedger' | 'readLedgerPage'>

export class LedgerEntries {
  readonly #service: LedgerService
  readonly #places: LedgerPlaces
  /** Where the slice before ended, and the place from which the next slice continues. */
  #next: { readonly throughMs: number; readonly place: number } | undefined

  constructor(service: LedgerService) {
    this.#service = service
    this.#places = new LedgerPlaces((page) => service.readLedgerPage(page))
  }

  /** @throws TooMany where a slice that is the whole audit has too many entries */
  of(slice: Slice, window: AuditWindow): AsyncIterable<SliceEntry> {
    return slice.isWhole ? this.#walkAll(window) : this.#walkSlice(slice)
  }

  async *#walkAll({ againFromMs }: AuditWindow): AsyncGenerator<SliceEntry, void> {
    const isPast = createOlderEntries(againFromMs - SLACK_MS)
    for await (const entry of this.#service.walkLedger({}, MOST_WALKED)) {
      if (isPast(entry.createdAt)) return
      yield { ...entry, isJudged: true }
    }
  }

  /**
   * From the oldest entry of the slice to younger ones; in the newest slice to the end, because a service may add an
   * entry with an earlier date. Entries that are dated before the slice were added late, and are judged here.
   */
  async *#walkSlice({ sinceMs, throughMs, isNewest }: Slice): AsyncGenerator<SliceEntry, void> {
    const known = this.#next?.throughMs === sinceMs ? this.#next.place : undefined
    let place = known ?? (await this.#places.findFirstAfter(sinceMs))
    /** Entries that are younger than the slice, oldest place first. The next slice begins with the first of them. */
    const younger: PlacedEntry[] = []
    let inARow = 0
    for await (const placed of this.#places.walkFrom(place)) {
      place = placed.place + 1
      if (!(dateOf(placed) > throughMs)) {
        inARow = 0
        yield { ...placed.entry, isJudged: true }
        continue
      }
      yield { ...placed.entry, isJudged: false }
      // Behind the newest slice everything is too young to be judged.
      if (isNewest) continue
      inARow += 1
      younger.push(placed)
      if (inARow >= YOUNGER_IN_A_ROW) break
      // An entry far out of its order would hold the next slice back, so it is judged here.
      for (let first = younger[0]; first !== undefined && first.place < place - MOST_OUT_OF_ORDER; first = younger[0]) {
        younger.shift()
        yield { ...first.entry, isJudged: true }
      }
    }
    this.#next = { throughMs, place: younger[0]?.place ?? place }
  }
}

function dateOf({ entry: { createdAt } }: PlacedEntry): number {
  return createdAt === null ? Number.NaN : Date.parse(createdAt)
}

// Lists the keys of intents by the hour in which their movement was sent, and of those that are in doubt. The index lags
// behind its table by moments. Reads only.
import { ANY_INTENT, listing } from '../../core/contract/records.ts'
import { listKeys } from '../../core/journal/listed-keys.ts'
import type { JournalTable } from '../aws/aws-address.ts'

const HOUR_MS = 3_600_000
/** Keys on a page of a list. */
const PAGE = 200
/** Hours that are asked for at once, most of them empty. */
const HOURS_AT_ONCE = 8

/** In epoch ms: each hour that begins before `beforeMs` and ends after `sinceMs`, latest first. */
export interface SentSpan {
  readonly sinceMs: number
  readonly beforeMs: number
}

export async function* walkSent(table: JournalTable, { sinceMs, beforeMs }: SentSpan): AsyncGenerator<string, void> {
  // A movement that is proven during the walk leaves this list for one of an hour, and would be listed twice.
  const open = new Set<string>()
  for await (const key of keysIn(table, listing.open)) {
    open.add(key)
    yield key
  }
  const oldest = Math.floor(sinceMs / HOUR_MS)
  for (let hour = Math.ceil(beforeMs / HOUR_MS) - 1; hour >= oldest; hour -= HOURS_AT_ONCE) {
    const hours = Array.from({ length: Math.min(HOURS_AT_ONCE, hour - oldest + 1) }, (_, back) => hour - back)
    const first = await Promise.all(hours.map((each) => listKeys(table, listing.doneInHour(each), { limit: PAGE })))
    for (const [at, { keys, isCutOff }] of first.entries()) {
      for (const key of keys) if (!open.has(key)) yield key
      if (!isCutOff) continue
      for await (const key of keysIn(table, listing.doneInHour(hours[at] ?? hour), keys.at(-1))) {
        if (!open.has(key)) yield key
      }
    }
  }
}

async function* keysIn(table: JournalTable, list: string, from?: string): AsyncGenerator<string, void> {
  let after = from
  for (;;) {
    const { keys, isCutOff } = await listKeys(table, list, { limit: PAGE, after })
    for (const key of keys) if (key.startsWith(ANY_INTENT)) yield key
    after = keys.at(-1)
    if (!isCutOff || after === undefined) return
  }
}

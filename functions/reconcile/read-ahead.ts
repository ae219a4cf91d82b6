// Reads the journal for the judges of a slice. Records of movements are read ahead, several at once and each once; a
// fault is thrown when the record is judged. DONE intents are listed by the hour: an hour that several slices share is
// read once.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { FOREIGN, type IntentKind, intentName, listing } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { findNamed } from '../../core/journal/journal.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import type { Stretch } from './audit-window.ts'
import type { ReconcilePorts } from './ports.ts'
import type { Slice } from './slices.ts'

/** Maximum concurrent reads of the journal, which has no rate limit nearby. */
const RECORDS_AT_ONCE = 16

export class ReadAhead {
  readonly #ports: Pick<ReconcilePorts, 'journal' | 'findUnapproved' | 'findPaidTwice'>
  readonly #claims = new Map<string, Promise<string | undefined>>()
  readonly #intents = new Map<string, Promise<Intent | undefined>>()
  readonly #unapproved = new Map<string, Promise<string | undefined>>()
  readonly #paidTwice = new Map<string, Promise<string | undefined>>()

  constructor(ports: Pick<ReconcilePorts, 'journal' | 'findUnapproved' | 'findPaidTwice'>) {
    this.#ports = ports
  }

  /** @throws Transient */
  async read(kind: IntentKind, movementIds: readonly string[]): Promise<void> {
    await mapBounded(movementIds, RECORDS_AT_ONCE, (id) =>
      findReadable(
        async () => {
          const holder = await this.findClaim(kind, id)
          if (holder === undefined || holder === FOREIGN) return
          const intent = await this.find(holder, kind)
          if (intent?.ref === id) await Promise.all([this.findUnapproved(intent), this.findPaidTwice(intent)])
        },
        () => undefined,
      ),
    )
  }

  findClaim(kind: IntentKind, movementId: string): Promise<string | undefined> {
    return once(this.#claims, intentName(kind, movementId), () => this.#ports.journal.findClaim(kind, movementId))
  }

  find(intentId: string, kind: IntentKind): Promise<Intent | undefined> {
    return once(this.#intents, intentName(kind, intentId), () => this.#ports.journal.find(intentId, kind))
  }

  findUnapproved(intent: Intent): Promise<string | undefined> {
    const name = intentName(intent.kind, intent.intentId)
    return once(this.#unapproved, name, () => this.#ports.findUnapproved(intent))
  }

  findPaidTwice(intent: Intent): Promise<string | undefined> {
    const name = intentName(intent.kind, intent.intentId)
    return once(this.#paidTwice, name, () => this.#ports.findPaidTwice(intent))
  }
}

function once<Read>(known: Map<string, Promise<Read>>, name: string, read: () => Promise<Read>): Promise<Read> {
  const found = known.get(name) ?? read()
  known.set(name, found)
  return found
}

/** Maximum number of DONE intents in one hour. Their names are in memory at once. */
const MOST_IN_AN_HOUR = 1_000_000
const HOUR_MS = 3_600_000

interface Sent {
  readonly name: string
  /** Epoch ms. Undefined where the record cannot be read: each slice of the hour then reports it. */
  readonly armedAtMs: number | undefined
}

type SentSpan = Pick<Slice, keyof Stretch | 'isWhole'>

export class SentIntents {
  readonly #ports: Pick<ReconcilePorts, 'index' | 'journal'>
  #hour: { readonly number: number; readonly sent: readonly Sent[] } | undefined

  constructor(ports: Pick<ReconcilePorts, 'index' | 'journal'>) {
    this.#ports = ports
  }

  /** Names with their kind, and at the ends names of other times. The caller reads each record, and it decides. */
  async *namesWithin({ sinceMs, throughMs, isWhole }: SentSpan): AsyncGenerator<string, void> {
    const hours = Array.from({ length: hourOf(throughMs) - hourOf(sinceMs) + 1 }, (_, nth) => hourOf(sinceMs) + nth)
    // Most hours of a small account are empty.
    for (let at = 0; at < hours.length; at += READS_AT_ONCE) {
      const read = hours.slice(at, at + READS_AT_ONCE)
      yield* (
        await mapBounded(read, READS_AT_ONCE, (hour) => this.#namesIn(hour, { sinceMs, throughMs, isWhole }))
      ).flat()
    }
  }

  async #namesIn(hour: number, { sinceMs, throughMs, isWhole }: SentSpan): Promise<readonly string[]> {
    const isShared = sinceMs > hour * HOUR_MS || throughMs < (hour + 1) * HOUR_MS - 1
    if (isWhole || !isShared) return this.#list(hour)
    return (await this.#sentIn(hour)).flatMap(({ name, armedAtMs }) =>
      armedAtMs === undefined || (armedAtMs > sinceMs && armedAtMs <= throughMs) ? [name] : [],
    )
  }

  async #sentIn(hour: number): Promise<readonly Sent[]> {
    if (this.#hour?.number === hour) return this.#hour.sent
    const names = await this.#list(hour)
    const sent = await mapBounded(names, READS_AT_ONCE, async (name) => {
      const intent = await findReadable(
        () => findNamed(this.#ports.journal, name),
        () => undefined,
      )
      return { name, armedAtMs: intent?.attempt === undefined ? undefined : intent.attempt.iat * 1000 }
    })
    this.#hour = { number: hour, sent }
    return sent
  }

  #list(hour: number): Promise<readonly string[]> {
    return this.#ports.index.list(listing.doneInHour(hour), MOST_IN_AN_HOUR)
  }
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS)
}

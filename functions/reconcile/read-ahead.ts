// Reads the records of a slice's movements ahead of the judges, several at once. Each record is read once, although its
// movement and its intent both lead to it. A fault is thrown when the record is judged.
import { mapBounded } from '../../core/bounded.ts'
import { FOREIGN, type IntentKind, intentName } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import type { ReconcilePorts } from './ports.ts'

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

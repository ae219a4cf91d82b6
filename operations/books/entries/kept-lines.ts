// Keeps the lines of the books on disk, each with the contact of its withdrawal, as the journal froze it. The ledger is
// read from its newest line, and books begin with the oldest. Changes nothing at the service or in the journal.
import { mapBounded } from '../../../core/bounded.ts'
import { IntentKind } from '../../../core/contract/records.ts'
import { Defect } from '../../../core/errors.ts'
import type { Journal } from '../../../core/journal/journal.ts'
import { printable } from '../../../core/printable.ts'
import { openRowsByTime } from '../../files/rows-by-time.ts'
import type { LedgerLine } from '../ledger-line.ts'
import type { Payee } from './book-accounts.ts'
import { BOOK_LINE_FORM, type BookLine, bookLineOf } from './book-line.ts'

/** Lines whose contacts are read together. */
const PART = 500
/** Reads of intents at once. They share no rate limit with the service. */
const INTENTS_AT_ONCE = 32

export interface KeptLines {
  /** Forgets all lines. */
  clear(): void
  /** @throws Transient */
  add(line: LedgerLine): Promise<void>
  /** Called after the last line. @throws Transient */
  finish(): Promise<void>
  oldestFirst(): Iterable<BookLine>
  /** One sentence for each intent whose record cannot be read. */
  unread(): readonly string[]
  close(): void
}

export function openKeptLines(journal: Pick<Journal, 'find'>): KeptLines {
  const rows = openRowsByTime(BOOK_LINE_FORM)
  const unread = new Map<string, string>()
  let part: LedgerLine[] = []

  async function findPayee(intentId: string): Promise<Payee | undefined> {
    try {
      return (await journal.find(intentId, IntentKind.Withdraw))?.frozen.payee
    } catch (error) {
      if (!(error instanceof Defect)) throw error
      unread.set(intentId, printable(`the record of intent ${intentId} cannot be read: ${error.message}`))
      return undefined
    }
  }

  async function finish(): Promise<void> {
    const given = part
    part = []
    const ids = new Set(
      given.flatMap(({ source, intentId }) => (source === 'withdrawal' && intentId !== undefined ? [intentId] : [])),
    )
    const found = await mapBounded([...ids], INTENTS_AT_ONCE, async (id) => [id, await findPayee(id)] as const)
    const payees = new Map(found)
    rows.add(given.map((line) => bookLineOf(line, payees.get(line.intentId ?? ''))))
  }

  return {
    clear() {
      part = []
      unread.clear()
      rows.clear()
    },
    async add(line) {
      part.push(line)
      if (part.length === PART) await finish()
    },
    finish,
    oldestFirst: rows.oldestFirst,
    unread: () => [...unread.values()],
    close: rows.close,
  }
}

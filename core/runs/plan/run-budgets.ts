// What is left of the day's budgets, as planning asks for it. Whether a reservation still counts takes a read of its
// intent, and a day may have thousands: so a plan begins with what is left if all of them count, which is one read a
// budget, and asks after each only where that stands in its way. Reads only.

import type { NewId } from '../../clock.ts'
import { type Budgets, createBudgets } from '../../journal/budgets.ts'
import { type Intent, isSettled } from '../../journal/intent.ts'
import type { FindIntent } from '../../journal/journal.ts'
import type { RecordStore } from '../../journal/record-store.ts'

export interface RunBudgets {
  /** With every reservation taken for a movement: never more than there is. */
  readonly counted: Pick<Budgets, 'left'>
  /** Without those of certified zeros: a read for each reservation of the day. */
  readonly settled: Pick<Budgets, 'left'>
}

/** Some 10 MB; what is forgotten is read again. */
const MOST_REMEMBERED = 5_000
export function createRunBudgets(store: RecordStore, journal: FindIntent, newId: NewId): RunBudgets {
  // To whom no intent is known, none is known to be a zero.
  const nobody: FindIntent = { find: async () => undefined }
  return {
    counted: createBudgets(store, nobody, newId),
    settled: createBudgets(store, remembering(journal), newId),
  }
}

/** The same intents reserve of several budgets, asked at once, and a function is called again: each is read once. */
function remembering(journal: FindIntent): FindIntent {
  const ended = new Map<string, Intent>()
  const underWay = new Map<string, Promise<Intent | undefined>>()

  async function read(intentId: string): Promise<Intent | undefined> {
    const intent = await journal.find(intentId)
    if (intent === undefined || !isSettled(intent.state)) return intent
    if (ended.size >= MOST_REMEMBERED) ended.clear()
    ended.set(intentId, intent)
    return intent
  }

  return {
    async find(intentId) {
      const known = ended.get(intentId) ?? underWay.get(intentId)
      if (known !== undefined) return known
      const asked = read(intentId).finally(() => underWay.delete(intentId))
      underWay.set(intentId, asked)
      return asked
    },
  }
}

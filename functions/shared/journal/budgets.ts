// Budgets: what a scope may give up in a day, of an asset or in value. Reserved right before ARM. What an
// intent reserved counts until that intent is certified to have moved nothing; so nothing has to be
// given back, and no late write can leave a reservation that counts. A reservation is raised, never lowered:
// who reserved less, and comes late, cannot make less of what is about to be sent.
import { IntentState, recordKey } from '../../contract/records.ts'
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import type { NewId } from '../clock.ts'
import { Defect, Transient } from '../errors.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../money/decimal.ts'
import type { Journal } from './journal.ts'
import type { RecordStore } from './record-store.ts'

export interface Budget {
  /** A policy's name, `*` for all, or what guarding/effective-guards.ts makes of a contact. */
  readonly scope: string
  /** YYYY-MM-DD, UTC: the day on which the intent was opened. */
  readonly day: string
  /** Settled code of an asset, or what guarding/effective-guards.ts makes of a value. */
  readonly assetSymbol: string
}

export interface Budgets {
  /**
   * Reserves `amount` for the intent, in all: asking again for no more changes nothing, for more raises it.
   * `undefined` when reserved, else what is left for it. @throws Transient, Defect
   */
  reserve(budget: Budget, intentId: string, amount: Decimal, limit: Decimal): Promise<Decimal | undefined>
  /** What is left of `limit` for an intent that has reserved nothing yet. Reads only. @throws Transient */
  left(budget: Budget, limit: Decimal): Promise<Decimal>
}

/** Movements of one asset, scope and day: more would not fit the record. */
const MOST_RESERVATIONS = 2_000
/** Intents that reserve at the same moment: an order's quote would not outlive a retry of the whole step. */
const MOST_TRIES = 20
/** Ends that one environment keeps in mind: of several days' budgets, some 100 bytes each. */
const MOST_REMEMBERED = 10_000

type Reserved = Readonly<Record<string, string>>

/** `ended`: the intents that the environment knows to be at an end, and whether they are certified zeros. An end never changes. */
export function createBudgets(
  store: RecordStore,
  journal: Pick<Journal, 'find'>,
  newId: NewId,
  ended: Map<string, boolean> = new Map(),
): Budgets {
  /** Whether what the intent reserved no longer counts. */
  async function isZero(intentId: string): Promise<boolean> {
    const known = ended.get(intentId)
    if (known !== undefined) return known
    const state = (await journal.find(intentId))?.state
    const zero = state === IntentState.Rejected || state === IntentState.Exhausted
    if (zero || state === IntentState.Done) {
      if (ended.size >= MOST_REMEMBERED) ended.clear()
      ended.set(intentId, zero)
    }
    return zero
  }

  /** Takes out the reservations of certified zeros, and asks for no more of them once there `isRoom`. */
  async function takeOutZeros(counting: Counting, isRoom: () => boolean): Promise<void> {
    for (const intentId of counting.holders()) if (ended.get(intentId) === true) counting.takeOut(intentId)
    await mapBounded(counting.holders(), READS_AT_ONCE, async (intentId) => {
      if (!isRoom() && (await isZero(intentId))) counting.takeOut(intentId)
    })
  }

  /** Stale: another intent was quicker. */
  async function tryToReserve(
    budget: Budget,
    intentId: string,
    amount: Decimal,
    limit: Decimal,
  ): Promise<Decimal | 'reserved' | 'stale'> {
    const pk = keyOf(budget)
    const known = await store.read(pk)
    const { [intentId]: own, ...reservedByOthers } = (known?.reserved ?? {}) as Reserved
    if (own !== undefined && parseDecimal(own, 'reserved') >= amount) return 'reserved'
    const others = countingOf(reservedByOthers)
    const isRoom = () => amount <= limit - others.sum() && others.size() < MOST_RESERVATIONS
    // Asking after a holder costs a read, so only where the room is needed, and no more than it takes.
    await takeOutZeros(others, isRoom)
    if (others.size() >= MOST_RESERVATIONS) {
      throw new Defect(`more than ${MOST_RESERVATIONS} movements of ${budget.assetSymbol} in a day`)
    }
    if (!isRoom()) return atLeastZero(limit - others.sum())
    const record = {
      ...{ pk, version: (known?.version ?? 0) + 1, stamp: newId() },
      reserved: { ...others.reserved(), [intentId]: formatDecimal(amount) },
    }
    const outcome = known ? await store.replace(record, known.version) : await store.create(record)
    return outcome === 'written' ? 'reserved' : 'stale'
  }

  return {
    async reserve(budget, intentId, amount, limit) {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const outcome = await tryToReserve(budget, intentId, amount, limit)
        if (outcome === 'reserved') return undefined
        if (outcome !== 'stale') return outcome
      }
      throw new Transient('other intents changed the budget meanwhile')
    },

    async left(budget, limit) {
      const known = await store.read(keyOf(budget))
      const counting = countingOf((known?.reserved ?? {}) as Reserved)
      await takeOutZeros(counting, () => false)
      return atLeastZero(limit - counting.sum())
    },
  }
}

function keyOf({ scope, day, assetSymbol }: Budget): string {
  return recordKey.budget(scope, day, assetSymbol)
}

/** What counts in a budget, its sum kept up: a record may hold thousands. */
interface Counting {
  holders(): readonly string[]
  size(): number
  sum(): bigint
  takeOut(intentId: string): void
  reserved(): Reserved
}

function countingOf(reserved: Reserved): Counting {
  const amounts = new Map(Object.entries(reserved))
  let sum = [...amounts.values()].reduce((total, text) => total + parseDecimal(text, 'reserved'), 0n)
  return {
    holders: () => [...amounts.keys()],
    size: () => amounts.size,
    sum: () => sum,
    takeOut(intentId) {
      const amount = amounts.get(intentId)
      if (amount === undefined) return
      sum -= parseDecimal(amount, 'reserved')
      amounts.delete(intentId)
    },
    reserved: () => Object.fromEntries(amounts),
  }
}

function atLeastZero(value: bigint): Decimal {
  return (value < 0n ? 0n : value) as Decimal
}

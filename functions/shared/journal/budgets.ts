// Budgets: what a scope may give up in a day, of an asset or in value. Reserved right before ARM. What an
// intent reserved counts until that intent is certified to have moved nothing; so nothing has to be
// given back, and no late write can leave a reservation that counts. A reservation is raised, never lowered:
// who reserved less, and comes late, cannot make less of what is about to be sent.
import { IntentState, recordKey } from '../../contract/records.ts'
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

type Reserved = Readonly<Record<string, string>>

export function createBudgets(store: RecordStore, journal: Pick<Journal, 'find'>, newId: NewId): Budgets {
  /** Without the reservations of intents that are certified zeros. */
  async function stillCounting(reserved: Reserved): Promise<Reserved> {
    const counting: Record<string, string> = {}
    for (const [intentId, amount] of Object.entries(reserved)) {
      const state = (await journal.find(intentId))?.state
      if (state !== IntentState.Rejected && state !== IntentState.Exhausted) counting[intentId] = amount
    }
    return counting
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
    let { [intentId]: own, ...others } = (known?.reserved ?? {}) as Reserved
    if (own !== undefined && parseDecimal(own, 'reserved') >= amount) return 'reserved'
    const isFull = () => amount > limit - sumOf(others) || Object.keys(others).length >= MOST_RESERVATIONS
    // Asking after every holder costs a read each, so only where the room is needed.
    if (isFull()) others = await stillCounting(others)
    if (Object.keys(others).length >= MOST_RESERVATIONS) {
      throw new Defect(`more than ${MOST_RESERVATIONS} movements of ${budget.assetSymbol} in a day`)
    }
    if (isFull()) return atLeastZero(limit - sumOf(others))
    const record = {
      ...{ pk, version: (known?.version ?? 0) + 1, stamp: newId() },
      reserved: { ...others, [intentId]: formatDecimal(amount) },
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
      return atLeastZero(limit - sumOf(await stillCounting((known?.reserved ?? {}) as Reserved)))
    },
  }
}

function keyOf({ scope, day, assetSymbol }: Budget): string {
  return recordKey.budget(scope, day, assetSymbol)
}

function sumOf(reserved: Reserved): bigint {
  return Object.values(reserved).reduce((sum, text) => sum + parseDecimal(text, 'reserved'), 0n)
}

function atLeastZero(value: bigint): Decimal {
  return (value < 0n ? 0n : value) as Decimal
}

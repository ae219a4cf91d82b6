// Outflow budgets: what a scope may send of an asset in a day. Reserved right before ARM. What an
// intent reserved counts until that intent is certified to have moved nothing; so nothing has to be
// given back, and no late write can leave a reservation that counts.
import { IntentState, recordKey } from '../../contract/records.ts'
import type { NewId } from '../clock.ts'
import { Defect, Transient } from '../errors.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../money/decimal.ts'
import type { Journal } from './journal.ts'
import type { RecordStore } from './record-store.ts'

export interface Budget {
  /** A policy's name, or `*` for all. */
  readonly scope: string
  /** YYYY-MM-DD, UTC: the day on which the intent was opened. */
  readonly day: string
  readonly assetSymbol: string
}

export interface Budgets {
  /**
   * Reserves `amount` for the intent, once: asking again changes nothing. `undefined` when
   * reserved, else what is left. @throws Transient, Defect
   */
  reserve(budget: Budget, intentId: string, amount: Decimal, limit: Decimal): Promise<Decimal | undefined>
}

/** Movements of one asset, scope and day: more would not fit the record. */
const MOST_RESERVATIONS = 2_000

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

  async function reserve(
    budget: Budget,
    intentId: string,
    amount: Decimal,
    limit: Decimal,
  ): Promise<Decimal | undefined> {
    const pk = recordKey.budget(budget.scope, budget.day, budget.assetSymbol)
    const known = await store.read(pk)
    let reserved = (known?.reserved ?? {}) as Reserved
    if (reserved[intentId] !== undefined) return undefined
    const isFull = () => amount > limit - sumOf(reserved) || Object.keys(reserved).length >= MOST_RESERVATIONS
    // Asking after every holder costs a read each, so only where the room is needed.
    if (isFull()) reserved = await stillCounting(reserved)
    if (Object.keys(reserved).length >= MOST_RESERVATIONS) {
      throw new Defect(`more than ${MOST_RESERVATIONS} movements of ${budget.assetSymbol} in a day`)
    }
    if (isFull()) return atLeastZero(limit - sumOf(reserved))
    const record = {
      ...{ pk, version: (known?.version ?? 0) + 1, stamp: newId() },
      reserved: { ...reserved, [intentId]: formatDecimal(amount) },
    }
    const outcome = known ? await store.replace(record, known.version) : await store.create(record)
    if (outcome === 'stale') throw new Transient('another intent changed the budget meanwhile')
    return undefined
  }

  return { reserve }
}

function sumOf(reserved: Reserved): bigint {
  return Object.values(reserved).reduce((sum, text) => sum + parseDecimal(text, 'reserved'), 0n)
}

function atLeastZero(value: bigint): Decimal {
  return (value < 0n ? 0n : value) as Decimal
}

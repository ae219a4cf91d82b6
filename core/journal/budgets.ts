// Budgets bound how much a scope may sell and withdraw in a day, of an asset or in value. An intent reserves its amount
// right before ARM, on each day on which it could still move. The reservation counts until the intent is certified to
// have moved nothing. It may be raised, and is never lowered or given back, so that no late write takes anything away
// from a send. A long record holds the sum of its DONE intents in place of a list.

import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import type { NewId } from '../clock.ts'
import { type IntentName, IntentState, recordKey } from '../contract/records.ts'
import { Defect, Transient } from '../errors.ts'
import { type Decimal, greatest, least, minus, ZERO } from '../money/decimal.ts'
import { type FindIntent, findNamed } from './journal.ts'
import { putOver, type RecordStore, type StoredRecord } from './record-store.ts'
import {
  type Counting,
  countingOf,
  isOfOneDay,
  listedIn,
  type Reserved,
  reservationOf,
  reservationText,
  reservedIn,
  sumsText,
  withSumsOf,
} from './reservations.ts'
import { daysOf, type Span, windowOf } from './sending-days.ts'

export interface Budget {
  /** A policy's name, `*` for all, or the scope that guards/effective-guards.ts builds for a contact. */
  readonly scope: string
  /** Settled code of an asset, or the symbol that guards/effective-guards.ts builds for a value. */
  readonly assetSymbol: string
  /** When the reserved amount could move. */
  readonly span: Span
  /** Counts over any 24 hours, not by days in UTC. */
  readonly isRolling: boolean
}

/** The amount that an intent is to reserve, and the limit for all. */
interface Reserving {
  readonly intent: IntentName
  readonly amount: Decimal
  readonly limit: Decimal
}

export interface Budgets {
  /**
   * Reserves `amount` in total for the intent. A repeated call with no more writes nothing, and with more raises the
   * reservation. Each call compares with its `limit`. `undefined` when reserved, otherwise what is left for the intent.
   * @throws Transient, Defect
   */
  reserve(budget: Budget, intent: IntentName, amount: Decimal, limit: Decimal): Promise<Decimal | undefined>
  /** The rest of `limit` for an intent without a reservation. Reads only. @throws Transient, Defect */
  left(budget: Budget, limit: Decimal): Promise<Decimal>
}

/** Maximum unfinished movements of one asset, scope and day, or around a midnight. More would not fit the record. */
export const MOST_RESERVATIONS = 2_000
/** Number of listed intents from which DONE ones are summed up. */
const SUMS_FROM = 256
/** Maximum intents of a long record that are checked for each reservation. Each new intent may so remove several. */
const MOST_ASKED = 64
/**
 * Maximum tries when intents reserve at the same moment. An order's quote would not outlive a retry of the whole step.
 */
const MOST_TRIES = 20
/** Maximum ended intents that one environment remembers, for budgets of several days, about 100 bytes each. */
const MOST_REMEMBERED = 10_000

/**
 * `ended`: intents that the environment knows to have ended, and whether each is a certified zero. An end never
 * changes. `sumsFrom`: a parameter because a simulation has few intents.
 */
export function createBudgets(
  store: RecordStore,
  journal: FindIntent,
  newId: NewId,
  ended: Map<string, boolean> = new Map(),
  sumsFrom: number = SUMS_FROM,
): Budgets {
  /** Whether the intent's reservation no longer counts. */
  async function isZero(holder: string): Promise<boolean> {
    const known = ended.get(holder)
    if (known !== undefined) return known
    const state = (await findNamed(journal, holder))?.state
    const zero = state === IntentState.Rejected || state === IntentState.Exhausted
    if (zero || state === IntentState.Done) {
      if (ended.size >= MOST_REMEMBERED) ended.clear()
      ended.set(holder, zero)
    }
    return zero
  }

  async function isDone(holder: string): Promise<boolean> {
    return !(await isZero(holder)) && ended.has(holder)
  }

  /**
   * Checks intents of a long record, so that it can be shortened. True where it read any: the record may have changed
   * meanwhile.
   */
  async function hasChecked(known: StoredRecord | undefined, intent: IntentName): Promise<boolean> {
    const { [intent]: _own, ...reserved } = reservedIn(known)
    const listed = listedIn(reserved)
    if (listed.length < sumsFrom) return false
    const unknown = listed.filter((holder) => !ended.has(holder))
    // Checks different intents each time, because the first ones may all be in doubt.
    const first = ((known?.version ?? 0) * MOST_ASKED) % (unknown.length || 1)
    const checked = [...unknown.slice(first), ...unknown.slice(0, first)].slice(0, MOST_ASKED)
    await mapBounded(checked, READS_AT_ONCE, isZero)
    return checked.length > 0
  }

  /**
   * Reservations of others in the first record, without known certified zeros. A long record gets its DONE intents
   * summed up.
   */
  async function shortened(
    pk: string,
    [known, ...further]: readonly (StoredRecord | undefined)[],
    intent: IntentName,
  ): Promise<Reserved> {
    const { [intent]: _own, ...reserved } = reservedIn(known)
    const listed = listedIn(reserved)
    // Checks all before anybody is refused.
    if (listed.length >= MOST_RESERVATIONS) await mapBounded(listed, READS_AT_ONCE, isZero)
    const counting = Object.fromEntries(Object.entries(reserved).filter(([holder]) => ended.get(holder) !== true))
    if (listed.length < sumsFrom) return counting
    const elsewhere = further.map(reservedIn)
    const done = listed.filter(
      (holder) =>
        ended.get(holder) === false &&
        // In any 24 hours an intent counts once, wherever it is listed.
        isOfOneDay(String(reserved[holder]), pk) &&
        elsewhere.every((other) => other[holder] === undefined),
    )
    return withSumsOf(done, counting, pk)
  }

  /**
   * Sums the reservations of other intents that count, without certified zeros. Checks intents only until `isRoom` is
   * true.
   */
  async function countOthers(
    records: readonly (StoredRecord | undefined)[],
    { span, isRolling }: Budget,
    intent: IntentName | undefined,
    isRoom: (others: Counting) => boolean,
  ): Promise<Decimal> {
    const counting = countingOf(records, isRolling ? windowOf(span).afterMs : undefined, intent)
    for (const holder of counting.holders()) if (ended.get(holder) === true) counting.takeOut(holder)
    await mapBounded(counting.holders(), READS_AT_ONCE, async (holder) => {
      // Checking an intent costs a read, so it is done only while room is missing.
      if (!isRoom(counting) && (await isZero(holder))) counting.takeOut(holder)
    })
    return counting.sum()
  }

  /** Reads the records that count for a day: its own record, and in a rolling window the records of the days before. */
  async function readDays(budget: Budget, day: string): Promise<readonly (StoredRecord | undefined)[]> {
    const days = budget.isRolling ? windowOf(budget.span).days.filter((each) => each !== day) : []
    return Promise.all([day, ...days].map((each) => store.read(keyOf(budget, each))))
  }

  /** `stale`: another intent was quicker, or may have been. `tries`: what the tries of one reservation remember. */
  async function tryToReserve(
    day: string,
    budget: Budget,
    { intent, amount, limit }: Reserving,
    tries: { isFirst: boolean; askedAtSums: string },
  ): Promise<Decimal | 'reserved' | 'stale'> {
    const records = await readDays(budget, day)
    const [known] = records
    const reserved = reservedIn(known)
    const wanted = { amount, ...(budget.isRolling && { untilMs: budget.span.toMs }) }
    const before = reserved[intent]
    const own = before === undefined ? undefined : reservationOf(before)
    // An intent in a sum was DONE before the sum was written. It is DONE now too, and would count twice. A later try asks
    // again only if the sums have changed since.
    const sums = sumsText(records.map(reservedIn))
    const mayBeInSum = own === undefined && sums !== tries.askedAtSums
    if (mayBeInSum && (await isDone(intent))) throw new Transient('the intent has ended meanwhile')
    if (mayBeInSum) tries.askedAtSums = sums
    const sum = await countOthers(records, budget, intent, (others) => amount <= minus(limit, others.sum()))
    const left = minus(limit, sum)
    // Also for an intent with a reservation, because the limit may be lower than when it reserved.
    if (amount > left) return greatest(left, ZERO)
    if (own && own.amount >= amount && (own.untilMs ?? 0) >= (wanted.untilMs ?? 0)) return 'reserved'
    if (tries.isFirst) {
      tries.isFirst = false
      // These reads take time, in which others write. So the record is read again right before its write.
      if ((await hasChecked(known, intent)) || mayBeInSum) return 'stale'
    }
    const pk = keyOf(budget, day)
    const others = await shortened(pk, records, intent)
    if (listedIn(others).length >= MOST_RESERVATIONS) throw new Defect(fullText(budget, day))
    const next = { ...others, [intent]: reservationText(wanted, own) }
    const outcome = await putOver({ store, newId }, known, pk, { reserved: next })
    return outcome === 'written' ? 'reserved' : 'stale'
  }

  async function reserveOn(day: string, budget: Budget, reserving: Reserving): Promise<Decimal | undefined> {
    const tries = { isFirst: true, askedAtSums: '' }
    for (let nth = 0; nth < MOST_TRIES; nth += 1) {
      const outcome = await tryToReserve(day, budget, reserving, tries)
      if (outcome === 'reserved') return undefined
      if (outcome !== 'stale') return outcome
    }
    throw new Transient('other intents changed the budget meanwhile')
  }

  return {
    async reserve(budget, intent, amount, limit) {
      // The stricter reading: where it could still move after midnight, it counts on both days.
      for (const day of daysOf(budget.span)) {
        const left = await reserveOn(day, budget, { intent, amount, limit })
        if (left !== undefined) return left
      }
      return undefined
    },

    async left(budget, limit) {
      const leftOn = daysOf(budget.span).map(async (day) =>
        greatest(minus(limit, await countOthers(await readDays(budget, day), budget, undefined, () => false)), ZERO),
      )
      return (await Promise.all(leftOn)).reduce(least)
    },
  }
}

function fullText({ scope, assetSymbol }: Budget, day: string): string {
  return `the budget ${scope} ${assetSymbol} of ${day} lists ${MOST_RESERVATIONS} unfinished movements, and can list no more: finish those that are under way or wait for a person (sluice cases list)`
}

function keyOf({ scope, assetSymbol }: Budget, day: string): string {
  return recordKey.budget(scope, day, assetSymbol)
}

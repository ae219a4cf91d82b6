// Budgets: how much a scope may give up in a day, of an asset or in value. An intent reserves its amount right before
// ARM, on each day on which it could still move. The reservation counts until the intent is certified to have moved
// nothing. So nothing has to be given back, and no late write can leave a reservation that counts. A reservation is
// raised and never lowered: a process that is late, and would reserve less, takes nothing from what is about to be sent.
// A record that has become long lists no intents that are DONE: it holds the sum of what they reserved.

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
  hasSums,
  isOfOneDay,
  listedIn,
  type Reserved,
  reservationOf,
  reservationText,
  reservedIn,
  withSumsOf,
} from './reservations.ts'
import { daysOf, type Span, windowOf } from './sending-days.ts'

export interface Budget {
  /** A policy's name, `*` for all, or what guards/effective-guards.ts makes of a contact. */
  readonly scope: string
  /** Settled code of an asset, or what guards/effective-guards.ts makes of a value. */
  readonly assetSymbol: string
  /** When what is reserved could move. */
  readonly span: Span
  /** Counts over any 24 hours, and not by days of UTC. */
  readonly isRolling: boolean
}

/** How much an intent is to have reserved, of how much in all. */
interface Reserving {
  readonly intent: IntentName
  readonly amount: Decimal
  readonly limit: Decimal
}

export interface Budgets {
  /**
   * Reserves `amount` in all for the intent. Asked again for no more, it changes nothing; asked for more, it raises
   * the reservation. `undefined` when reserved, else what is left for the intent. @throws Transient, Defect
   */
  reserve(budget: Budget, intent: IntentName, amount: Decimal, limit: Decimal): Promise<Decimal | undefined>
  /** What is left of `limit` for an intent that has reserved nothing yet. Reads only. @throws Transient */
  left(budget: Budget, limit: Decimal): Promise<Decimal>
}

/** Movements of one asset, scope and day that are not at an end, or around a midnight: more would not fit the record. */
export const MOST_RESERVATIONS = 2_000
/** From so many in a record on, those that are DONE go into its sums. */
const SUMS_FROM = 256
/** So many of a long record are asked after at each write: for each that comes, several may go. */
const MOST_ASKED = 64
/** Intents that reserve at the same moment: an order's quote would not outlive a retry of the whole step. */
const MOST_TRIES = 20
/** Ends that one environment keeps in mind: of several days' budgets, some 100 bytes each. */
const MOST_REMEMBERED = 10_000

/**
 * `ended`: the intents that the environment knows to be at an end, and whether they are certified zeros. An end never
 * changes. `sumsFrom`: a simulation has few intents.
 */
export function createBudgets(
  store: RecordStore,
  journal: FindIntent,
  newId: NewId,
  ended: Map<string, boolean> = new Map(),
  sumsFrom: number = SUMS_FROM,
): Budgets {
  /** Whether what the intent reserved no longer counts. */
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

  /** What the first of `records` holds of others: without the certified zeros that are known by now, and where it is long with those that are DONE in sums. */
  async function shortened(
    pk: string,
    [known, ...further]: readonly (StoredRecord | undefined)[],
    intent: IntentName,
  ): Promise<Reserved> {
    const { [intent]: _own, ...reserved } = reservedIn(known)
    const listed = listedIn(reserved)
    if (listed.length >= sumsFrom) {
      const unknown = listed.filter((holder) => !ended.has(holder))
      // In turn, as the first may all be in doubt; all of them before anybody is refused.
      const first =
        listed.length >= MOST_RESERVATIONS ? 0 : ((known?.version ?? 0) * MOST_ASKED) % (unknown.length || 1)
      const most = listed.length >= MOST_RESERVATIONS ? MOST_RESERVATIONS : MOST_ASKED
      const asked = [...unknown.slice(first), ...unknown.slice(0, first)].slice(0, most)
      await mapBounded(asked, READS_AT_ONCE, isZero)
    }
    const counting = Object.fromEntries(Object.entries(reserved).filter(([holder]) => ended.get(holder) !== true))
    if (listed.length < sumsFrom) return counting
    const elsewhere = further.map(reservedIn)
    const done = listed.filter(
      (holder) =>
        ended.get(holder) === false &&
        // In any 24 hours it counts once, wherever it is listed.
        isOfOneDay(String(reserved[holder]), pk) &&
        elsewhere.every((other) => other[holder] === undefined),
    )
    return withSumsOf(done, counting, pk)
  }

  /** What others have reserved that counts with this, without the certified zeros, of which no more is asked once there `isRoom`. */
  async function countOthers(
    records: readonly (StoredRecord | undefined)[],
    { span, isRolling }: Budget,
    intent: IntentName | undefined,
    isRoom: (others: Counting) => boolean,
  ): Promise<Decimal> {
    const counting = countingOf(records, isRolling ? windowOf(span).afterMs : undefined, intent)
    for (const holder of counting.holders()) if (ended.get(holder) === true) counting.takeOut(holder)
    await mapBounded(counting.holders(), READS_AT_ONCE, async (holder) => {
      // Asking after a holder costs a read, so only where the room is needed, and no more than it takes.
      if (!isRoom(counting) && (await isZero(holder))) counting.takeOut(holder)
    })
    return counting.sum()
  }

  /** The records that count for a day: of that day, and in a rolling window of those before. */
  async function readDays(budget: Budget, day: string): Promise<readonly (StoredRecord | undefined)[]> {
    const days = budget.isRolling ? windowOf(budget.span).days.filter((each) => each !== day) : []
    return Promise.all([day, ...days].map((each) => store.read(keyOf(budget, each))))
  }

  /** Stale: another intent was quicker. */
  async function tryToReserve(
    day: string,
    budget: Budget,
    { intent, amount, limit }: Reserving,
  ): Promise<Decimal | 'reserved' | 'stale'> {
    const records = await readDays(budget, day)
    const [known] = records
    const reserved = reservedIn(known)
    const wanted = { amount, ...(budget.isRolling && { untilMs: budget.span.toMs }) }
    const before = reserved[intent]
    const own = before === undefined ? undefined : reservationOf(before)
    if (own && own.amount >= amount && (own.untilMs ?? 0) >= (wanted.untilMs ?? 0)) return 'reserved'
    // Whoever is in a sum was DONE before the sum was written: so it is now, and would count twice.
    const mayBeInSum = own === undefined && records.some((record) => hasSums(reservedIn(record)))
    if (mayBeInSum && (await isDone(intent))) throw new Transient('the intent has come to its end meanwhile')
    const sum = await countOthers(records, budget, intent, (others) => amount <= minus(limit, others.sum()))
    const left = minus(limit, sum)
    if (amount > left) return greatest(left, ZERO)
    const pk = keyOf(budget, day)
    const others = await shortened(pk, records, intent)
    if (listedIn(others).length >= MOST_RESERVATIONS) throw new Defect(fullText(budget, day))
    const next = { ...others, [intent]: reservationText(wanted, own) }
    const outcome = await putOver({ store, newId }, known, pk, { reserved: next })
    return outcome === 'written' ? 'reserved' : 'stale'
  }

  async function reserveOn(day: string, budget: Budget, reserving: Reserving): Promise<Decimal | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const outcome = await tryToReserve(day, budget, reserving)
      if (outcome === 'reserved') return undefined
      if (outcome !== 'stale') return outcome
    }
    throw new Transient('other intents changed the budget meanwhile')
  }

  return {
    async reserve(budget, intent, amount, limit) {
      // The dearer reading: where it could still move after midnight, it counts on either day.
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
  return `the budget ${scope} ${assetSymbol} of ${day} lists ${MOST_RESERVATIONS} movements that are not at an end, and can list no more: bring to an end what is under way or waits for a person (sluice cases list)`
}

function keyOf({ scope, assetSymbol }: Budget, day: string): string {
  return recordKey.budget(scope, day, assetSymbol)
}

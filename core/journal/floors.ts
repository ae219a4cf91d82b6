// A floor says how much of an asset must stay in the account. Right before ARM, it is compared with the balance, less
// the service's frozen part and what other movements under a floor are about to take. A record lists those movements,
// so that two that start together see each other.
//
// A conversion is DONE once its order is accepted, and may fill long after, so it is listed until its order ends. The
// list and the orders are read before the balance: a movement that has left the list is already in the balance.

import * as z from 'zod/mini'
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import type { NewId } from '../clock.ts'
import { ConvertEnd, GuardCode } from '../contract/outcomes.ts'
import { findIntentName, type IntentName, IntentState, recordKey } from '../contract/records.ts'
import { KeyFault } from '../errors.ts'
import {
  type Decimal,
  formatDecimal,
  greatest,
  minus,
  parseDecimal,
  parseSignedDecimal,
  sumOf,
  ZERO,
} from '../money/decimal.ts'
import type { BalanceReads, FloorReads, OrderState } from '../service/ports.ts'
import { type ConvertIntent, isConversion, isSettled } from './intent.ts'
import { type FindIntent, findNamed } from './journal.ts'
import type { Refusal } from './moves.ts'
import { readWithOwnKey } from './own-key.ts'
import { checkRecord } from './record-format.ts'
import { putOver, type RecordStore } from './record-store.ts'

export interface Floor {
  /** Settled code. */
  readonly assetSymbol: string
  /** Settled units that must stay. */
  readonly keep: Decimal
}

/** `isForNow`: the refusal depends on movements that the balance may already contain. */
type FloorRefusal = Refusal & { readonly isForNow?: true }

export interface Floors {
  /**
   * Reserves `amount` under the floor. `undefined`: after `amount` leaves, at least the floor is left, and others now
   * count this amount. Otherwise the reason for the refusal.
   * @throws Transient, KeyFault, Defect
   */
  hold(intent: IntentName, amount: Decimal, floor: Floor, service: FloorReads): Promise<FloorRefusal | undefined>
}

/**
 * Maximum reads of the list and the balance. An accepted movement is in the balance and is also listed until its intent
 * is DONE, some tens of milliseconds later. This many reads last that long, and a quote outlives them.
 */
const MOST_LOOKS = 6

/** Settled units, by the name of an intent with its kind. */
type Taking = Readonly<Record<string, string>>

interface Other {
  readonly holder: string
  /** Listed settled units. */
  readonly listed: string
  /** Settled units that the movement may still take. */
  readonly takes: Decimal
  /** The movement waits for its order, which takes longer than a few reads. */
  readonly isPlaced?: true
  /** Why its order could not be read. */
  readonly why?: string
}
const floorFields = z.object({ taking: z.record(z.string(), z.string()) })

export function createFloors(store: RecordStore, journal: FindIntent, newId: NewId): Floors {
  /** The other movements that have not ended. A READY one is about to be sent. */
  async function stillTaking(taking: Taking, intent: IntentName, service: FloorReads): Promise<readonly Other[]> {
    const others = Object.entries(taking).filter(([holder]) => holder !== intent)
    const live = await mapBounded(others, READS_AT_ONCE, async ([holder, listed]): Promise<readonly Other[]> => {
      const other = { holder, listed, takes: parseDecimal(listed, 'taking') }
      const found = await findNamed(journal, holder)
      if (found === undefined || !isSettled(found.state)) return [other]
      // Otherwise its amount is already in the balance, or it took nothing.
      if (found.state !== IntentState.Done || !isConversion(found)) return []
      return untilFilled(other, found, service)
    })
    return live.flat()
  }

  return {
    async hold(intent, amount, floor, service) {
      const pk = recordKey.inFlight(floor.assetSymbol)
      let others: readonly Other[] = []
      for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
        const known = await store.read(pk)
        const taking: Taking = known === undefined ? {} : checkRecord(floorFields, known).taking
        others = await stillTaking(taking, intent, service)
        const left = minus(await spendable(floor.assetSymbol, service), amount)
        if (left < floor.keep) return { why: shortText(floor, left), guardedBy: GuardCode.Floor }
        // A placed order fills later than these reads end. Other movements may end meanwhile, so they are read again.
        if (minus(left, takenBy(others.filter(({ isPlaced }) => isPlaced))) < floor.keep) break
        if (minus(left, takenBy(others)) < floor.keep) continue
        const own = taking[intent]
        if (own !== undefined && parseDecimal(own, 'taking') >= amount) return undefined
        const listed = Object.fromEntries(others.map(({ holder, listed }) => [holder, listed]))
        const taken = { taking: { ...listed, [intent]: formatDecimal(amount) } }
        const outcome = await putOver({ store, newId }, known, pk, taken)
        if (outcome === 'written') return undefined
      }
      return { why: busyText(floor, others), guardedBy: GuardCode.Floor, isForNow: true }
    },
  }
}

/**
 * Returns a DONE conversion unless its order has ended. The filled part may already be in the balance, so only the rest
 * counts. Only a key of the account that placed the order can remove it from the list.
 */
async function untilFilled(other: Other, done: ConvertIntent, service: FloorReads): Promise<readonly Other[]> {
  const placed = { ...other, isPlaced: true } as const
  try {
    const order = await findOrderOf(done, service)
    if (order === undefined) return [placed]
    if (order.status === ConvertEnd.Filled || order.status === ConvertEnd.Failed) return []
    const filled = done.params.side === 'SELL' ? order.filledBaseAmount : order.filledQuoteAmount
    return [{ ...placed, takes: greatest(ZERO, minus(other.takes, parseDecimal(filled, 'filled'))) }]
  } catch (error) {
    if (error instanceof KeyFault) return [{ ...placed, why: error.message }]
    throw error
  }
}

function findOrderOf({ ref = '', attempt }: ConvertIntent, service: FloorReads): Promise<OrderState | undefined> {
  const look = () => service.findOrder(ref)
  // The intent's record was lost, and a person named its order.
  return attempt === undefined ? look() : readWithOwnKey({ account: attempt.account, kid: attempt.kid }, service, look)
}

/** Balance less the frozen part. The service does not say whether the balance includes the frozen part. */
async function spendable(assetSymbol: string, { balances }: BalanceReads): Promise<Decimal> {
  const held = (await balances()).find((each) => each.assetSymbol === assetSymbol)
  if (held === undefined) return ZERO
  return minus(
    parseSignedDecimal(held.balance, `balance of ${assetSymbol}`),
    parseSignedDecimal(held.balanceFrozen, `balanceFrozen of ${assetSymbol}`),
  )
}

function takenBy(others: readonly Other[]): Decimal {
  return sumOf(others.map(({ takes }) => takes))
}

function shortText({ assetSymbol, keep }: Floor, left: Decimal): string {
  return `keep: ${formatDecimal(keep)} ${assetSymbol} is to stay, and this would leave ${formatDecimal(left)}`
}

function busyText({ assetSymbol, keep }: Floor, others: readonly Other[]): string {
  const ids = others.slice(0, 3).map(({ holder }) => findIntentName(holder)?.intentId)
  const because = others.find(({ why }) => why !== undefined)?.why
  const whose = ids.length === 0 ? 'others' : ids.join(', ')
  return `keep: ${formatDecimal(keep)} ${assetSymbol} is to stay, and how much of it ${whose} will take is not certain yet${because === undefined ? '' : `: ${because}`}`
}

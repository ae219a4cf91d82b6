// Floors: how much of an asset must stay in the account. Right before ARM the floor is held against the balance of that
// moment, less what the service has frozen, and less what other movements under a floor are about to take. A record
// lists those, so that two that start together see each other. The record is read before the balance: a movement that
// has left the list is in the balance by then.

import * as z from 'zod/mini'
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import type { NewId } from '../clock.ts'
import { GuardCode } from '../contract/outcomes.ts'
import { findIntentName, type IntentName, recordKey } from '../contract/records.ts'
import { type Decimal, formatDecimal, minus, parseDecimal, parseSignedDecimal, sumOf, ZERO } from '../money/decimal.ts'
import type { BalanceReads } from '../service/ports.ts'
import { isSettled } from './intent.ts'
import { type FindIntent, findNamed } from './journal.ts'
import type { Refusal } from './moves.ts'
import { checkRecord } from './record-format.ts'
import { putOver, type RecordStore } from './record-store.ts'

export interface Floor {
  /** Settled code. */
  readonly assetSymbol: string
  /** Settled units. */
  readonly keep: Decimal
}

/** `isForNow`: it hangs on movements of which the balance may know already. */
export type FloorRefusal = Refusal & { readonly isForNow?: true }

export interface Floors {
  /**
   * `undefined`: with `amount` gone too, at least the floor is left, and others count that from now on. Else why not.
   * @throws Transient, KeyFault, Defect
   */
  hold(intent: IntentName, amount: Decimal, floor: Floor, service: BalanceReads): Promise<FloorRefusal | undefined>
}

/**
 * A movement that was accepted is in the balance, and counted besides until its intent is DONE, some tens of
 * milliseconds later: looks as long as that takes, and a quote still lives after them.
 */
const MOST_LOOKS = 6

/** By the name of an intent with its kind: settled units. */
type Taking = Readonly<Record<string, string>>
const floorFields = z.object({ taking: z.record(z.string(), z.string()) })

export function createFloors(store: RecordStore, journal: FindIntent, newId: NewId): Floors {
  /** Those of others that are not at an end. One that is READY is about to be sent. */
  async function stillTaking(taking: Taking, intent: IntentName): Promise<Taking> {
    const others = Object.entries(taking).filter(([holder]) => holder !== intent)
    const live = await mapBounded(others, READS_AT_ONCE, async (other) => {
      const holder = await findNamed(journal, other[0])
      // Once it is settled, what it took is in the balance, or it took nothing.
      return holder !== undefined && isSettled(holder.state) ? [] : [other]
    })
    return Object.fromEntries(live.flat())
  }

  return {
    async hold(intent, amount, floor, service) {
      const pk = recordKey.inFlight(floor.assetSymbol)
      let others: Taking = {}
      for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
        const known = await store.read(pk)
        const taking: Taking = known === undefined ? {} : checkRecord(floorFields, known).taking
        others = await stillTaking(taking, intent)
        const left = minus(await spendable(floor.assetSymbol, service), amount)
        if (left < floor.keep) return { why: shortText(floor, left), guardedBy: GuardCode.Floor }
        if (minus(left, takenBy(others)) < floor.keep) continue
        const own = taking[intent]
        if (own !== undefined && parseDecimal(own, 'taking') >= amount) return undefined
        const taken = { taking: { ...others, [intent]: formatDecimal(amount) } }
        const outcome = await putOver({ store, newId }, known, pk, taken)
        if (outcome === 'written') return undefined
      }
      return { why: busyText(floor, Object.keys(others)), guardedBy: GuardCode.Floor, isForNow: true }
    },
  }
}

/** What the service says is there, less what it has frozen: whether that is in the balance is not said. */
async function spendable(assetSymbol: string, { balances }: BalanceReads): Promise<Decimal> {
  const held = (await balances()).find((each) => each.assetSymbol === assetSymbol)
  if (held === undefined) return ZERO
  return minus(parseSignedDecimal(held.balance, 'balance'), parseSignedDecimal(held.balanceFrozen, 'balanceFrozen'))
}

function takenBy(taking: Taking): Decimal {
  return sumOf(Object.values(taking).map((text) => parseDecimal(text, 'taking')))
}

function shortText({ assetSymbol, keep }: Floor, left: Decimal): string {
  return `keep: ${formatDecimal(keep)} ${assetSymbol} is to stay, and this would leave ${formatDecimal(left)}`
}

function busyText({ assetSymbol, keep }: Floor, holders: readonly string[]): string {
  const ids = holders.slice(0, 3).map((holder) => findIntentName(holder)?.intentId)
  const whose = ids.length === 0 ? 'others' : ids.join(', ')
  return `keep: ${formatDecimal(keep)} ${assetSymbol} is to stay, and how much of it ${whose} will take is not certain yet`
}

// Lanes: one withdrawal of an asset at a time is in doubt, so that a row can be told from another.
// A lane is held by an intent, not by a process: it has no lease, is never stolen, and is free
// when its holder is terminal. An escalated holder keeps it closed until a person decides.
import { IntentState, recordKey } from '../../contract/records.ts'
import type { NewId } from '../clock.ts'
import { Defect, Transient } from '../errors.ts'
import type { Journal } from './journal.ts'
import type { RecordStore } from './record-store.ts'

export interface Lanes {
  /** `undefined`: the lane is this intent's. Else the intent that holds it. @throws Transient, Defect */
  take(account: string, assetSymbol: string, intentId: string): Promise<string | undefined>
}

const FREE: ReadonlySet<IntentState> = new Set([IntentState.Done, IntentState.Rejected, IntentState.Exhausted])

export function createLanes(store: RecordStore, journal: Pick<Journal, 'find'>, newId: NewId): Lanes {
  async function take(account: string, assetSymbol: string, intentId: string): Promise<string | undefined> {
    const pk = recordKey.lane(account, assetSymbol)
    const lane = await store.read(pk)
    if (!lane) {
      if ((await store.create({ pk, version: 1, stamp: newId(), holder: intentId })) === 'written') return undefined
      throw new Transient(`another intent took the lane of ${assetSymbol} meanwhile`)
    }
    const holder = String(lane.holder)
    if (holder === intentId) return undefined
    const held = await journal.find(holder)
    // An intent is in the journal before it asks for a lane.
    if (!held) throw new Defect(`the lane of ${assetSymbol} is held by ${holder}, which is not in the journal`)
    if (!FREE.has(held.state)) return holder
    const taken = { pk, version: lane.version + 1, stamp: newId(), holder: intentId }
    if ((await store.replace(taken, lane.version)) === 'written') return undefined
    throw new Transient(`another intent took the lane of ${assetSymbol} meanwhile`)
  }
  return { take }
}

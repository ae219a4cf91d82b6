// Lanes: only one withdrawal of an asset at a time may be in doubt, so that its row is not taken for another's. A lane is
// held by the intent of a withdrawal, and not by a process: it has no lease and is never stolen. It is free once its holder
// is settled. While a person is to decide about the holder, it stays closed. So it does while an intent is lost: that may
// have held any lane of its asset.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { IntentKind, recordKey } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import { isSettled } from './intent.ts'
import type { FindIntent } from './journal.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, type RecordStore, type RecordWriter, type StoredRecord } from './record-store.ts'

export interface Lanes {
  /** `undefined`: the lane is this intent's. Else the intent that holds it. @throws Transient, Defect */
  take(account: string, assetSymbol: string, intentId: string): Promise<string | undefined>
  /** Of an intent whose record was lost, and that is in the journal again: keeps all others waiting. @throws Transient, Defect */
  closeForLost(assetSymbol: string, intentId: string): Promise<void>
  /** Such an intent that is not settled yet, if any: a new row of the asset may be its own. @throws Transient */
  findLost(assetSymbol: string): Promise<string | undefined>
}

/** Lost withdrawals of one asset that wait for a person at once. */
const MOST_LOST = 1_000

const laneFields = z.object({ holder: z.string() })
const lostFields = z.object({ intentIds: z.array(z.string()) })

/** The list of an asset, as it was read. */
interface Lost {
  readonly record: StoredRecord | undefined
  readonly intentIds: readonly string[]
}

export function createLanes(store: RecordStore, journal: FindIntent, newId: NewId): Lanes {
  const writer: RecordWriter = { store, newId }

  async function listLost(assetSymbol: string): Promise<Lost> {
    const record = await store.read(recordKey.lostOf(assetSymbol))
    return { record, intentIds: record === undefined ? [] : checkRecord(lostFields, record).intentIds }
  }

  async function hasSettled(intentId: string): Promise<boolean> {
    const intent = await journal.find(intentId, IntentKind.Withdraw)
    return intent !== undefined && isSettled(intent.state)
  }

  async function findLost(assetSymbol: string): Promise<string | undefined> {
    for (const intentId of (await listLost(assetSymbol)).intentIds) if (!(await hasSettled(intentId))) return intentId
    return undefined
  }

  async function closeForLost(assetSymbol: string, intentId: string): Promise<void> {
    const { record, intentIds } = await listLost(assetSymbol)
    if (intentIds.includes(intentId)) return
    const kept: string[] = []
    for (const id of intentIds) if (!(await hasSettled(id))) kept.push(id)
    if (kept.length >= MOST_LOST) throw new Defect(`${MOST_LOST} lost withdrawals of ${assetSymbol} wait for a person`)
    const outcome = await putOver(writer, record, recordKey.lostOf(assetSymbol), { intentIds: [...kept, intentId] })
    assertWritten(outcome, `another lost withdrawal of ${assetSymbol} was written down meanwhile`)
  }

  async function take(account: string, assetSymbol: string, intentId: string): Promise<string | undefined> {
    const lost = await findLost(assetSymbol)
    if (lost !== undefined) return lost
    const pk = recordKey.lane(account, assetSymbol)
    const lane = await store.read(pk)
    if (lane !== undefined) {
      const { holder } = checkRecord(laneFields, lane)
      if (holder === intentId) return undefined
      const held = await journal.find(holder, IntentKind.Withdraw)
      // An intent is in the journal before it asks for a lane.
      if (!held) throw new Defect(`the lane of ${assetSymbol} is held by ${holder}, which is not in the journal`)
      if (!isSettled(held.state)) return holder
    }
    const outcome = await putOver(writer, lane, pk, { holder: intentId })
    assertWritten(outcome, `another intent took the lane of ${assetSymbol} meanwhile`)
    return undefined
  }

  return { take, closeForLost, findLost }
}

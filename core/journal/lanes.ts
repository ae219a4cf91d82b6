// Lanes: only one withdrawal of an asset at a time may be in doubt, so that its row is not taken for another's. A lane is
// held by the intent of a withdrawal, and not by a process: it has no lease and is never stolen. It is free once its holder
// is settled. While a person is to decide about the holder, it stays closed. So it does while an intent is lost: that may
// have held any lane of its asset. A lane remembers who has sent last: that intent knows rows of the asset, and has
// perhaps made one.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { IntentKind, recordKey } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import { isSettled, isWithdrawal, type WithdrawIntent } from './intent.ts'
import type { FindIntent } from './journal.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, type RecordStore, type RecordWriter, type StoredRecord } from './record-store.ts'

/** A lane as an intent finds it that asks for it. */
export interface Lane {
  /** The intent that keeps others waiting; absent: the lane is the asking intent's. */
  readonly heldBy?: string
  /** The intent that has armed an attempt last, before the asking one; absent where none has. */
  readonly before?: WithdrawIntent
}

export interface Lanes {
  /** Takes it where it is free. @throws Transient, Defect */
  take(account: string, assetSymbol: string, intentId: string): Promise<Lane>
  /** Of an intent whose record was lost, and that is in the journal again: keeps all others waiting. @throws Transient, Defect */
  closeForLost(assetSymbol: string, intentId: string): Promise<void>
  /** Such an intent that is not settled yet, if any: a new row of the asset may be its own. @throws Transient */
  findLost(assetSymbol: string): Promise<string | undefined>
}

/** Lost withdrawals of one asset that wait for a person at once. */
const MOST_LOST = 1_000

const laneFields = z.object({ holder: z.string(), before: z.optional(z.string()) })
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

  async function findSender(intentId: string | undefined): Promise<Pick<Lane, 'before'>> {
    const before = intentId === undefined ? undefined : await journal.find(intentId, IntentKind.Withdraw)
    return before !== undefined && isWithdrawal(before) ? { before } : {}
  }

  async function take(account: string, assetSymbol: string, intentId: string): Promise<Lane> {
    const lost = await findLost(assetSymbol)
    if (lost !== undefined) return { heldBy: lost }
    const pk = recordKey.lane(account, assetSymbol)
    const lane = await store.read(pk)
    const found = lane === undefined ? undefined : checkRecord(laneFields, lane)
    if (found?.holder === intentId) return findSender(found.before)
    const held = found && (await journal.find(found.holder, IntentKind.Withdraw))
    if (found !== undefined) {
      // An intent is in the journal before it asks for a lane.
      if (!held) throw new Defect(`the lane of ${assetSymbol} is held by ${found.holder}, which is not in the journal`)
      if (!isSettled(held.state)) return { heldBy: found.holder }
    }
    // Whoever has sent nothing knows no rows: then it is still the sender before.
    const hasSent = held?.attempt !== undefined && isWithdrawal(held)
    const before = hasSent ? held.intentId : found?.before
    const outcome = await putOver(writer, lane, pk, { holder: intentId, ...(before !== undefined && { before }) })
    assertWritten(outcome, `another intent took the lane of ${assetSymbol} meanwhile`)
    return hasSent ? { before: held } : findSender(before)
  }

  return { take, closeForLost, findLost }
}

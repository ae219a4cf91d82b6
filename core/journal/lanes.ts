// Lanes: only one withdrawal of an asset at a time may be in doubt, so that its row is not taken for another's. A lane is
// held by the intent of a withdrawal, and not by a process: it has no lease and is never stolen. It is free once its holder
// is settled. One that has armed nothing may be overtaken while it waits for something else, because it is not in doubt.
// While a person is to decide about the holder, it stays closed. So it does while an intent is lost: that may
// have held any lane of its asset. A lane remembers who has sent last: that intent knows rows of the asset, and has
// perhaps made one.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { IntentKind, IntentState, recordKey } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import { type Intent, isSettled, isWithdrawal, type OpenWithdrawal, type WithdrawIntent } from './intent.ts'
import type { Journal } from './journal.ts'
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
  /**
   * Takes it where it is free, or where its holder has armed nothing and `mayOvertake` lets others pass it; absent: nobody is
   * overtaken. @throws Transient, also where another took it meanwhile. @throws Defect
   */
  take(
    account: string,
    assetSymbol: string,
    intentId: string,
    mayOvertake?: (holder: OpenWithdrawal) => Promise<boolean>,
  ): Promise<Lane>
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

export function createLanes(store: RecordStore, journal: Pick<Journal, 'find' | 'advance'>, newId: NewId): Lanes {
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

  /**
   * Whether others may pass the holder of a lane. The lane was read before the holder, and its record is written anew here: a
   * process of the holder that has read an earlier version of it cannot ARM, and one that reads it from now on takes the lane
   * anew, which whoever has overtaken it finds changed, or has changed.
   */
  async function isPassed(held: Intent, mayOvertake: NonNullable<Parameters<Lanes['take']>[3]>): Promise<boolean> {
    if (!isWithdrawal(held) || held.state !== IntentState.Ready || held.attempt !== undefined) return false
    if (!(await mayOvertake(held))) return false
    await journal.advance(held, {})
    return true
  }

  async function take(
    account: string,
    assetSymbol: string,
    intentId: string,
    mayOvertake = async (_holder: OpenWithdrawal) => false,
  ): Promise<Lane> {
    const lost = await findLost(assetSymbol)
    if (lost !== undefined) return { heldBy: lost }
    const pk = recordKey.lane(account, assetSymbol)
    const lane = await store.read(pk)
    const found = lane === undefined ? undefined : checkRecord(laneFields, lane)
    const isOwn = found?.holder === intentId
    const held = isOwn ? undefined : found && (await journal.find(found.holder, IntentKind.Withdraw))
    if (found !== undefined && !isOwn) {
      // An intent is in the journal before it asks for a lane.
      if (!held) throw new Defect(`the lane of ${assetSymbol} is held by ${found.holder}, which is not in the journal`)
      if (!isSettled(held.state) && !(await isPassed(held, mayOvertake))) return { heldBy: found.holder }
    }
    // Whoever has sent nothing knows no rows: then it is still the sender before.
    const hasSent = held?.attempt !== undefined && isWithdrawal(held)
    const before = hasSent ? held.intentId : found?.before
    // Its own too: whoever is about to overtake it must find the lane changed.
    const outcome = await putOver(writer, lane, pk, { holder: intentId, ...(before !== undefined && { before }) })
    assertWritten(outcome, `another intent took the lane of ${assetSymbol} meanwhile`)
    return hasSent ? { before: held } : findSender(before)
  }

  return { take, closeForLost, findLost }
}

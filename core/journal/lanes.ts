// Owns lanes. Only one withdrawal of an asset may be in doubt at a time, so that its row is never taken for another's.
// An intent holds a lane, not a process, so a lane has no lease and is never stolen. It is free once its holder is
// settled. A holder that has armed nothing is not in doubt, so others may overtake it while it waits for something
// else. The lane stays closed while a person must decide about its holder. It also stays closed while an intent of its
// asset is lost, because that intent may have held it. A lane remembers the last sender, which knows rows of the asset
// and may have made one.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { IntentKind, IntentState, recordKey } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import { type Intent, isSettled, isWithdrawal, type OpenWithdrawal, type WithdrawIntent } from './intent.ts'
import type { Journal } from './journal.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, type RecordStore, type RecordWriter, type StoredRecord } from './record-store.ts'

export interface Lane {
  /** The intent that the asking intent must wait for. Absent: the asking intent holds the lane. */
  readonly heldBy?: string
  /** The last intent before the asking one that armed an attempt. Absent: no intent has. */
  readonly before?: WithdrawIntent
}

export interface Lanes {
  /**
   * Takes the lane if it is free, or if its holder has armed nothing and `mayOvertake` allows it. Without `mayOvertake`
   * nobody is overtaken.
   * @throws Transient, also where another intent took the lane meanwhile.
   * @throws Defect
   */
  take(
    account: string,
    assetSymbol: string,
    intentId: string,
    mayOvertake?: (holder: OpenWithdrawal) => Promise<boolean>,
  ): Promise<Lane>
  /** Closes the asset's lanes for a lost intent that is in the journal again. @throws Transient, Defect */
  closeForLost(assetSymbol: string, intentId: string): Promise<void>
  /** The first unsettled lost intent: a new row of the asset may be its own. @throws Transient */
  findLost(assetSymbol: string): Promise<string | undefined>
}

/** Maximum lost withdrawals of one asset that wait for a person at the same time. */
const MOST_LOST = 1_000

const laneFields = z.object({ holder: z.string(), before: z.optional(z.string()) })
const lostFields = z.object({ intentIds: z.array(z.string()) })

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
    assertWritten(outcome, `another lost withdrawal of ${assetSymbol} was recorded meanwhile`)
  }

  async function findSender(intentId: string | undefined): Promise<Pick<Lane, 'before'>> {
    const before = intentId === undefined ? undefined : await journal.find(intentId, IntentKind.Withdraw)
    return before !== undefined && isWithdrawal(before) ? { before } : {}
  }

  /**
   * Whether others may pass the holder of a lane. It writes a new version of the holder's record after the lane was
   * read. A process of the holder that read an earlier version can then not ARM. A process that reads it later takes
   * the lane again, and either it or the overtaking intent finds the lane changed.
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
    // An intent that sent nothing knows no rows, so the earlier sender remains.
    const hasSent = held?.attempt !== undefined && isWithdrawal(held)
    const before = hasSent ? held.intentId : found?.before
    // The holder also writes its own lane, so that an intent about to overtake finds the lane changed.
    const outcome = await putOver(writer, lane, pk, { holder: intentId, ...(before !== undefined && { before }) })
    assertWritten(outcome, `another intent took the lane of ${assetSymbol} meanwhile`)
    return hasSent ? { before: held } : findSender(before)
  }

  return { take, closeForLost, findLost }
}

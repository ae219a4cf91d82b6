// Owns lanes. Withdrawals of an asset share a lane while they may be in doubt, so that a row is never taken for
// another's. Two may hold it together only if no row of one can be taken for a row of the other. Others wait.
//
// An intent holds a lane, not a process, so a lane has no lease and is never stolen. A holder leaves it once it is
// settled. Holders that have armed nothing may be overtaken (`LaneRules`). The lane stays closed for all while a person
// must decide about a holder, and while an intent of its asset is lost, because that intent may have held it.

import * as z from 'zod/mini'
import { mapBounded } from '../bounded.ts'
import type { NewId } from '../clock.ts'
import { IntentKind, IntentState, recordKey } from '../contract/records.ts'
import { Defect, Transient } from '../errors.ts'
import {
  type Intent,
  isOpened,
  isSettled,
  isTerminal,
  isWithdrawal,
  type OpenWithdrawal,
  type WithdrawIntent,
} from './intent.ts'
import type { Journal } from './journal.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, type RecordStore, type RecordWriter, type StoredRecord } from './record-store.ts'

export interface Lane {
  /** The intent that the asking intent must wait for. Absent: the asking intent holds the lane. */
  readonly heldBy?: string
  /** Why it must wait: the end of a sentence about that intent. */
  readonly why?: string
  /** The last intent before the asking one that armed an attempt. Absent: no intent has. */
  readonly before?: WithdrawIntent
  /** With a place in the lane: the intents that have armed an attempt, as far as the lane remembers them. */
  readonly senders?: readonly WithdrawIntent[]
}

/** Says which holders of a lane are not in the way. Without a rule, each holder that is not settled is in the way. */
interface LaneRules {
  /** Whether no row of the holder can be taken for a row of the asking intent, and the other way round. */
  readonly mayGoBeside?: (holder: OpenWithdrawal) => boolean
  /** Whether a holder that has armed nothing may be overtaken. */
  readonly mayOvertake?: (holder: OpenWithdrawal) => Promise<boolean>
}

export interface Lanes {
  /**
   * Takes a place in the lane, unless a holder is in the way.
   * @throws Transient, also where other intents took the lane meanwhile.
   * @throws Defect
   */
  take(account: string, assetSymbol: string, intentId: string, rules?: LaneRules): Promise<Lane>
  /**
   * The other intents that have armed an attempt, as far as the lane remembers them: all holders that are not settled,
   * and the last senders that are.
   * @throws Transient, Defect
   */
  findSenders(account: string, assetSymbol: string, intentId: string): Promise<readonly WithdrawIntent[]>
  /** Closes the asset's lanes for a lost intent that is in the journal again. @throws Transient, Defect */
  closeForLost(assetSymbol: string, intentId: string): Promise<void>
  /** The first unsettled lost intent: a new row of the asset may be its own. @throws Transient, Defect */
  findLost(assetSymbol: string): Promise<string | undefined>
}

/** Maximum lost withdrawals of one asset that wait for a person at the same time. */
const MOST_LOST = 1_000

/** Maximum holders of a lane. Each withdrawal that asks for the lane reads the intents of all. */
const MOST_HOLDERS = 64
/**
 * Settled senders that a lane keeps while others are in it. They know the rows that the others must find in a list. Each
 * knew nearly all rows before its send, so the last ones are enough.
 */
const MOST_SETTLED = 16
/** Concurrent reads of the journal, which has no rate limit to share. */
const HOLDERS_AT_ONCE = 16
/** Maximum tries when withdrawals ask for a lane at the same moment. */
const MOST_TRIES = 20

const COULD_BE_TAKEN = 'is not settled yet, and a row of one could be taken for a row of the other'

const laneFields = z.object({ holders: z.array(z.string()), before: z.optional(z.string()) })
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

  /** The holders of a lane, except the asking intent. An intent is in the journal before it asks for a lane. */
  async function readOthers(lane: StoredRecord, intentId: string): Promise<readonly Intent[]> {
    const { holders } = checkRecord(laneFields, lane)
    const ids = holders.filter((holder) => holder !== intentId)
    return mapBounded(ids, HOLDERS_AT_ONCE, async (holder) => {
      const held = await journal.find(holder, IntentKind.Withdraw)
      if (held === undefined) throw new Defect(`the lane ${lane.pk} is held by ${holder}, which is not in the journal`)
      return held
    })
  }

  async function findSender(intentId: string | undefined): Promise<WithdrawIntent | undefined> {
    const before = intentId === undefined ? undefined : await journal.find(intentId, IntentKind.Withdraw)
    return before !== undefined && isWithdrawal(before) ? before : undefined
  }

  /**
   * Whether others may pass the holder of a lane. It writes a new version of the holder's record after the lane was
   * read. A process of the holder that read an earlier version can then not ARM. A process that reads it later takes
   * the lane again, and either it or the overtaking intent finds the lane changed.
   */
  async function isPassed(held: Intent, mayOvertake: LaneRules['mayOvertake']): Promise<boolean> {
    if (!isWithdrawal(held) || held.state !== IntentState.Ready || held.attempt !== undefined) return false
    if (mayOvertake === undefined || !(await mayOvertake(held))) return false
    await journal.advance(held, {})
    return true
  }

  /**
   * Holders whose terms were settled again may be in each other's way, and would wait until the time of one is over. So
   * one of two passes the other: the one that has sent before, because nobody may pass it; otherwise the first.
   */
  async function goesFirst(lane: StoredRecord | undefined, intentId: string, held: Intent): Promise<boolean> {
    const holders = lane === undefined ? [] : checkRecord(laneFields, lane).holders
    const own = holders.indexOf(intentId)
    if (own === -1) return false
    return holders.indexOf(held.intentId) > own || (await findSender(intentId))?.attempt !== undefined
  }

  /** Undefined where other intents changed the lane meanwhile. */
  async function tryToTake(
    pk: string,
    intentId: string,
    { mayGoBeside = () => false, mayOvertake }: LaneRules,
  ): Promise<Lane | undefined> {
    const lane = await store.read(pk)
    const others = lane === undefined ? [] : await readOthers(lane, intentId)
    const open = others.filter(({ state }) => !isSettled(state))
    const beside = open.filter((held) => isOpenWithdrawal(held) && !isTerminal(held.state) && mayGoBeside(held))
    for (const held of open) {
      if (beside.includes(held)) continue
      const mayPass = (await goesFirst(lane, intentId, held)) ? async () => true : mayOvertake
      if (await isPassed(held, mayPass)) continue
      return { heldBy: held.intentId, why: isTerminal(held.state) ? 'waits for a person' : COULD_BE_TAKEN }
    }
    const [first] = beside
    if (first !== undefined && beside.length >= MOST_HOLDERS)
      return { heldBy: first.intentId, why: `is one of ${MOST_HOLDERS} that are not settled yet` }
    // An intent that sent nothing knows no rows, so an earlier sender remains.
    const remembered = await findSender(lane && checkRecord(laneFields, lane).before)
    const senders = sendersAmong([...(remembered ? [remembered] : []), ...others])
    const [before] = senders
    const settled = others.filter(({ state }) => isSettled(state))
    // Nobody needs to remember them where nobody is in flight. Another process of a holder may have sent.
    const isFresh = beside.length === 0 && !(lane && checkRecord(laneFields, lane).holders.includes(intentId))
    const kept = isFresh ? [] : sendersAmong(settled).slice(0, MOST_SETTLED).toReversed()
    // A holder also writes its own lane, so that an intent about to overtake, or to go beside it, finds the lane changed.
    const holders = [...[...kept, ...beside].map((held) => held.intentId), intentId]
    const outcome = await putOver(writer, lane, pk, { holders, ...(before && { before: before.intentId }) })
    return outcome === 'written' ? { ...(before && { before }), senders } : undefined
  }

  async function take(account: string, assetSymbol: string, intentId: string, rules: LaneRules = {}): Promise<Lane> {
    const lost = await findLost(assetSymbol)
    if (lost !== undefined) return { heldBy: lost, why: 'is not settled yet, and its record was lost' }
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const taken = await tryToTake(recordKey.lane(account, assetSymbol), intentId, rules)
      if (taken !== undefined) return taken
    }
    throw new Transient(`other intents took the lane of ${assetSymbol} meanwhile`)
  }

  async function findSenders(
    account: string,
    assetSymbol: string,
    intentId: string,
  ): Promise<readonly WithdrawIntent[]> {
    const lane = await store.read(recordKey.lane(account, assetSymbol))
    if (lane === undefined) return []
    const others = await readOthers(lane, intentId)
    const remembered = await findSender(checkRecord(laneFields, lane).before)
    const isOther = remembered !== undefined && remembered.intentId !== intentId
    return sendersAmong([...(isOther ? [remembered] : []), ...others])
  }

  return { take, findSenders, closeForLost, findLost }
}

function isOpenWithdrawal(held: Intent): held is OpenWithdrawal {
  return isWithdrawal(held) && isOpened(held)
}

/** The intents that armed an attempt, the latest attempt first; of equal ones the last intent. */
function sendersAmong(intents: readonly Intent[]): readonly WithdrawIntent[] {
  return intents
    .filter(isWithdrawal)
    .filter(({ attempt }) => attempt !== undefined)
    .toReversed()
    .toSorted((left, right) => (right.attempt?.iat ?? 0) - (left.attempt?.iat ?? 0))
}

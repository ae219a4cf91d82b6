// Says when a person may be asked: the allowed causes, and the cases that still need a person after all faults are
// over.
import { IntentKind } from '../../core/contract/records.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { SendFacts } from '../../core/service/ports.ts'
import { accountOfKid, OWN_ACCOUNT } from './keys.ts'
import { showOthers } from './past.ts'
import { kindOf, type Schedule } from './schedule.ts'
import type { Stage } from './stage.ts'
import type { Frozen } from './witnessed.ts'

/** Nothing was sent, and people must first repair something of ours. */
const KEPT_WAITING = /^nothing is sent until that is put right; then the same id goes on: (KeyFault|OwnFault): /

export function isKeptWaiting(why = ''): boolean {
  return KEPT_WAITING.test(why)
}

/** The only reasons for which a person is asked. */
const CAUSES: Readonly<Record<IntentKind, readonly RegExp[]>> = {
  convert: [
    /nothing could be certified within \d+ waits$/,
    /^an order may have been placed and could not be looked up: /,
  ],
  withdraw: [
    /^new rows that may be this withdrawal: \d+; others write to this account$/,
    /^new rows that may be this withdrawal: \d+; others may write to this account, because service.shared is not false$/,
    /^new rows that match this withdrawal: \d+; that are like it: \d+$/,
    /^new rows that may be this withdrawal: \d+; it is dated before the send, and was perhaps there before it$/,
    /^the service accepted the withdrawal, and no row of it can be found$/,
    /^the service said yes and named withdrawal .*, which was there before the send or is not what was asked for$/,
    /nothing could be certified within \d+ waits$/,
    /^a withdrawal may have been made and could not be looked up: /,
    /^it took \S+, and (people approved \S+|\S+ is the most that was asked for)$/,
  ],
}

/**
 * Applies only to an order that the service shows differently from its execution, or whose id another account has too.
 */
const MISTOLD = /^order \S+ has the status [^,]+, and it is not what was asked for: /
/** Applies only to a row that the service names by mistake. */
const CLAIMED = /^withdrawal \S+ is already claimed by intent \S+$/

export function isCauseToAsk(kind: IntentKind, why = '', { truth, forgery }: Schedule): boolean {
  // Somebody made the intent DONE, so only a person can find out what it moved.
  if (forgery?.what === 'end' && why.includes('was changed, and nothing goes on from it')) return true
  const { orders, withdrawals, strayKey } = truth
  const mayDiffer = orders.mistells !== undefined || strayKey?.isBusy === true
  if (kind === IntentKind.Convert && mayDiffer && MISTOLD.test(why)) return true
  return CAUSES[kind].some((cause) => cause.test(why)) || (!!withdrawals.misnames && CLAIMED.test(why))
}

/**
 * Whether an intent was opened for another account, or signed for another. The right key then cannot tell its outcome.
 */
export function isOfStrayKey(record: StoredRecord | undefined): boolean {
  const { account = OWN_ACCOUNT } = (record?.frozen ?? {}) as { readonly account?: string }
  const { kid } = (record?.attempt ?? {}) as Partial<SendFacts>
  return account !== OWN_ACCOUNT || (kid !== undefined && accountOfKid(kid) !== OWN_ACCOUNT)
}

/** Whether the service's answers, other writers or keys may leave the outcome of an intent open. */
export function mayAskPerson(intentId: string, schedule: Schedule, { witness, service }: Stage): boolean {
  const { truth, past, shared } = schedule
  // Only the signing key, or a key that may name its account, can prove that nothing moved.
  const isKeyUnknown = truth.mayReadAccount !== 'all' && (truth.strayKey !== undefined || service.keys.inForce > 1)
  const record = witness.intents.get(intentId)?.record
  if (isKeyUnknown || isOfStrayKey(record)) return true
  if ((record?.kind ?? kindOf(schedule, intentId)) === IntentKind.Convert) return truth.orders.mistells !== undefined
  // A withdrawal is sent only with a key that names its account.
  if (truth.mayReadAccount === 'none') return true
  const { garblesAnswer, misnames, answersEarly, toldOtherwise, tellsAsset, foreignRowsMs, lacks, coarser } =
    truth.withdrawals
  if (
    coarser !== undefined ||
    foreignRowsMs.length > 0 ||
    garblesAnswer ||
    misnames ||
    answersEarly ||
    toldOtherwise ||
    tellsAsset === 'another' ||
    lacks?.what === 'unseen'
  )
    return true
  if (truth.withdrawals.changesFee && looksLikeAnothers(intentId, witness)) return true
  // Our own row cannot be distinguished from the rows of other writers, but it must exist.
  const hasMoved = (witness.intents.get(intentId)?.movements.length ?? 0) > 0
  const { datedTo, datedAheadMs = 0 } = truth.withdrawals
  const isDatedBefore = datedTo === 'day' || datedAheadMs < 0
  return hasMoved && (shared === undefined || showOthers(past) || isDatedBefore)
}

/**
 * Whether another intent's movement has a figure of this one, because the fee has changed since its terms were settled. While
 * nobody has claimed that movement, nobody can tell whose it is (assumption 16a).
 */
function looksLikeAnothers(intentId: string, { intents }: Stage['witness']): boolean {
  const { amount, total } = (intents.get(intentId)?.record.frozen ?? {}) as Frozen
  const figures = new Set([amount, total].filter((figure) => figure !== undefined).map(Number))
  return [...intents].some(
    ([other, { movements }]) =>
      other !== intentId &&
      movements.some((moved) => figures.has(Number(moved.amount)) || figures.has(Number(moved.total))),
  )
}

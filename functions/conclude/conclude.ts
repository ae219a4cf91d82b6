// State Conclude: ends an execution whose step failed for good. Closes the intent where the journal proves that nothing
// moved. Otherwise it reports what is known and leaves the intent to a person. A lost intent is no certified zero: it
// is closed for a person to settle, and a lost withdrawal makes others of its asset wait. It does not use the service,
// because the service may be what failed.

import type { Clock } from '../../core/clock.ts'
import type { ConcludeInput } from '../../core/contract/conclude.ts'
import { ErrorName, isMendable, isOwnFault } from '../../core/contract/errors.ts'
import { executionName, intentIdOf } from '../../core/contract/fields.ts'
import { fieldsOf, findJson } from '../../core/contract/find-json.ts'
import { type IntentKind, IntentState } from '../../core/contract/records.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { Defect } from '../../core/errors.ts'
import { LEFT_ROW } from '../../core/guards/policy-terms.ts'
import { type Intent, type IntentOf, type LostFrozen, ofKind } from '../../core/journal/intent.ts'
import { hasParams, type Journal, otherParamsText } from '../../core/journal/journal.ts'
import type { Lanes } from '../../core/journal/lanes.ts'
import type { Move } from '../../core/journal/moves.ts'
import { assertClaimed, assertFollows } from '../../core/movements/follows.ts'
import type { Conclusion } from './conclusions.ts'

interface ConcludePorts {
  readonly journal: Journal
  readonly lanes: Pick<Lanes, 'closeForLost'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly timing: Timing
}

type End = Required<Pick<Move, 'state' | 'outcome' | 'why'>>

/** `conclusion`: how this kind of intent is parsed and reported. @throws Transient */
export async function conclude<Kind extends IntentKind, Report>(
  input: ConcludeInput,
  conclusion: Conclusion<Kind, Report>,
  ports: ConcludePorts,
): Promise<Report> {
  const { journal, lanes } = ports
  const why = reasonOf(input.fault)
  const isMended = isMendable(input.fault)
  const isLost = input.fault.Error === ErrorName.IntentLost
  const end = endOf(input.fault, conclusion)
  // A row has one intent in all runs. Closed here, it would be closed for the run that still pays it.
  const isLeftToOthers = why.includes(LEFT_ROW)
  const intent = await findOrOpen(input, conclusion, isMended || isLeftToOthers ? undefined : end, ports)
  // The fault is our own and not the request's, so the same id continues once it is fixed.
  const keptAfter = (attempts: number) => conclusion.keptWaiting(input.execution, attempts, why)
  // No step opens an intent for an invalid name or request.
  if (!intent) return isMended ? keptAfter(0) : conclusion.unopened(input.execution, why)
  const others = otherParamsText(intent.intentId)
  const isOfOthers = why.includes(others)
  // Another request holds this id, so its intent must stay untouched.
  if (!hasParams(intent, input.request)) {
    if (isLost) return conclusion.lost(input.execution, end.why)
    return conclusion.unopened(input.execution, isOfOthers ? why : `${others}: ${why}`)
  }

  const laneAsset = isLost ? conclusion.laneAsset(intent.params) : undefined
  if (laneAsset !== undefined) await lanes.closeForLost(laneAsset, intent.intentId)

  switch (intent.state) {
    case IntentState.Ready:
      // The refused step read another request, and a write has restored this one since.
      if (isMended || isOfOthers) return keptAfter(intent.attemptNumber)
      // Close it before reporting, so that no later or concurrent step can send for it.
      return conclusion.ended(await journal.advance(intent, end))
    case IntentState.Done:
      return (await isProven(intent, journal)) ? conclusion.unread(intent, why) : conclusion.inDoubt(intent, why)
    case IntentState.Armed:
      return conclusion.inDoubt(intent, why)
    default:
      return conclusion.ended(intent)
  }
}

/** Whether a DONE intent has a movement of its own, as far as the journal shows. @throws Transient */
async function isProven(intent: Intent, journal: Journal): Promise<boolean> {
  try {
    assertFollows(intent)
    await assertClaimed(intent, journal)
    return true
  } catch (error) {
    if (error instanceof Defect) return false
    throw error
  }
}

/** The end of an intent that is not armed: a certified zero, unless the journal has lost its record. */
function endOf(
  fault: ConcludeInput['fault'],
  {
    refused,
    failed,
    broken,
    attention,
  }: Pick<Conclusion<IntentKind, unknown>, 'refused' | 'failed' | 'broken' | 'attention'>,
): End {
  const why = reasonOf(fault)
  switch (fault.Error) {
    case ErrorName.Refused:
      return { state: IntentState.Rejected, outcome: refused, why }
    case ErrorName.IntentLost:
      // Leave a record: otherwise the next run of this id would open it again and move it twice.
      return {
        state: IntentState.Escalated,
        outcome: attention,
        why: `whether it has moved money is not known: ${why}`,
      }
    default:
      // Waiting does not fix a bug, so record the certified zero now.
      return isOwnFault(fault)
        ? { state: IntentState.Exhausted, outcome: broken, why: `closed, and nothing has moved: ${why}` }
        : { state: IntentState.Exhausted, outcome: failed, why }
  }
}

/**
 * Finds the intent. Where no step has opened it, opens it already ended, so that no concurrent step finds it READY with
 * nothing frozen. Reads the journal before it parses the request, because an earlier deployment may have accepted
 * requests that this one refuses. A lost intent keeps even a request that does not parse, because it was accepted once.
 * Without `end` it opens nothing.
 */
async function findOrOpen<Kind extends IntentKind>(
  { execution, startedAt, request }: ConcludeInput,
  { kind, parse }: Pick<Conclusion<Kind, unknown>, 'kind' | 'parse'>,
  end: End | undefined,
  { journal, clock, timing }: ConcludePorts,
): Promise<IntentOf<Kind> | undefined> {
  if (!executionName.safeParse(execution).success) return undefined
  const intentId = intentIdOf(execution)
  const known = await journal.find(intentId, kind)
  if (known || end === undefined) return known
  const params = parse(request) ?? (end.state === IntentState.Escalated ? request : undefined)
  if (params === undefined) return undefined
  const opening = { intentId, kind, params, frozen: {}, createdAt: startedAt, notAfter: startedAt }
  if (end.state !== IntentState.Escalated) return ofKind(await journal.open<IntentKind>(opening, end), kind)
  const frozen: LostFrozen = {
    ...(execution !== intentId && { isEnteredAgain: true }),
    fenceSeconds: longestFenceSeconds(timing),
  }
  // After this record is written, nothing is armed for the intent.
  const notAfter = new Date(clock.nowMs()).toISOString()
  return ofKind(await journal.open<IntentKind>({ ...opening, frozen, notAfter }, end), kind)
}

/** One sentence about the fault. Its cause is Lambda's JSON of the error, or a sentence from Step Functions. */
function reasonOf({ Error: error, Cause: cause }: ConcludeInput['fault']): string {
  const { errorMessage: message = cause } = fieldsOf(findJson(cause))
  return `${error}${message === '' ? '' : `: ${String(message).slice(0, 500)}`}`
}

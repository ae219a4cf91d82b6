// Says whether the event of a dead letter can be put on the bus again, and what it would start. From another account
// the same id would be a second execution, and could move twice, so that is refused. Pure.
import { RequestEvent } from '../../core/contract/events.ts'
import { Refused } from '../../core/errors.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'
import { startOfRequest } from '../../core/triggers/requested-start.ts'
import type { Start } from '../../core/triggers/starter.ts'
import type { AskingEvent } from '../../place/events/dead-letter.ts'
import type { PutEvent } from '../../place/events/event-connection.ts'

type Resendable =
  | { readonly event: PutEvent; readonly start: Start }
  /** Why not, and what a person can do instead. `isToDrop`: after that the letter is of no further use. */
  | { readonly why: string; readonly instead: string; readonly isToDrop?: true }

const RUNBOOK = 'docs/runbook.md, sluice-dead-letters'

/** `account`: the account that puts it now. */
export function resendable(asked: AskingEvent, account: string, policies: Policies): Resendable {
  const { detail, detailType, isDeposit, isFile, isSchedule, notice, source } = asked
  if (notice !== undefined) {
    const instead = `see what it reports, and whether a test of notice ${notice} arrives`
    return { why: 'it is a notice that was not delivered, and no request', instead, isToDrop: true }
  }
  if (isDeposit) {
    const instead = 'run the policy now, which looks at what has arrived'
    return { why: 'it is a start that a deposit asked for, and no event', instead, isToDrop: true }
  }
  if (isFile) {
    const instead = 'correct the file, and put it into its bucket again: rows that are paid stay paid'
    return { why: 'it is a payout file that was not paid, and no request', instead, isToDrop: true }
  }
  if (isSchedule) {
    const instead = 'run the policy now, or leave it to its next time'
    return { why: 'it is the start of a schedule, and no event', instead, isToDrop: true }
  }
  if (!isRequest(detailType)) {
    return { why: 'it asks for no movement: AWS has put it itself', instead: `${RUNBOOK}, says how it is handed over` }
  }
  if (asked.account !== account) {
    const why = `account ${asked.account ?? 'unknown'} has put it; from here, account ${account}, its id would be another execution`
    return { why, instead: `have that account put it again, or see ${RUNBOOK}` }
  }
  try {
    const start = startOfRequest({ 'detail-type': detailType, account, detail }, policies)
    return { event: { source, detailType, detail }, start }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return {
      why: `it would be refused again: ${error.message}`,
      instead: 'have it corrected and put again',
      isToDrop: true,
    }
  }
}

function isRequest(detailType: string): detailType is RequestEvent {
  return Object.values<string>(RequestEvent).includes(detailType)
}

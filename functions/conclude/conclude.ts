// State Conclude: ends a run whose step failed for good. Closes the intent where the journal
// proves that nothing moved; otherwise says what is known and leaves it to a person. Asks the
// service nothing: it may be the reason why we are here.
import {
  type ConcludeInput,
  type ConvertReport,
  convertRequest,
  intentId as intentIdShape,
} from '../contract/convert.ts'
import { ErrorName } from '../contract/errors.ts'
import { ConvertEnd } from '../contract/outcomes.ts'
import { IntentState } from '../contract/records.ts'
import type { ConvertIntent } from '../shared/conversion/convert-intent.ts'
import { reportEnd } from '../shared/conversion/end-report.ts'
import { Transient } from '../shared/errors.ts'
import { attemptOf, zeroMove } from '../shared/journal/intent.ts'
import { hasParams, type Journal } from '../shared/journal/journal.ts'

export interface ConcludePorts {
  readonly journal: Journal
}

/** @throws Transient */
export async function conclude(input: ConcludeInput, { journal }: ConcludePorts): Promise<ConvertReport> {
  const { intentId } = input
  const why = reasonOf(input.fault)
  const isRefusal = input.fault.Error === ErrorName.Refused
  const intent = await findOrOpen(input, journal)
  // Quote opens no intent for a name or a request that is none; and where another request holds
  // this id, its intent is not ours to touch.
  if (!intent || !hasParams(intent, input.request)) return { outcome: ConvertEnd.Rejected, intentId, attempts: 0, why }

  const known = { intentId, attempts: intent.attemptNumber, side: intent.params.side }
  switch (intent.state) {
    case IntentState.Ready: {
      // Closed before it is reported: no later or concurrent step can send for it any more.
      const [state, outcome] = isRefusal
        ? ([IntentState.Rejected, ConvertEnd.Rejected] as const)
        : ([IntentState.Exhausted, ConvertEnd.Failed] as const)
      const closed = await journal.advance(intent, zeroMove(intent, state, outcome, why))
      if (!closed) throw new Transient(`another execution moved intent ${intentId} meanwhile`)
      return reportEnd(closed)
    }
    case IntentState.Done:
      return {
        ...known,
        outcome: ConvertEnd.Stuck,
        ...(intent.ref && { orderId: intent.ref }),
        why: `the order exists; its end could not be read: ${why}`,
      }
    case IntentState.Armed:
      return {
        ...known,
        outcome: ConvertEnd.NeedsAttention,
        orderId: attemptOf(intent).orderId,
        why: `an order may have been placed and could not be looked up: ${why}`,
      }
    default:
      return reportEnd(intent)
  }
}

/**
 * An intent that Quote never came to open is opened here, so that it can be closed for good. The
 * journal is asked before the request: what a former deployment took may be no request today.
 */
async function findOrOpen(input: ConcludeInput, journal: Journal): Promise<ConvertIntent | undefined> {
  const { intentId, startedAt } = input
  if (!intentIdShape.safeParse(intentId).success) return undefined
  const known = await journal.find<ConvertIntent>(intentId)
  if (known) return known
  const request = convertRequest.safeParse(input.request)
  if (!request.success) return undefined
  const never = { frozen: { amount: request.data.amount }, notAfter: startedAt }
  return journal.open<ConvertIntent>({
    intentId,
    kind: 'convert',
    params: request.data,
    createdAt: startedAt,
    ...never,
  })
}

/** The cause is Lambda's JSON of the error, or a sentence from Step Functions itself. */
function reasonOf({ Error: error, Cause: cause }: ConcludeInput['fault']): string {
  let message = cause
  try {
    const parsed: unknown = JSON.parse(cause)
    if (parsed !== null && typeof parsed === 'object' && 'errorMessage' in parsed) message = String(parsed.errorMessage)
  } catch {
    // A sentence already.
  }
  return `${error}${message === '' ? '' : `: ${message.slice(0, 500)}`}`
}

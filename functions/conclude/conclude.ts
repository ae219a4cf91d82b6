// State Conclude: ends a run whose step failed for good. Closes the intent where the journal
// proves that nothing moved; otherwise says what is known and leaves it to a person. Asks the
// service nothing: it may be the reason why we are here.
import type { ConcludeInput, ConvertReport } from '../contract/convert.ts'
import { ErrorName } from '../contract/errors.ts'
import { ConvertEnd } from '../contract/outcomes.ts'
import { IntentState } from '../contract/records.ts'
import type { ConvertIntent } from '../shared/conversion/convert-intent.ts'
import { reportEnd } from '../shared/conversion/end-report.ts'
import { Transient } from '../shared/errors.ts'
import { attemptOf, zeroMove } from '../shared/journal/intent.ts'
import type { Journal } from '../shared/journal/journal.ts'

export interface ConcludePorts {
  readonly journal: Pick<Journal, 'find' | 'advance'>
}

/** @throws Transient */
export async function conclude(input: ConcludeInput, { journal }: ConcludePorts): Promise<ConvertReport> {
  const { intentId } = input
  const why = reasonOf(input)
  const isRefusal = input.error === ErrorName.Refused
  const outcome = isRefusal ? ConvertEnd.Rejected : ConvertEnd.Failed
  const nothingFilled = isRefusal ? {} : { baseAmount: '0', quoteAmount: '0', fills: [] }

  const intent = await journal.find<ConvertIntent>(intentId)
  // Not even opened: nothing can have been sent.
  if (!intent) return { outcome, intentId, attempts: 0, ...nothingFilled, why }

  const known = { intentId, attempts: intent.attemptNumber, side: intent.params.side }
  switch (intent.state) {
    case IntentState.Ready: {
      // Closed before it is reported: no later or concurrent step can send for it any more.
      const state = isRefusal ? IntentState.Rejected : IntentState.Exhausted
      const closed = await journal.advance(intent, zeroMove(intent, state, outcome, why))
      if (!closed) throw new Transient(`another execution moved intent ${intentId} meanwhile`)
      return { ...reportEnd(closed), ...nothingFilled }
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

/** Step Functions gives an error's name and, as cause, Lambda's JSON of the error. */
function reasonOf({ error, cause }: ConcludeInput): string {
  let message = cause ?? ''
  try {
    const parsed: unknown = JSON.parse(message)
    if (parsed !== null && typeof parsed === 'object' && 'errorMessage' in parsed) message = String(parsed.errorMessage)
  } catch {
    // Not JSON: a plain sentence from Step Functions itself.
  }
  return `${error}${message === '' ? '' : `: ${message.slice(0, 500)}`}`
}

// Says how an intent ended that the journal knows to have moved nothing, or to need a person.
import { type ConvertReport, convertReport } from '../../contract/convert.ts'
import { ConvertEnd } from '../../contract/outcomes.ts'
import { Defect } from '../../errors.ts'
import type { ConvertIntent } from './convert-intent.ts'

/** For REJECTED, EXHAUSTED and ESCALATED intents. @throws Defect for a record without an outcome. */
export function reportEnd(intent: ConvertIntent): ConvertReport {
  const parsed = convertReport.safeParse({
    outcome: intent.outcome,
    intentId: intent.intentId,
    attempts: intent.attemptNumber,
    side: intent.params.side,
    why: intent.why,
    guardedBy: intent.guardedBy,
    // A run that failed before any send filled nothing, and says so.
    ...(intent.outcome === ConvertEnd.Failed && { baseAmount: '0', quoteAmount: '0', fills: [] }),
    // Evidence for a person; an attempt certified to zero has no order to speak of.
    ...(intent.state === 'ESCALATED' && { orderId: intent.attempt?.orderId }),
  })
  if (!parsed.success) throw new Defect(`intent ${intent.intentId} ended ${intent.state} without a known outcome`)
  return parsed.data
}

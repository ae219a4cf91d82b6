// Says what became of a conversion: of a proven order by reading it, of an ended intent from the
// journal. Reads only; any process may ask again at any time and hears the same.
import { type ConvertFill, type ConvertReport, convertReport } from '../../contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../../contract/outcomes.ts'
import { Defect } from '../../errors.ts'
import { type ConvertIntent, isOpened } from '../../journal/intent.ts'
import type { ConversionService, OrderState } from '../../service/ports.ts'
import { findOrderDifference } from './as-asked.ts'
import { sideOf } from './convert-intent.ts'

/** An order fills in one piece, or over time on credit. */
const FILLS_LIMIT = 500
/** The report must fit a state of 256 KiB: Step Functions ends a run beyond it, past any Catch. */
const FILLS_LIMIT_BYTES = 200_000

/**
 * @returns FILLED or FAILED with the fills, else PROCESSING: statuses are an open set, so an
 * unknown one, or an order not yet visible or without the fills it speaks of, is still moving. NEEDS_ATTENTION at once for
 * an order that is not what was asked for: money moves all the same, and a person has to know.
 * @throws Transient, Refused, Defect
 */
export async function reportOrder(
  intent: ConvertIntent,
  service: Pick<ConversionService, 'findOrder' | 'fillsOf'>,
): Promise<ConvertReport> {
  const known = knownOf(intent)
  const order = await service.findOrder(known.orderId)
  if (!order)
    return { ...known, outcome: ConvertStep.Processing, waits: 0, why: 'the order is accepted and not yet visible' }
  // Of an intent that was lost a person named the order, and nothing is known that it could be held against.
  const difference = isOpened(intent) ? findOrderDifference(order, intent) : undefined
  if (difference !== undefined) {
    const why = `order ${order.id} is ${order.status}, and it is not what was asked for: ${difference}`
    return { ...known, ...figuresOf(order), outcome: ConvertEnd.NeedsAttention, why }
  }
  const outcome = outcomeOf(order.status)
  if (outcome === ConvertStep.Processing) {
    return { ...known, ...figuresOf(order), outcome, waits: 0, why: `the order is ${order.status}` }
  }
  const fills = (await service.fillsOf(order.id, FILLS_LIMIT)).map(reportedFill)
  // A list that lags behind its order must not pass for "nothing was filled".
  if (fills.length === 0 && (outcome === ConvertEnd.Filled || /[1-9]/.test(order.filledBaseAmount))) {
    const why = `the order is ${order.status}, and its fills are not yet visible`
    return { ...known, ...figuresOf(order), outcome: ConvertStep.Processing, waits: 0, why }
  }
  if (Buffer.byteLength(JSON.stringify(fills)) > FILLS_LIMIT_BYTES)
    throw new Defect(`the ${fills.length} fills of order ${order.id} are more than a report can hold`)
  const report = { ...known, ...figuresOf(order), outcome, fills }
  if (outcome === ConvertEnd.Filled) return report
  return { ...report, why: `the order ended FAILED after ${order.filledBaseAmount} of ${order.baseAmount} was filled` }
}

/** What the journal knows of a proven order. @throws Defect where none is proven */
export function knownOf(intent: ConvertIntent) {
  const { intentId, attemptNumber: attempts, ref } = intent
  if (ref === undefined) throw new Defect(`intent ${intentId} has no movement to report on`)
  return { intentId, attempts, orderId: ref, side: sideOf(intent) }
}

/** The fields of the result's interface, and no more: the client knows others. */
function reportedFill({ id, sequence, baseAmount, quoteAmount, rate, executedAt }: ConvertFill): ConvertFill {
  return { id, sequence, baseAmount, quoteAmount, rate, executedAt }
}

function outcomeOf(
  status: string,
): typeof ConvertEnd.Filled | typeof ConvertEnd.Failed | typeof ConvertStep.Processing {
  if (status === 'FILLED') return ConvertEnd.Filled
  if (status === 'FAILED') return ConvertEnd.Failed
  return ConvertStep.Processing
}

function figuresOf(order: OrderState): Pick<ConvertReport, 'market' | 'rate' | 'baseAmount' | 'quoteAmount'> {
  return {
    market: order.market,
    rate: order.rate,
    baseAmount: order.filledBaseAmount,
    quoteAmount: order.filledQuoteAmount,
  }
}

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

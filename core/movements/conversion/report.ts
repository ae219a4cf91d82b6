// Reports what became of a conversion: reads a proven order from the service, and an ended intent from the journal. Reads only,
// so any process may ask again at any time. Once the movement has ended, the answer stays the same.
import { type ConvertFill, type ConvertReport, convertReport } from '../../contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../../contract/outcomes.ts'
import { statusText } from '../../contract/service-names.ts'
import { Defect } from '../../errors.ts'
import { type ConvertIntent, isOpened } from '../../journal/intent.ts'
import type { ConversionService, OrderState } from '../../service/ports.ts'
import { findOrderDifference } from './as-requested.ts'
import { sideOf } from './convert-intent.ts'

/** Number of fills. An order fills in one piece, or over time on credit. */
const FILLS_LIMIT = 500
/** Bytes. The report must fit a state of 256 KiB: beyond it Step Functions ends a run, and no Catch applies. */
const FILLS_LIMIT_BYTES = 200_000

/**
 * @returns FILLED or FAILED with the fills. Else PROCESSING: an order that is not yet visible, or lacks visible fills, is still
 * moving. So is an order with an unknown status, because statuses are an open set. NEEDS_ATTENTION at once for an order that
 * differs from the request: money moves all the same, and a person has to know.
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
  // The record of a lost intent has no terms: a person named the order, and nothing can be compared with it.
  const difference = isOpened(intent) ? findOrderDifference(order, intent) : undefined
  if (difference !== undefined) {
    const why = `order ${order.id} has the status ${statusText(order.status)}, and it is not what was asked for: ${difference}`
    return { ...known, ...figuresOf(order), outcome: ConvertEnd.NeedsAttention, why }
  }
  const outcome = outcomeOf(order.status)
  if (outcome === ConvertStep.Processing) {
    return { ...known, ...figuresOf(order), outcome, waits: 0, why: `the order is ${statusText(order.status)}` }
  }
  const fills = (await service.fillsOf(order.id, FILLS_LIMIT)).map(reportedFill)
  // An order whose list of fills lags behind must not count as "nothing was filled".
  if (fills.length === 0 && (outcome === ConvertEnd.Filled || /[1-9]/.test(order.filledBaseAmount))) {
    const why = `the order ended as ${statusText(order.status)}, and its fills are not yet visible`
    return { ...known, ...figuresOf(order), outcome: ConvertStep.Processing, waits: 0, why }
  }
  if (Buffer.byteLength(JSON.stringify(fills)) > FILLS_LIMIT_BYTES)
    throw new Defect(`the ${fills.length} fills of order ${order.id} are more than a report can hold`)
  const report = { ...known, ...figuresOf(order), outcome, fills }
  if (outcome === ConvertEnd.Filled) return report
  return { ...report, why: `the order failed after ${order.filledBaseAmount} of ${order.baseAmount} was filled` }
}

/** The journal's facts about a proven order. @throws Defect where no order is proven */
export function knownOf(intent: ConvertIntent) {
  const { intentId, attemptNumber: attempts, ref } = intent
  if (ref === undefined) throw new Defect(`intent ${intentId} has no movement to report on`)
  return { intentId, attempts, orderId: ref, side: sideOf(intent) }
}

/** Only the fields of the result's interface: the client reads more. */
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
    // A conversion that failed before any send filled nothing, and its report says so.
    ...(intent.outcome === ConvertEnd.Failed && { baseAmount: '0', quoteAmount: '0', fills: [] }),
    // Evidence for a person. A certified zero has no order to report.
    ...(intent.state === 'ESCALATED' && { orderId: intent.attempt?.orderId }),
  })
  if (!parsed.success) throw new Defect(`intent ${intent.intentId} ended ${intent.state} without a known outcome`)
  return parsed.data
}

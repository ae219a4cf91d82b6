// Says in one line what an event in an execution's history means to the person watching a
// conversion. Pure: no clock, no colour, no stream.
import type { ConvertReport, ConvertRequest, QuotedTerms } from '../../functions/contract/convert.ts'
import { ConvertStep } from '../../functions/contract/outcomes.ts'
import { ConvertState } from '../../functions/contract/states.ts'

/** The part of a history event that is read here (Step Functions API, HistoryEvent). */
export interface WatchedEvent {
  readonly type: string
  readonly stateEnteredEventDetails?: { readonly name: string; readonly input?: string }
  readonly stateExitedEventDetails?: { readonly name: string; readonly output?: string }
  readonly lambdaFunctionFailedEventDetails?: Failure
  readonly lambdaFunctionTimedOutEventDetails?: Failure
  readonly taskFailedEventDetails?: Failure
  readonly taskTimedOutEventDetails?: Failure
}

interface Failure {
  readonly error?: string
  readonly cause?: string
}

export type Tone = 'good' | 'wait' | 'bad' | 'plain'

export interface EventLine {
  /** A state's name, or what happened. */
  readonly label: string
  readonly text: string
  readonly tone: Tone
}

/** What a state is doing while it lasts: for the live line. */
export function describeEntered(event: WatchedEvent, request: ConvertRequest): EventLine | undefined {
  const details = event.stateEnteredEventDetails
  if (details === undefined) return undefined
  const doing: Partial<Record<string, string>> = {
    [ConvertState.Quote]: `asking for a quote to ${askText(request)}`,
    [ConvertState.Order]: 'executing the quote',
    [ConvertState.PollOrder]: 'looking at the order',
    [ConvertState.WaitForFence]: `waiting ${secondsIn(details.input)} s until it is certain whether money moved`,
    [ConvertState.WaitToPoll]: `waiting ${secondsIn(details.input)} s before the next look`,
    [ConvertState.Conclude]: 'a step failed for good: reading what the journal knows',
  }
  const text = doing[details.name]
  return text === undefined ? undefined : { label: details.name, text, tone: 'plain' }
}

/** What came of it: one line a state that has something to say. */
export function describeEvent(event: WatchedEvent, request: ConvertRequest): EventLine | undefined {
  const failure = failureOf(event)
  if (failure !== undefined) return { label: 'fault', text: faultText(failure), tone: 'bad' }
  const details = event.stateExitedEventDetails
  if (details?.output === undefined) return undefined
  const report = parseObject(details.output) as ReportShape
  // A state left by its Catch puts out the error, which has been told already.
  if (report.outcome === undefined) return undefined
  const described = describeReport(details.name, report, request)
  return described && { label: details.name, ...described }
}

function failureOf(event: WatchedEvent): Failure | undefined {
  return (
    event.lambdaFunctionFailedEventDetails ??
    event.lambdaFunctionTimedOutEventDetails ??
    event.taskFailedEventDetails ??
    event.taskTimedOutEventDetails
  )
}

type ReportShape = Partial<ConvertReport> & { readonly quote?: QuotedTerms }

function describeReport(
  state: string,
  report: ReportShape,
  request: ConvertRequest,
): Omit<EventLine, 'label'> | undefined {
  switch (state) {
    case ConvertState.Quote:
      if (report.quote === undefined) return { text: 'the journal already knows this intent', tone: 'plain' }
      return { text: `${termsText(report.quote, request)}, order ${report.quote.orderId}`, tone: 'plain' }
    case ConvertState.Order:
    case ConvertState.PollOrder:
    case ConvertState.Conclude:
      return describeStep(report, request)
    default:
      // Choices and waits have nothing of their own to say; ends are told by the result.
      return undefined
  }
}

function describeStep(report: ReportShape, request: ConvertRequest): Omit<EventLine, 'label'> {
  const why = report.why === undefined ? '' : `: ${report.why}`
  switch (report.outcome) {
    case ConvertStep.Processing:
      return {
        text: `accepted, still moving${why}${report.waitSeconds === undefined ? '' : `; next look in ${report.waitSeconds} s`}`,
        tone: 'wait',
      }
    case ConvertStep.Uncertain:
      return { text: `not certain${why}`, tone: 'wait' }
    case ConvertStep.QuoteExpired:
      return { text: `nothing moved${why}; attempt ${report.attempts ?? '?'} asks for another quote`, tone: 'wait' }
    case 'FILLED':
      return { text: `filled ${filledText(report, request)}`, tone: 'good' }
    default:
      return { text: `${report.outcome}${why}`, tone: 'bad' }
  }
}

/** `buy 0.25 BTC with USDC`, `sell ETH for 1000 USDC`: the side is always the base asset's. */
export function askText({ side, baseAsset, quoteAsset, amountAsset, amount }: ConvertRequest): string {
  const isBaseLeg = amountAsset.toLowerCase() === baseAsset.toLowerCase()
  const base = isBaseLeg ? `${amount} ${baseAsset}` : baseAsset
  const quote = isBaseLeg ? quoteAsset : `${amount} ${quoteAsset}`
  return side === 'BUY' ? `buy ${base} with ${quote}` : `sell ${base} for ${quote}`
}

function termsText(terms: Pick<QuotedTerms, 'rate' | 'baseAmount' | 'quoteAmount'>, request: ConvertRequest): string {
  return `${terms.baseAmount} ${request.baseAsset} for ${terms.quoteAmount} ${request.quoteAsset} at ${terms.rate}`
}

export function filledText(report: Partial<ConvertReport>, request: ConvertRequest): string {
  const { baseAmount = '?', quoteAmount = '?', rate = '?' } = report
  return termsText({ baseAmount, quoteAmount, rate }, request)
}

const FAULT_LENGTH = 200

function faultText({ error = 'unknown', cause = '' }: Failure): string {
  const message = parseObject(cause).errorMessage
  return typeof message === 'string' ? `${error}: ${message.slice(0, FAULT_LENGTH)}` : error
}

function secondsIn(input: string | undefined): string {
  const seconds = parseObject(input ?? '').waitSeconds
  return typeof seconds === 'number' ? String(seconds) : '?'
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

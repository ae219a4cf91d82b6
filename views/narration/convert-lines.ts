// Puts a conversion into words: its request, and the meaning of each event. Pure.
import type { ConvertReport, ConvertRequest, QuoteAnswer, QuotedTerms } from '../../core/contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../../core/contract/outcomes.ts'
import { ConvertState } from '../../core/contract/states.ts'
import { askText } from '../../operations/words/request-words.ts'
import { because, describeOutcome, type Message, type Narration, recordedText, waitingWords } from './event-lines.ts'

export const convertNarration: Narration<ConvertRequest> = {
  doing(state, request, waitSeconds) {
    const doing: Partial<Record<string, string>> = {
      [ConvertState.Quote]: `asking for a quote to ${askText(request)}`,
      [ConvertState.Order]: 'executing the quote, and checking the order',
      [ConvertState.PollOrder]: 'checking the order',
      ...waitingWords(waitSeconds),
    }
    return doing[state]
  },
  result(state, output, request) {
    // A step of this project wrote the output, so its shape is not checked. The text is for people; nothing is decided by it.
    const report = output as Report
    switch (state) {
      case ConvertState.Quote:
        if (report.quote === undefined) return recordedText(report.refused)
        return { text: `${termsText(report.quote, request)}, order ${report.quote.orderId}`, tone: 'plain' }
      case ConvertState.Order:
      case ConvertState.PollOrder:
      case ConvertState.Conclude:
        return describeStep(report, request)
      default:
        // Choices and waits have no line. The result reports the end.
        return undefined
    }
  },
}

type Report = Partial<ConvertReport> & Pick<QuoteAnswer, 'quote' | 'refused'>

function describeStep(report: Report, request: ConvertRequest): Message {
  switch (report.outcome) {
    case ConvertStep.QuoteExpired: {
      const attempt = `attempt ${report.attempts ?? '?'} asks for another quote`
      return { text: `nothing moved${because(report)}; ${attempt}`, tone: 'wait' }
    }
    case ConvertEnd.Filled:
      return { text: `filled ${filledText(report, request)}`, tone: 'good' }
    default:
      return describeOutcome(report)
  }
}

function termsText(terms: Pick<QuotedTerms, 'rate' | 'baseAmount' | 'quoteAmount'>, request: ConvertRequest): string {
  return `${terms.baseAmount} ${request.baseAsset} for ${terms.quoteAmount} ${request.quoteAsset} at ${terms.rate}`
}

export function filledText(report: Partial<ConvertReport>, request: ConvertRequest): string {
  const { baseAmount = '?', quoteAmount = '?', rate = '?' } = report
  return termsText({ baseAmount, quoteAmount, rate }, request)
}

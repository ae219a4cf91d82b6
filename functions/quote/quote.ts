// State Quote: opens the intent in the journal and brings a quote that the price guard allows.
// Moves no money. What it refuses it records, so that Order, which follows it without a Choice,
// answers from the journal.
import { convertRequest, type OrderInput, type QuotedTerms, type QuoteInput } from '../../core/contract/convert.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { ConvertEnd, ConvertStep, GuardCode } from '../../core/contract/outcomes.ts'
import { IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { Refused, Transient } from '../../core/errors.ts'
import type { GuardSettings } from '../../core/guards/frozen-guards.ts'
import type { OpenConversion } from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { guardedMove, type Move, zeroMove } from '../../core/journal/moves.ts'
import type { PinnedAccount } from '../../core/journal/pinned-account.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import { findQuoteBreach, quoteRequestOf } from '../../core/movements/conversion/convert-intent.ts'
import { CLOCK_AGE_LIMIT_MS } from '../../core/movements/polling.ts'
import { parseWith } from '../../core/parse.ts'
import type { ConversionService, QuoteRequest } from '../../core/service/ports.ts'
import { openConvertIntent } from './open-intent.ts'

export interface QuotePorts {
  readonly journal: Journal
  readonly account: PinnedAccount
  readonly service: ConversionService
  readonly guards: GuardSettings
  readonly timing: Timing
}

/**
 * @returns QUOTED with terms for the intent's present attempt, or RECORDED: the journal knows the rest.
 * @throws Refused for a request that cannot be right; nothing is recorded then. @throws Transient, Defect
 */
export async function quote(input: QuoteInput, ports: QuotePorts): Promise<OrderInput> {
  const { startedAt } = input
  const intentId = intentIdOf(input.execution)
  const request = parseWith(convertRequest, input.request, 'input')
  const intent = await openConvertIntent(intentId, startedAt, request, ports)
  if (intent.state !== IntentState.Ready) return recorded(intentId)

  const asker = await whoAsks(ports)
  const found = await findTerms(intent, ports)
  if ('terms' in found) {
    // A quote is of the account whose key asked for it: which one that was is known only if it is still in use.
    if ((await ports.service.keyInUse()) !== asker.kid)
      throw new Transient('the key was replaced while a quote was asked for')
    return { intentId, outcome: ConvertStep.Quoted, attempt: intent.attemptNumber, quote: { ...found.terms, ...asker } }
  }
  await ports.journal.advance(intent, found.end)
  return recorded(intentId)
}

async function whoAsks({ service }: QuotePorts): Promise<Pick<QuotedTerms, 'kid' | 'account'>> {
  const kid = await service.keyInUse()
  const account = await service.accountOfKey()
  return { kid, ...(account !== undefined && { account }) }
}

/** READY means that nothing is in doubt, so each of these ends is a zero with no fence to wait for. */
async function findTerms(intent: OpenConversion, ports: QuotePorts): Promise<{ terms: QuotedTerms } | { end: Move }> {
  const { clock } = ports.service
  await clock.ensure(CLOCK_AGE_LIMIT_MS)
  if (clock.nowMs() >= Date.parse(intent.notAfter)) {
    return {
      end: zeroMove(intent, IntentState.Exhausted, ConvertEnd.ExpiredOut, `its time ran out at ${intent.notAfter}`),
    }
  }

  const asked = quoteRequestOf(intent)
  const rejected = (why: string) => ({ end: zeroMove(intent, IntentState.Rejected, ConvertEnd.Rejected, why) })
  if (!/[1-9]/.test(asked.amount)) return rejected(`amount: less than one increment of ${asked.amountAsset}`)

  let terms: QuotedTerms
  try {
    terms = await ports.service.createQuote(asked)
  } catch (error) {
    if (error instanceof Refused) return rejected(error.message)
    throw error
  }
  if (!isForAmount(terms, asked)) return rejected('the service quoted another amount than it was asked for')

  const breach = findQuoteBreach(intent, terms)
  if (breach) return { end: guardedMove(intent, ConvertEnd.PriceRefused, { why: breach, guardedBy: GuardCode.Price }) }
  return { terms }
}

/** What we sent is what comes back: the leg that the amount counts must be the amount. */
function isForAmount(terms: QuotedTerms, asked: QuoteRequest): boolean {
  const countsBase = asked.amountAsset.toLowerCase() === asked.baseAsset.toLowerCase()
  const leg = countsBase ? terms.baseAmount : terms.quoteAmount
  return parseDecimal(leg, 'quoted amount') === parseDecimal(asked.amount, 'amount')
}

function recorded(intentId: string): OrderInput {
  return { intentId, outcome: ConvertStep.Recorded }
}

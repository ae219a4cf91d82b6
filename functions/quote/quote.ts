// State Quote: opens the intent in the journal and requests a quote that the price guard allows. Moves no money. Records each
// refusal of a request that can be read, because Order follows without a Choice and reads the journal. The terms settled at the
// opening stay the same over all attempts: the quantised amount, the reference rate, values, and the time after which nothing
// is sent.
import {
  type ConvertRequest,
  convertRequest,
  type QuoteAnswer,
  type QuotedTerms,
  type QuoteInput,
  settledInput,
} from '../../core/contract/convert.ts'
import { intentIdOf, sameCode } from '../../core/contract/fields.ts'
import { ConvertEnd, ConvertStep, GuardCode } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { Refused } from '../../core/errors.ts'
import { guardSets } from '../../core/guards/effective-guards.ts'
import type { GuardSettings } from '../../core/guards/policy-terms.ts'
import { tightestSlippage } from '../../core/guards/price-guard.ts'
import { findUnitValues } from '../../core/guards/unit-values.ts'
import type { AssetNames, ConvertFrozen, ConvertIntent, OpenConversion } from '../../core/journal/intent.ts'
import { assertSameParams, type Journal } from '../../core/journal/journal.ts'
import { guardedMove, type Move, zeroMove } from '../../core/journal/moves.ts'
import { assertKeyKept, settleAccount, withOneKey } from '../../core/journal/own-key.ts'
import type { PinnedAccount } from '../../core/journal/pinned-account.ts'
import { settledNotAfter, settleIntent, termsHashOf } from '../../core/journal/terms.ts'
import { amountTextOf, quantiseAmountDown, settledAmount } from '../../core/money/amount.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import { findQuoteDifference, marketOf } from '../../core/movements/conversion/as-requested.ts'
import { findQuoteBreach, givenUpBy, quoteRequestOf } from '../../core/movements/conversion/convert-intent.ts'
import { assertAsRequested } from '../../core/movements/follows.ts'
import { namingField } from '../../core/movements/of-field.ts'
import { CLOCK_AGE_LIMIT_MS } from '../../core/movements/polling.ts'
import { refusedNow } from '../../core/movements/refused-now.ts'
import { parseWith } from '../../core/parse.ts'
import type { ConversionService, KnownAsset } from '../../core/service/ports.ts'

interface QuotePorts {
  readonly journal: Journal
  readonly account: PinnedAccount
  readonly service: ConversionService
  readonly guards: GuardSettings
  readonly timing: Timing
}

/**
 * @returns QUOTED with terms for the intent's current attempt, or RECORDED, where the journal has the result.
 * @throws Refused for an invalid request, which is not recorded.
 * @throws Transient, Defect
 */
export async function quote(input: QuoteInput, ports: QuotePorts): Promise<QuoteAnswer> {
  const { startedAt } = input
  const intentId = intentIdOf(input.execution)
  const request = parseWith(convertRequest, input.request, 'input')
  const intent = await openConvertIntent(
    intentId,
    startedAt,
    { request, settled: settledInput.safeParse(input.said).data?.settled },
    ports,
  )
  if (intent.state !== IntentState.Ready) return recorded(intentId)

  const key = await identifyKey(ports)
  const found = await findTerms(intent, ports)
  // A quote, or its refusal, belongs to the account of the key that requested it. That account is certain only if the
  // key is still in use.
  await assertKeyKept(key.kid, ports.service)
  if ('terms' in found) {
    const quoted = { attempt: intent.attemptNumber, quote: { ...found.terms, ...key }, settled: termsHashOf(intent) }
    return { intentId, outcome: ConvertStep.Quoted, ...quoted }
  }
  const ended = await ports.journal.advance(intent, found.end)
  return { ...recorded(intentId), ...refusedNow(ended, startedAt) }
}

async function identifyKey({ service }: QuotePorts): Promise<{ readonly kid: string; readonly account?: string }> {
  const kid = await service.keyInUse()
  const account = await service.accountOfKey()
  return { kid, ...(account !== undefined && { account }) }
}

/**
 * Requests a quote, or ends the intent. READY means that nothing is in doubt, so each end is a zero without a fence.
 */
async function findTerms(intent: OpenConversion, ports: QuotePorts): Promise<{ terms: QuotedTerms } | { end: Move }> {
  const { clock } = ports.service
  await clock.ensure(CLOCK_AGE_LIMIT_MS)
  if (clock.nowMs() >= Date.parse(intent.notAfter)) {
    return {
      end: zeroMove(intent, IntentState.Exhausted, ConvertEnd.ExpiredOut, `its time ran out at ${intent.notAfter}`),
    }
  }

  const request = quoteRequestOf(intent)
  const rejected = (why: string) => ({ end: zeroMove(intent, IntentState.Rejected, ConvertEnd.Rejected, why) })
  if (!/[1-9]/.test(request.amount))
    return rejected(`input.amount: ${intent.params.amount} is less than one increment of ${request.amountAsset}`)

  let terms: QuotedTerms
  try {
    terms = await ports.service.createQuote(request)
  } catch (error) {
    if (error instanceof Refused) return rejected(error.message)
    throw error
  }
  const difference = findQuoteDifference(intent, terms)
  if (difference) return rejected(difference)

  const breach = findQuoteBreach(intent, terms)
  if (breach) return { end: guardedMove(intent, ConvertEnd.PriceRefused, { why: breach, guardedBy: GuardCode.Price }) }
  return { terms }
}

function recorded(intentId: string): QuoteAnswer {
  return { intentId, outcome: ConvertStep.Recorded }
}

/**
 * Opens the intent, or finds it. Terms that this execution has settled stay the same. A record from elsewhere is
 * settled again, because only terms of this execution may be sent. Throws Refused when the id belongs to other
 * parameters, for an unknown policy, and when a guard cannot be checked.
 * @throws Transient, Defect
 */
async function openConvertIntent(
  intentId: string,
  startedAt: string,
  { request, settled }: { readonly request: ConvertRequest; readonly settled: string | undefined },
  ports: QuotePorts,
): Promise<ConvertIntent> {
  const { journal, timing } = ports
  const ready = await journal.find(intentId, IntentKind.Convert)
  if (ready) {
    assertSameParams(ready, request)
    if (ready.state !== IntentState.Ready) return ready
    assertAsRequested(ready, request)
    if (settled === termsHashOf(ready)) return ready
  }
  const { clock } = ports.service
  await clock.measure()
  const opening = {
    intentId,
    kind: IntentKind.Convert,
    params: request,
    frozen: await withOneKey(ports.service, () => settle(intentId, request, ports)),
    createdAt: startedAt,
    // In service time, which also judges it. The clock of the machine that started the run may differ.
    notAfter: settledNotAfter(request, clock.nowMs() + timing.intentLifeSeconds * 1000, ready),
  }
  return settleIntent<typeof IntentKind.Convert>(ready, opening, undefined, journal)
}

async function settle(
  intentId: string,
  request: ConvertRequest,
  { service, account: pinned, guards: settings }: QuotePorts,
): Promise<ConvertFrozen> {
  const pin = await settleAccount(pinned, service)
  const policy = await settings.policies.find(request, intentId)
  const sets = guardSets(settings.everywhere, policy)
  const base = await namingField('baseAsset', service.knownAsset(request.baseAsset))
  const quoted = await namingField('quoteAsset', service.knownAsset(request.quoteAsset))
  const { amountIncrement } = sameCode(request.amountAsset, request.baseAsset) ? base : quoted
  const increment = parseDecimal(amountIncrement, 'amountIncrement')
  const amount = amountTextOf(
    quantiseAmountDown(settledAmount(request.amountAsset, request.amount, 'amount'), increment),
  )
  const legs = { baseAsset: namesOf(base), quoteAsset: namesOf(quoted) }
  const movement = { kind: IntentKind.Convert, ...givenUpBy(request.side, legs), market: marketOf(legs) }
  const unitValues = await findUnitValues(movement, sets, policy?.hubs ?? [], service)
  const maxSlippageBps = tightestSlippage(request.maxSlippageBps, sets)
  // An amount that rounds to zero has no price. It is refused right after.
  const needsReference = maxSlippageBps !== undefined && /[1-9]/.test(amount)
  return {
    ...(pin && { account: pin.account, stage: pin.stage }),
    ...legs,
    amount,
    increment: amountIncrement,
    ...(maxSlippageBps !== undefined && { maxSlippageBps }),
    ...(needsReference && { referenceRate: await service.indicativeRate({ ...request, amount }) }),
    ...(unitValues && { unitValues }),
  }
}

function namesOf({ assetSymbol, rebasedSymbol }: KnownAsset): AssetNames {
  return sameCode(assetSymbol, rebasedSymbol) ? { assetSymbol } : { assetSymbol, rebasedSymbol }
}

// Opens a conversion's intent in the journal, settling what stays the same over all its attempts:
// the quantised amount, the reference rate, what guards go by, the time after which nothing is sent.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import { sameCode } from '../../core/contract/fields.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { type GuardSet, needsSettledCodes } from '../../core/guards/effective-guards.ts'
import { freezeGuards, guardSets } from '../../core/guards/frozen-guards.ts'
import { type ConvertFrozen, type ConvertIntent, ofKind } from '../../core/journal/intent.ts'
import { assertSameParams } from '../../core/journal/journal.ts'
import { settleAccount } from '../../core/journal/own-key.ts'
import { amountTextOf, quantiseAmountDown, settledAmount } from '../../core/money/amount.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import type { QuotePorts } from './quote.ts'

/**
 * Reads the journal first: only the first start of an intent asks the service anything.
 * @throws Refused when the id was used for other parameters, for a policy that is not known, and where a guard
 * cannot be checked. @throws Transient, Defect
 */
export async function openConvertIntent(
  intentId: string,
  startedAt: string,
  request: ConvertRequest,
  ports: QuotePorts,
): Promise<ConvertIntent> {
  const { journal, timing } = ports
  const known = await journal.find(intentId)
  if (known) {
    assertSameParams(known, request)
    return ofKind(known, IntentKind.Convert)
  }
  const { clock } = ports.service
  await clock.measure()
  return journal.open({
    intentId,
    kind: IntentKind.Convert,
    params: request,
    frozen: await settle(intentId, request, ports),
    createdAt: startedAt,
    // In service time, by which it is held: the machine that started the run may have another.
    notAfter: request.notAfter ?? addSeconds(clock.nowMs(), timing.intentLifeSeconds),
  })
}

async function settle(
  intentId: string,
  request: ConvertRequest,
  { service, account: pinned, guards: settings }: QuotePorts,
): Promise<ConvertFrozen> {
  const account = await settleAccount(pinned, service)
  const policy = await settings.policies.find(request, intentId)
  const sets = guardSets(settings.everywhere, policy)
  const increment = parseDecimal(await service.amountIncrement(request.amountAsset), 'amountIncrement')
  const amount = amountTextOf(
    quantiseAmountDown(settledAmount(request.amountAsset, request.amount, 'amount'), increment),
  )
  // A leg of a run names its assets by their settled codes.
  const hasFloor = request.keep !== undefined && request.run === undefined
  const known = hasFloor || sets.some(needsSettledCodes) ? await settledNames(request, service) : {}
  const guards = await freezeGuards({ kind: IntentKind.Convert, ...known }, settings.everywhere, policy, service)
  const maxSlippageBps = tightestSlippage(request, sets)
  // An amount that rounds to nothing has no price; it is refused right after.
  const needsReference = maxSlippageBps !== undefined && /[1-9]/.test(amount)
  return {
    ...(account !== undefined && { account }),
    amount,
    ...(maxSlippageBps !== undefined && { maxSlippageBps }),
    ...(needsReference && { referenceRate: await service.indicativeRate({ ...request, amount }) }),
    ...(guards && { guards }),
  }
}

/** Guards name assets and markets by settled codes; a request may name them in another spelling. */
async function settledNames(
  { baseAsset, quoteAsset, side }: ConvertRequest,
  service: QuotePorts['service'],
): Promise<{ assetSymbol: string; rebasedSymbol?: string; market: string }> {
  const base = await service.asset(baseAsset)
  const quote = await service.asset(quoteAsset)
  const { assetSymbol, rebasedSymbol } = side === 'SELL' ? base : quote
  const isRebased = !sameCode(assetSymbol, rebasedSymbol)
  return { assetSymbol, ...(isRebased && { rebasedSymbol }), market: `${base.assetSymbol}-${quote.assetSymbol}` }
}

function tightestSlippage({ maxSlippageBps }: ConvertRequest, sets: readonly GuardSet[]): number | undefined {
  const bounds = [maxSlippageBps, ...sets.map(({ guards }) => guards.worstSlippageBps)]
  const known = bounds.filter((bps) => bps !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

function addSeconds(fromMs: number, seconds: number): string {
  return new Date(fromMs + seconds * 1000).toISOString()
}

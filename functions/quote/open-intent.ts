// Opens a conversion's intent in the journal, settling what stays the same over all its attempts:
// the quantised amount, the reference rate, the time after which nothing is sent.
import type { ConvertRequest } from '../contract/convert.ts'
import type { ConvertIntent } from '../shared/conversion/convert-intent.ts'
import { assertSameParams } from '../shared/journal/journal.ts'
import { amountTextOf, quantiseAmountDown, settledAmount } from '../shared/money/amount.ts'
import { parseDecimal } from '../shared/money/decimal.ts'
import type { QuotePorts } from './quote.ts'

/**
 * Reads the journal first: only the first start of an intent asks the service anything.
 * @throws Refused when the id was used for other parameters. @throws Transient, Defect
 */
export async function openConvertIntent(
  intentId: string,
  startedAt: string,
  request: ConvertRequest,
  { journal, service, timing }: QuotePorts,
): Promise<ConvertIntent> {
  const known = await journal.find<ConvertIntent>(intentId)
  if (known) {
    assertSameParams(known, request)
    return known
  }
  const increment = parseDecimal(await service.amountIncrement(request.amountAsset), 'amountIncrement')
  const amount = amountTextOf(
    quantiseAmountDown(settledAmount(request.amountAsset, request.amount, 'amount'), increment),
  )
  const wanted = { ...request, amount }
  return journal.open<ConvertIntent>({
    intentId,
    kind: 'convert',
    params: request,
    frozen: {
      amount,
      ...(needsReference(wanted) && { referenceRate: await service.indicativeRate(wanted) }),
    },
    createdAt: startedAt,
    notAfter: request.notAfter ?? addSeconds(startedAt, timing.intentLifeSeconds),
  })
}

/** An amount that rounds to nothing has no price; it is refused right after. */
function needsReference(request: ConvertRequest): boolean {
  return request.maxSlippageBps !== undefined && /[1-9]/.test(request.amount)
}

function addSeconds(iso: string, seconds: number): string {
  return new Date(Date.parse(iso) + seconds * 1000).toISOString()
}

// Says what speaks for and against each movement that may belong to an intent in doubt, by what was asked for and by the time
// of the send. A person decides by it. Pure.

import { subTypeText } from '../../core/contract/service-names.ts'
import { type WithdrawalCandidate, withdrawalCandidate } from '../../core/contract/withdraw.ts'
import type { Intent, OpenWithdrawal } from '../../core/journal/intent.ts'
import { attemptOf, isConversion, isOpened } from '../../core/journal/intent.ts'
import { isSameAmount } from '../../core/money/decimal.ts'
import { candidatesIn } from '../../core/movements/withdrawal/report.ts'
import { payeeText } from '../words/request-words.ts'

export interface WeighedCandidate {
  readonly id: string
  /** Settled decimal text: the most that left the account. */
  readonly amount: string
  readonly asset: string
  /** ISO-8601; absent for an order, whose record has no time. */
  readonly at?: string
  /** The status at the service, when it was found. */
  readonly status?: string
  /** Its payee as far as the service shows it, or its rate. */
  readonly terms: string
  readonly pro: readonly string[]
  readonly contra: readonly string[]
}

/** Empty where nothing is known of what was asked for. `until`: the fence, ISO-8601. */
export function weighCandidates(intent: Intent, until: string | undefined): readonly WeighedCandidate[] {
  if (isConversion(intent)) {
    const { attempt, params } = intent
    if (attempt === undefined) return []
    const { market, rate, baseAmount, quoteAmount } = attempt.terms
    const [amount, asset] = params.side === 'SELL' ? [baseAmount, params.baseAsset] : [quoteAmount, params.quoteAsset]
    const pro = ['its id was fixed before the send, so no other order can be it']
    return [{ id: attempt.orderId, amount, asset: asset ?? '', terms: `${rate} on ${market}`, pro, contra: [] }]
  }
  if (!isOpened(intent) || intent.attempt === undefined) return []
  return candidatesIn(intent.evidence).map((row) => {
    // Older records may have rows without some of these fields. Such a row is shown, and nothing is said of it.
    const read = withdrawalCandidate.safeParse(row)
    return read.success ? weighed(read.data, intent, until) : unread(row, intent)
  })
}

function unread({ id, total = '' }: Partial<WithdrawalCandidate>, { frozen }: OpenWithdrawal): WeighedCandidate {
  const terms = 'its row cannot be read whole'
  return { id: String(id), amount: total, asset: frozen.assetSymbol, terms, pro: [], contra: [] }
}

function weighed(row: WithdrawalCandidate, intent: OpenWithdrawal, until: string | undefined): WeighedCandidate {
  const { assetSymbol, payee, contactId } = intent.frozen
  const reasons = [amountReason(row, intent), routeReason(row, intent), timeReason(row, intent, until), endReason(row)]
  const of = (isFor: boolean) => reasons.flatMap((reason) => (reason?.isFor === isFor ? [reason.says] : []))
  return {
    ...{ id: row.id, amount: row.total, asset: assetSymbol, at: row.createdAt, status: row.status },
    terms: `${routeText(row)}; asked for was ${payeeText(contactId, payee)}, and the service shows no payee`,
    ...{ pro: of(true), contra: of(false) },
  }
}

interface Reason {
  readonly isFor: boolean
  readonly says: string
}

function amountReason(row: WithdrawalCandidate, { frozen }: OpenWithdrawal): Reason {
  const { amount, assetSymbol, feeMode } = frozen
  const [name, own] = feeMode === 'deduct' ? ['total', row.total] : ['amount', row.amount]
  return isSameAmount(own, amount)
    ? { isFor: true, says: `its ${name} is the ${amount} ${assetSymbol} that was asked for` }
    : { isFor: false, says: `its ${name} is ${own} ${assetSymbol}, and asked for was ${amount} ${assetSymbol}` }
}

function routeReason(row: WithdrawalCandidate, { frozen: { networkId, subTypes } }: OpenWithdrawal): Reason {
  const isSame = subTypes.includes(row.subType) && (row.networkId ?? null) === networkId
  const asked = subTypes.map((subType) => routeText({ subType, networkId })).join(' or ')
  return isSame
    ? { isFor: true, says: `it goes the way of the payee (${routeText(row)})` }
    : { isFor: false, says: `it goes another way than the payee's (${asked})` }
}

function timeReason({ createdAt }: WithdrawalCandidate, intent: OpenWithdrawal, until = ''): Reason {
  const sentMs = attemptOf(intent).iat * 1000
  const atMs = Date.parse(createdAt)
  const sent = new Date(sentMs).toISOString()
  // The service dates rows by a clock that may differ from the signature's by seconds.
  if (atMs < sentMs - CLOCKS_MS) return { isFor: false, says: `it was there before the send at ${sent}` }
  if (atMs > Date.parse(until))
    return { isFor: false, says: `it came after ${until}, when no copy was accepted any more` }
  return { isFor: true, says: `it came ${Math.round(Math.abs(atMs - sentMs) / 1000)} s from the send at ${sent}` }
}

const CLOCKS_MS = 5_000

/** Nothing for a movement that goes on or is complete: both fit an accepted request. */
function endReason({ status }: WithdrawalCandidate): Reason | undefined {
  return status.startsWith('FAILED') ? { isFor: false, says: 'it has failed' } : undefined
}

function routeText({ subType, networkId }: Pick<WithdrawalCandidate, 'subType' | 'networkId'>): string {
  return networkId ? `${subTypeText(subType)} on ${networkId}` : subTypeText(subType)
}

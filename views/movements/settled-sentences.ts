// Writes the sentences about the result of a movement: what was filled, what arrived, and the ids by which people find
// the movement. Pure.
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import type { SettledFact } from '../../operations/movements/facts.ts'

export function settledSentence(fact: SettledFact): string {
  return fact.movement === 'order' ? orderSentence(fact) : withdrawalSentence(fact)
}

function orderSentence({
  outcome,
  baseAmount = '0',
  quoteAmount = '0',
  market,
  rate,
  fills,
  why,
}: SettledFact): string {
  const traded = `${baseAmount} for ${quoteAmount}${market === undefined ? '' : ` in ${market}`}`
  const at = rate === undefined ? '' : `, at a rate of ${rate}`
  const parts = fills === undefined || fills.length < 2 ? '' : ` in ${fills.length} fills`
  if (outcome === ConvertEnd.Filled) return `The order is filled: ${traded}${at}${parts}. The money is in the account.`
  if (outcome === ConvertEnd.Failed)
    return `The order failed, after ${traded} had been filled. The rest was never taken.`
  return `When Sluice last looked, the order was not at its end: ${traded} had been filled.${because(why)}`
}

function withdrawalSentence(fact: SettledFact): string {
  const { outcome, assetSymbol = '', amount = '?', fee = '?', total = '?', why } = fact
  const sum = `${amount} ${assetSymbol} for a fee of ${fee}, ${total} ${assetSymbol} in all`
  if (outcome === WithdrawEnd.Completed) return `The withdrawal is complete: ${sum}.${placesOf(fact)}`
  if (outcome === WithdrawEnd.FailedRefunded)
    return `The withdrawal failed, and the money is in the account.${because(why)}`
  return `When Sluice last looked, the withdrawal was not at its end: ${sum}.${placesOf(fact)}${because(why)}`
}

function placesOf({ networkId, transactionHash, bankReference }: SettledFact): string {
  const network = networkId === null || networkId === undefined ? '' : ` It went by the network ${networkId}.`
  const hash =
    transactionHash === null || transactionHash === undefined ? '' : ` Its transaction is ${transactionHash}.`
  const bank = bankReference === null || bankReference === undefined ? '' : ` Its bank reference is ${bankReference}.`
  return `${network}${hash}${bank}`
}

function because(why: string | undefined): string {
  return why === undefined ? '' : ` Its reason: ${why}.`
}

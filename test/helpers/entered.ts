// Enters the steps that send as a state machine does: with the input of the execution, here the intent's request, and
// with the answer of the step before.
import type { ConvertReport, QuoteAnswer } from '../../core/contract/convert.ts'
import type { WithdrawInput, WithdrawReport } from '../../core/contract/withdraw.ts'
import { type OrderPorts, order } from '../../functions/order/order.ts'
import { type WithdrawPorts, withdraw } from '../../functions/withdraw/withdraw.ts'

export async function enterOrder(said: QuoteAnswer, ports: OrderPorts): Promise<ConvertReport> {
  const known = await ports.journal.find(said.intentId, 'convert')
  return order({ request: known?.params, said }, ports)
}

export async function enterWithdraw(said: WithdrawInput['said'], ports: WithdrawPorts): Promise<WithdrawReport> {
  const known = await ports.journal.find(said.intentId, 'withdraw')
  return withdraw({ request: known?.params, said }, ports)
}

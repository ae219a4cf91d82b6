// Bundle file of the steps of single movements: some move money, the others check, poll or conclude. A function's handler is
// `movements.<verb>`.

import { Verb } from '../core/contract/states.ts'
import { makeCheckWithdrawalHandler } from './check-withdrawal/handler.ts'
import { makeConcludeHandler } from './conclude/handler.ts'
import { makeOrderHandler } from './order/handler.ts'
import { makePollOrderHandler } from './poll-order/handler.ts'
import { makePollWithdrawalHandler } from './poll-withdrawal/handler.ts'
import { makeQuoteHandler } from './quote/handler.ts'
import { initialise } from './runtime/initialise.ts'
import { makeWithdrawHandler } from './withdraw/handler.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const quote = initialise(Verb.Quote, makeQuoteHandler)
export const order = initialise(Verb.Order, makeOrderHandler)
export const pollOrder = initialise(Verb.PollOrder, makePollOrderHandler)
export const checkWithdrawal = initialise(Verb.CheckWithdrawal, makeCheckWithdrawalHandler)
export const withdraw = initialise(Verb.Withdraw, makeWithdrawHandler)
export const pollWithdrawal = initialise(Verb.PollWithdrawal, makePollWithdrawalHandler)
export const conclude = initialise(Verb.Conclude, makeConcludeHandler)

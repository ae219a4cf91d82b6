// Entry of the one bundle that all functions share: `index.<verb>` is a function's handler.
import { makeAnnounceHandler } from './announce/handler.ts'
import { makeCheckWithdrawalHandler } from './check-withdrawal/handler.ts'
import { makeConcludeHandler } from './conclude/handler.ts'
import { Verb } from './contract/states.ts'
import { makeOrderHandler } from './order/handler.ts'
import { makePlanRebalanceHandler } from './plan-rebalance/handler.ts'
import { makePlanSweepHandler } from './plan-sweep/handler.ts'
import { makePollOrderHandler } from './poll-order/handler.ts'
import { makePollWithdrawalHandler } from './poll-withdrawal/handler.ts'
import { makeQuoteHandler } from './quote/handler.ts'
import { makeReceiveWebhookHandler } from './receive-webhook/handler.ts'
import { makeReconcileHandler } from './reconcile/handler.ts'
import { makeSettleRunHandler } from './settle-run/handler.ts'
import type { LambdaHandler, MakeHandler } from './shared/lambda/handler.ts'
import { makeStartRunHandler } from './start-run/handler.ts'
import { makeWithdrawHandler } from './withdraw/handler.ts'

/**
 * Lambda names this function's handler in `_HANDLER`: that one is built while the function
 * initialises, any other on its first call. A wrong environment is told on each call, where its
 * message reaches the state machine.
 */
function initialise(verb: Verb, make: MakeHandler): LambdaHandler {
  let built: LambdaHandler | undefined
  const handler = (): LambdaHandler => {
    built ??= make(process.env)
    return built
  }
  if (process.env._HANDLER === `index.${verb}`) {
    try {
      handler()
    } catch {
      // The first call meets the same error, and is the one to tell.
    }
  }
  return async (event) => handler()(event)
}

export const quote = initialise(Verb.Quote, makeQuoteHandler)
export const order = initialise(Verb.Order, makeOrderHandler)
export const pollOrder = initialise(Verb.PollOrder, makePollOrderHandler)
export const checkWithdrawal = initialise(Verb.CheckWithdrawal, makeCheckWithdrawalHandler)
export const withdraw = initialise(Verb.Withdraw, makeWithdrawHandler)
export const pollWithdrawal = initialise(Verb.PollWithdrawal, makePollWithdrawalHandler)
export const conclude = initialise(Verb.Conclude, makeConcludeHandler)
export const reconcile = initialise(Verb.Reconcile, makeReconcileHandler)
export const planRebalance = initialise(Verb.PlanRebalance, makePlanRebalanceHandler)
export const planSweep = initialise(Verb.PlanSweep, makePlanSweepHandler)
export const settleRun = initialise(Verb.SettleRun, makeSettleRunHandler)
export const startRun = initialise(Verb.StartRun, makeStartRunHandler)
export const receiveWebhook = initialise(Verb.ReceiveWebhook, makeReceiveWebhookHandler)
export const announce = initialise(Verb.Announce, makeAnnounceHandler)

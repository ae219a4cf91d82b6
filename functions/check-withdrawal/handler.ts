// The function behind the state CheckWithdrawal: wires its clients, hands the event to the decision.
import { Verb } from '../contract/states.ts'
import { checkWithdrawalInput } from '../contract/withdraw.ts'
import { readTiming } from '../shared/lambda/environment.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireOpening, wireServiceClient } from '../shared/lambda/wiring.ts'
import { withdrawalTerms } from '../shared/lambda/withdrawal-ports.ts'
import { checkWithdrawal } from './check-withdrawal.ts'

export const makeCheckWithdrawalHandler: MakeHandler = (env) => {
  const terms = withdrawalTerms(wireServiceClient(env))
  const ports = { ...wireOpening(env), terms, timing: readTiming(env) }
  return frameHandler(Verb.CheckWithdrawal, checkWithdrawalInput, (input) => checkWithdrawal(input, ports))
}

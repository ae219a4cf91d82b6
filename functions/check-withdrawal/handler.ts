// Handler of the state CheckWithdrawal. It connects its clients, and passes each event to check-withdrawal.ts.
import { Verb } from '../../core/contract/states.ts'
import { checkWithdrawalInput } from '../../core/contract/withdraw.ts'
import { wireServiceClient } from '../runtime/clients.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireOpening } from '../runtime/movement-wiring.ts'
import { withdrawalReads, withdrawalTerms } from '../runtime/withdrawal-ports.ts'
import { checkWithdrawal } from './check-withdrawal.ts'

export const makeCheckWithdrawalHandler: MakeHandler = (env) => {
  const client = wireServiceClient(env)
  const reads = { terms: withdrawalTerms(client), service: withdrawalReads(client) }
  const ports = { ...wireOpening(env), ...reads, timing: readTiming(env) }
  return frameHandler(Verb.CheckWithdrawal, checkWithdrawalInput, (input) => checkWithdrawal(input, ports))
}

// Handler of the state Withdraw. It connects its clients, and passes each event to withdraw.ts.
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { withdrawInput } from '../../core/contract/withdraw.ts'
import { LEFT_TO_SENDS, newId, URGENT, wireServiceClient } from '../runtime/clients.ts'
import { readShared, readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireRecords } from '../runtime/movement-wiring.ts'
import { withdrawalReads } from '../runtime/withdrawal-ports.ts'
import { withdraw } from './withdraw.ts'

export const makeWithdrawHandler: MakeHandler = (env) => {
  const client = wireServiceClient(env, URGENT)
  const looking = { clock: systemClock, timing: readTiming(env), mayLookOn: () => client.hasLeft(LEFT_TO_SENDS) }
  const sending = { service: withdrawalReads(client), sender: client, newId, shared: readShared(env) }
  const ports = { ...wireRecords(env), ...sending, ...looking }
  return frameHandler(Verb.Withdraw, withdrawInput, (input) => withdraw(input, ports))
}

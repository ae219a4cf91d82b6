// Handler of the state PollWithdrawal. It connects its clients, and passes each event to poll-withdrawal.ts.

import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { pollWithdrawalInput } from '../../core/contract/withdraw.ts'
import { wireServiceClient } from '../runtime/clients.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireJournal } from '../runtime/movement-wiring.ts'
import { withdrawalReads } from '../runtime/withdrawal-ports.ts'
import { pollWithdrawal } from './poll-withdrawal.ts'

export const makePollWithdrawalHandler: MakeHandler = (env) => {
  const service = withdrawalReads(wireServiceClient(env))
  const ports = { journal: wireJournal(env), service, clock: systemClock, timing: readTiming(env) }
  return frameHandler(Verb.PollWithdrawal, pollWithdrawalInput, (input) => pollWithdrawal(input, ports))
}

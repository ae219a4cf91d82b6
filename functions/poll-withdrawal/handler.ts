// The function behind the state PollWithdrawal: wires its clients, hands the event to the decision.
import { Verb } from '../contract/states.ts'
import { pollWithdrawalInput } from '../contract/withdraw.ts'
import { systemClock } from '../shared/clock.ts'
import { readTiming } from '../shared/lambda/environment.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireJournal, wireServiceClient } from '../shared/lambda/wiring.ts'
import { withdrawalReads } from '../shared/lambda/withdrawal-ports.ts'
import { pollWithdrawal } from './poll-withdrawal.ts'

export const makePollWithdrawalHandler: MakeHandler = (env) => {
  const service = withdrawalReads(wireServiceClient(env))
  const ports = { journal: wireJournal(env), service, clock: systemClock, timing: readTiming(env) }
  return frameHandler(Verb.PollWithdrawal, pollWithdrawalInput, (input) => pollWithdrawal(input, ports))
}

// Handler of LookAgain. It connects the journal's records and lists, one read of the service and Step Functions, and passes
// each event to look-again.ts. It has the read key, and cannot write the journal.
import { systemClock } from '../../core/clock.ts'
import { LookAgainOutcome, lookAgainInput } from '../../core/contract/look-again.ts'
import { Verb } from '../../core/contract/states.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { createDecisionReader } from '../../core/runs/approval/decisions.ts'
import { createRequesterReader } from '../../core/runs/approval/requesters.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { problemOf } from '../../core/service/problem.ts'
import {
  createExecutionFinder,
  createStoppedLister,
  sfnClient,
  sfnStarter,
} from '../../core/triggers/step-functions.ts'
import { newId, wireDecisionKey, wireListed, wireReadingClient } from '../runtime/clients.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { readStateMachines, readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { logLine } from '../runtime/log.ts'
import { lookAgain, NOTHING } from './look-again.ts'

export const makeLookAgainHandler: MakeHandler = (env) => {
  const { isDeclared, ...wired } = wireLookAgain(env)
  const ports = { ...wired, clock: systemClock, timing: readTiming(env), treasury: readTreasuryFile(env) }
  return frameHandler(Verb.LookAgain, lookAgainInput, async (input) => {
    // In a table that is not declared as a journal yet nothing was opened. This is no fault.
    if (!(await isDeclared())) return { ...NOTHING, outcome: LookAgainOutcome.NothingOpen, isCutOff: false }
    const report = await lookAgain(input, ports)
    for (const { execution, stateMachine, why } of report.refused) {
      const measured = { values: { EntriesRefused: 1 }, dimensions: { Kind: stateMachine.replace('sluice-', '') } }
      logLine({ level: 'error', verb: Verb.LookAgain, execution, message: why }, measured)
    }
    return report
  })
}

function wireLookAgain(env: NodeJS.ProcessEnv) {
  const { store, list, isDeclared } = wireListed(env)
  const arns = readStateMachines(env)
  const machines = sfnClient()
  const service = wireReadingClient(env)
  return {
    list,
    isDeclared,
    journal: createJournal(store, newId),
    runs: createRuns(store, newId),
    halts: createHalts(store, newId, readTreasuryFile(env)),
    decisions: createDecisionReader(store, wireDecisionKey(env)),
    requesters: createRequesterReader(store),
    service: {
      clock: service.clock,
      async assertAnswers() {
        try {
          await service.account()
        } catch (error) {
          // A key without this scope proves that the service answers.
          if (problemOf(error)?.code !== 'insufficient_scope') throw error
        }
      },
    },
    findExecution: createExecutionFinder(machines, arns),
    listStopped: createStoppedLister(machines, arns),
    starter: sfnStarter(machines, arns),
  }
}

// Handler of LookAgain: wires its clients, and passes the event to the decision.
import { LookAgainOutcome, lookAgainInput } from '../../core/contract/look-again.ts'
import { Verb } from '../../core/contract/states.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { logLine } from '../runtime/log.ts'
import { wireLookAgain } from '../runtime/recovery-wiring.ts'
import { lookAgain, NOTHING } from './look-again.ts'

export const makeLookAgainHandler: MakeHandler = (env) => {
  const { isDeclared, ...wired } = wireLookAgain(env)
  const ports = { ...wired, timing: readTiming(env) }
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

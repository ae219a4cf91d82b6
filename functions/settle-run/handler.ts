// The function behind the state SettleRun, and behind the rule for runs whose executions were stopped: wires its
// clients, hands the event to the decision.
import { Verb } from '../../core/contract/states.ts'
import { settleRunEvent } from '../../core/contract/triggers.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireRunPorts } from '../runtime/run-wiring.ts'
import { endAborted, settleRun } from './settle-run.ts'

export const makeSettleRunHandler: MakeHandler = (env) => {
  const ports = wireRunPorts(env)
  return frameHandler<typeof settleRunEvent, { outcome: string }>(Verb.SettleRun, settleRunEvent, (given) =>
    'detail' in given ? endAborted(given, ports) : settleRun(given, ports),
  )
}

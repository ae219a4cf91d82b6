// Handler of the state SettleRun, and of the rule for runs whose executions were stopped. It connects its clients, and
// passes each event to settle-run.ts.
import { Verb } from '../../core/contract/states.ts'
import { settleRunEvent } from '../../core/contract/triggers.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireRunPorts } from '../runtime/run-wiring.ts'
import { endAborted, settleRun } from './settle-run.ts'

export const makeSettleRunHandler: MakeHandler = (env) => {
  const portsOfCall = wireRunPorts(env)
  return frameHandler<typeof settleRunEvent, { outcome: string }>(Verb.SettleRun, settleRunEvent, (event) =>
    'detail' in event ? endAborted(event, portsOfCall()) : settleRun(event, portsOfCall()),
  )
}

// Handler of Announce, which receives every end and every movement that waits for people. It connects its clients, and
// passes each event to announce.ts.
import { StateMachine, Verb } from '../../core/contract/states.ts'
import { announceEvent } from '../../core/contract/triggers.ts'
import { readStateMachines } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireBus, wireDescriber } from '../runtime/trigger-wiring.ts'
import { announce, announceWait } from './announce.ts'

export const makeAnnounceHandler: MakeHandler = (env) => {
  const arns = readStateMachines(env)
  const machines = new Map(
    Object.values(StateMachine).flatMap((name) => {
      const arn = arns[name]
      return arn === undefined ? [] : [[arn, name] as const]
    }),
  )
  const ports = { machines, describe: wireDescriber(), publish: wireBus(env) }
  return frameHandler(Verb.Announce, announceEvent, (event) =>
    'awaits' in event ? announceWait(event, ports) : announce(event, ports),
  )
}

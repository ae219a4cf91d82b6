// Runs the steps of one execution as Step Functions over Lambda would: retries by policy, warm
// environments that remember keys and time, crashes, time-outs with the function still running.
import { Transient } from '../../functions/shared/errors.ts'
import { Machine } from './machine.ts'
import { Crash, DRIVER, type Scheduler } from './scheduler.ts'
import { Trace } from './trace.ts'

const FUNCTION_TIMEOUT_MS = 90_000

/** An execution that somebody stopped: it says nothing more, but what it called goes on. */
export class Stopped extends Error {}

/** The invoker gave up; the function may go on. */
class TimedOut extends Error {
  override readonly name = 'States.Timeout'
}

/** A step threw what no fault of these worlds explains: a bug. */
export class Broken extends Error {
  constructor(verb: string, cause: unknown) {
    super(`${verb}: ${cause}`)
  }
}

export interface Steps<Ports> {
  /**
   * A Task state. As in Step Functions, `input` is all that an execution remembers when it enters
   * one: what comes after may depend on it and on the output, and on nothing else.
   * @throws what the step threw last, Stopped, or Broken
   */
  run<Input, Output>(
    verb: string,
    retries: number,
    input: Input,
    decide: (input: Input, ports: Ports) => Promise<Output>,
  ): Promise<Output>
  /** A Wait state. */
  wait(seconds: number | undefined): Promise<void>
}

/** `wire` makes the ports of a new environment, from its machine and its source of ids. */
export function createSteps<Ports>(
  scheduler: Scheduler,
  name: string,
  wire: (machine: Machine, newId: () => string) => Ports,
): Steps<Ports> {
  /** Environments that wait for their next call, with what they remember of keys and time. */
  const warm = new Map<string, Environment<Ports>>()
  /** What the execution remembers. */
  const state = new Trace()
  const who = {
    text: () => {
      const idle = [...warm].sort(([left], [right]) => (left < right ? -1 : 1))
      return [`${name}: ${state.text()}`, ...idle.map(([verb, { machine }]) => `${verb} ${machine.text()}`)].join('\n')
    },
  }

  function makeEnvironment(): Environment<Ports> {
    const machine = new Machine(scheduler, scheduler.newName(`${name}/process`))
    const newId = () => {
      const id = scheduler.newName('id')
      machine.trace.note(id)
      return id
    }
    return { machine, ports: wire(machine, newId) }
  }

  return {
    async run(verb, retries, input, decide) {
      for (let attempt = 0; ; attempt += 1) {
        if (scheduler.takeFault('crash', 0.01, ['execution stopped'])) throw new Stopped()
        const environment = warm.get(verb) ?? makeEnvironment()
        const { machine, ports } = environment
        warm.delete(verb)
        state.restart(verb, input, attempt, machine.process)
        machine.beginCall(verb, input)
        try {
          const timedOut = () => new TimedOut()
          const output = await scheduler.call(() => decide(input, ports), FUNCTION_TIMEOUT_MS, timedOut, who)
          state.note(output)
          machine.trace.restart()
          warm.set(verb, environment)
          return output
        } catch (error) {
          // Lambda keeps an environment whose function threw, and drops one that crashed or hung.
          if (error instanceof Transient) {
            machine.trace.restart()
            warm.set(verb, environment)
          } else if (!(error instanceof Crash || error instanceof TimedOut)) throw new Broken(verb, error)
          if (attempt === retries) throw error
          state.restart(verb, input, attempt, 'again')
          await scheduler.park(DRIVER, 1000 * 2 ** attempt, who)
        }
      }
    },
    wait: (seconds) => scheduler.park(DRIVER, (seconds ?? 1) * 1000, who),
  }
}

interface Environment<Ports> {
  readonly machine: Machine
  readonly ports: Ports
}

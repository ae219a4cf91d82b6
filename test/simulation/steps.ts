// Runs the steps of one execution as Step Functions over Lambda would: retries by policy, warm
// environments that remember keys and time, crashes, time-outs with the function still running.
import { Transient } from '../../functions/shared/errors.ts'
import { createMachine, type Machine } from './machine.ts'
import { Crash, DRIVER, type Scheduler } from './scheduler.ts'

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
  /** @throws what the step threw last, Stopped, or Broken */
  run<Output>(verb: string, retries: number, decide: (ports: Ports) => Promise<Output>): Promise<Output>
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
  const warm = new Map<string, Ports>()
  let invocations = 0
  let ids = 0

  function makeEnvironment(): Ports {
    const process = `${name}/${++invocations}`
    return wire(createMachine(scheduler, process), () => `${process}-${++ids}`)
  }

  return {
    async run(verb, retries, decide) {
      for (let attempt = 0; ; attempt += 1) {
        if (scheduler.takeFault('crash', 0.01, ['execution stopped'])) throw new Stopped()
        const environment = warm.get(verb) ?? makeEnvironment()
        warm.delete(verb)
        try {
          const timedOut = () => new TimedOut()
          const output = await scheduler.call(() => decide(environment), FUNCTION_TIMEOUT_MS, timedOut)
          warm.set(verb, environment)
          return output
        } catch (error) {
          // Lambda keeps an environment whose function threw, and drops one that crashed or hung.
          if (error instanceof Transient) warm.set(verb, environment)
          else if (!(error instanceof Crash || error instanceof TimedOut)) throw new Broken(verb, error)
          if (attempt === retries) throw error
          await scheduler.park(DRIVER, 1000 * 2 ** attempt)
        }
      }
    },
    wait: (seconds) => scheduler.park(DRIVER, (seconds ?? 1) * 1000),
  }
}

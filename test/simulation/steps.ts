// Runs the steps of one execution as Step Functions over Lambda would: with retries by policy, crashes, and time-outs
// while the function still runs.
import { Verb } from '../../core/contract/states.ts'
import { IntentLost, KeyFault, OwnFault, Transient } from '../../core/errors.ts'
import type { Environments } from './environments.ts'
import type { Insider } from './insider.ts'
import { Crash, DRIVER, type Scheduler } from './scheduler.ts'
import { Trace } from './trace.ts'

const FUNCTION_TIMEOUT_MS = 90_000
/** OWN_FAULT_RETRY of infra/retry-policies.ts. */
const OWN_FAULT_RETRIES = 8
const ownFaultWaitMs = (faults: number) => Math.min(15_000 * 2 ** (faults - 1), 300_000)

/** An execution that somebody stopped. It reports nothing more, but its calls continue. */
export class Stopped extends Error {}

/** The invoker stopped waiting. The function may continue. */
class TimedOut extends Error {
  override readonly name = 'States.Timeout'
}

/** A bug: a step threw an error that no fault of these worlds explains, or left out what the machine needs. */
export class Broken extends Error {
  constructor(verb: string, cause: unknown) {
    super(`${verb}: ${cause}`)
  }
}

/** The steps that send. Another step may have another key, and continue where theirs fails. */
const SENDERS: ReadonlySet<string> = new Set([Verb.Order, Verb.Withdraw])

/** Faults that somebody can repair meanwhile. */
const isOurs = (error: unknown) => error instanceof KeyFault || error instanceof OwnFault

export interface Steps<Ports> {
  /**
   * A Task state. As in Step Functions, an execution remembers only `input` when it enters the state. What follows
   * depends only on the input and the output.
   * @throws what the step threw last, Stopped, or Broken
   */
  run<Input, Output>(
    verb: string,
    retries: number,
    input: Input,
    decide: (input: Input, ports: Ports) => Promise<Output>,
  ): Promise<Output>
  /**
   * A Wait state.
   * @throws Broken without seconds, because such an execution ends without a name
   */
  wait(seconds: number | undefined): Promise<void>
}

interface StepsStage<Ports> {
  readonly environments: Environments<Ports>
  readonly insider: Insider
  /** Whether something else than a fault explains an error, which a machine passes to its last step. */
  readonly explains?: (error: unknown, intentId: string) => boolean
}

/**
 * `environments`: those of the whole world, which any execution's call may take. `losesOutputs`: whether an output may
 * be lost.
 */
export function createSteps<Ports>(
  scheduler: Scheduler,
  { name, intentId }: { readonly name: string; readonly intentId: string },
  { environments, insider, explains = () => false }: StepsStage<Ports>,
  losesOutputs = false,
): Steps<Ports> {
  /** The memory of the execution. */
  const state = new Trace()
  const who = { text: () => `${name}: ${state.text()}` }

  return {
    async run(verb, retries, input, decide) {
      let ownFaults = 0
      for (let attempt = 0; ; attempt += 1) {
        if (scheduler.takeFault('crash', 0.01, ['execution stopped'])) throw new Stopped()
        const environment = environments.take(verb)
        const { machine, ports } = environment
        state.restart(verb, input, attempt, ownFaults, machine.process)
        machine.beginCall(verb, input, intentId)
        insider.beforeCall(verb, intentId)
        try {
          const timedOut = () => new TimedOut()
          const answer = await scheduler.call(
            () => decide(input, insider.portsOf(verb, ports)),
            FUNCTION_TIMEOUT_MS,
            timedOut,
            who,
          )
          const output = insider.afterCall(verb, intentId, answer)
          if (losesOutputs && scheduler.takeFault('fault', 0.1, ['output lost'])) throw new TimedOut()
          state.note(output)
          environments.giveBack(environment)
          return output
        } catch (error) {
          if (error instanceof IntentLost || insider.explains(error, intentId) || explains(error, intentId)) throw error
          // Lambda keeps an environment whose function threw, and drops one that crashed or hung.
          if (error instanceof Transient || isOurs(error)) environments.giveBack(environment)
          else if (!(error instanceof Crash || error instanceof TimedOut)) throw new Broken(verb, error)
          if (error instanceof KeyFault && machine.knowsDone && SENDERS.has(verb))
            throw new Broken(verb, `a key that only looks keeps a run: ${error.message}`)
          if (isOurs(error)) {
            if (ownFaults === OWN_FAULT_RETRIES) throw error
            // Each retrier counts its own attempts.
            attempt -= 1
            ownFaults += 1
          } else if (attempt === retries) throw error
          state.restart(verb, input, attempt, ownFaults, 'again')
          const waitMs = isOurs(error) ? ownFaultWaitMs(ownFaults) : 1000 * 2 ** attempt
          await scheduler.park(DRIVER, waitMs, who)
        }
      }
    },
    async wait(seconds) {
      if (seconds === undefined) throw new Broken('Wait', 'no seconds to wait are given')
      await scheduler.park(DRIVER, seconds * 1000, who)
    },
  }
}

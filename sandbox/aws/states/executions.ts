// The executions of all state machines: started at most once a name, run, stopped, redriven, and
// taken up again after the process died. The files are the truth; memory holds only what runs.
// Source: AWS Step Functions API (StartExecution, StopExecution, RedriveExecution).
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import type { DefinitionStore } from './definition-store.ts'
import { describe, type ExecutionDescription, positionOf } from './execution-description.ts'
import type { ExecutionFiles } from './execution-files.ts'
import {
  appendEvents,
  appendRetries,
  createLog,
  type ExecutionHeader,
  type LoggedExecution,
  readLog,
} from './execution-log.ts'
import { type EventDraft, failureDetails, HISTORY_LIMIT, type HistoryEvent } from './history.ts'
import { entered, runExecution } from './interpreter.ts'
import type { Json } from './json.ts'
import type { InvokeFunction, Position, Run } from './run.ts'
import { checkName, parseInput } from './start-request.ts'

export interface StateMachine {
  readonly arn: string
  readonly name: string
  readonly roleArn: string
  /** Resolved, as JSON. */
  readonly definitionText: string
}

export interface ExecutionsOptions {
  readonly machines: readonly StateMachine[]
  readonly definitions: DefinitionStore
  readonly files: ExecutionFiles
  readonly clock: AwsClock
  readonly random: () => number
  /** Invokes a function in the name of a state machine's role. */
  readonly invokeAs: (roleArn: string) => InvokeFunction
  readonly onEvent: (executionArn: string, event: HistoryEvent) => void
}

interface Running {
  readonly header: ExecutionHeader
  readonly stop: AbortController
  /** Resolves at the end, or as soon as `stop` is aborted. */
  readonly ended: Promise<void>
  lastId: number
}

interface Redrive {
  readonly redriveCount: number
  readonly redriveTime?: string
}

interface KnownMachine extends StateMachine {
  readonly definitionHash: string
}

export class Executions {
  readonly #options: ExecutionsOptions
  readonly #machines = new Map<string, KnownMachine>()
  readonly #running = new Map<string, Running>()
  #stopped = false

  /** Parses every definition. Throws Refusal that names what cannot be run. */
  constructor(options: ExecutionsOptions) {
    this.#options = options
    for (const machine of options.machines) {
      const definitionHash = options.definitions.put(machine.definitionText, machine.name)
      this.#machines.set(machine.arn, { ...machine, definitionHash })
      options.files.prepare(machine.name)
    }
  }

  machines(): readonly StateMachine[] {
    return [...this.#machines.values()]
  }

  /** By name or ARN. Throws StateMachineDoesNotExist. */
  machine(nameOrArn: string): KnownMachine {
    const machine =
      this.#machines.get(nameOrArn) ?? [...this.#machines.values()].find((candidate) => candidate.name === nameOrArn)
    if (machine !== undefined) return machine
    throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${nameOrArn}'`)
  }

  start(
    stateMachine: string,
    name: string,
    input: string,
  ): { readonly executionArn: string; readonly startDate: Date; readonly existed: boolean } {
    const machine = this.machine(stateMachine)
    checkName(name)
    const value = parseInput(input)
    const existing = this.#options.files.find(machine.name, name)
    if (existing !== undefined) return this.#startedBefore(existing, input)

    const header: ExecutionHeader = {
      executionArn: executionArn(machine, name),
      name,
      stateMachineArn: machine.arn,
      stateMachineName: machine.name,
      definitionHash: machine.definitionHash,
      roleArn: machine.roleArn,
      startMs: this.#options.clock.nowMs(),
    }
    const definition = this.#options.definitions.get(machine.definitionHash, machine.name)
    const first = definition.states.get(definition.startAt)
    if (first === undefined) throw new Error('a parsed definition has its start')
    const events = createLog(this.#options.files.pathOf(machine.name, name, 'unfinished'), header, [
      { type: 'ExecutionStarted', executionStartedEventDetails: { input, roleArn: machine.roleArn } },
      entered(first, input),
    ])
    this.#announce(header, events)
    this.#run(
      header,
      value,
      events.length,
      { redriveCount: 0 },
      { state: first.name, input, enteredMs: header.startMs },
    )
    return { executionArn: header.executionArn, startDate: new Date(header.startMs), existed: false }
  }

  /** Goes on with every execution that a former process left unfinished. Throws Refusal where its machine is gone. */
  resume(): void {
    const known = new Map([...this.#machines.values()].map((machine) => [machine.name, machine]))
    for (const machineName of this.#options.files.machineNames()) {
      for (const logged of this.#options.files.recover(machineName)) {
        if (!known.has(machineName)) {
          throw new Refusal(
            logged.header.executionArn,
            `is unfinished, but the assembly has no ${machineName} any more`,
          )
        }
        this.#continue(logged)
      }
    }
  }

  describe(arn: string): ExecutionDescription {
    return describe(this.#logged(arn))
  }

  history(arn: string): readonly HistoryEvent[] {
    return this.#logged(arn).events
  }

  find(stateMachine: string, name: string): ExecutionDescription | undefined {
    const file = this.#options.files.find(this.machine(stateMachine).name, name)
    const logged = file === undefined ? undefined : readLog(file)
    return logged === undefined ? undefined : describe(logged)
  }

  /** Latest first, as AWS lists them. */
  list(stateMachine: string): readonly ExecutionDescription[] {
    return this.#options.files
      .list(this.machine(stateMachine).name)
      .map(describe)
      .sort((left, right) => right.startDate.getTime() - left.startDate.getTime())
  }

  /** Resolves at the execution's end; rejects when the embedded AWS stops first. */
  async untilFinished(arn: string): Promise<ExecutionDescription> {
    await this.#running.get(arn)?.ended
    const description = this.describe(arn)
    if (description.status === 'RUNNING') throw new Error(`${arn} did not finish before the embedded AWS stopped`)
    return description
  }

  /** A function that is at work goes on, as on AWS; its answer is not heard. */
  stop(arn: string, error: string | undefined, cause: string | undefined): Date {
    const running = this.#running.get(arn)
    if (running === undefined) return this.describe(arn).stopDate ?? new Date(this.#options.clock.nowMs())
    running.stop.abort(new Error('the execution was stopped'))
    const atMs = this.#append(running, [
      { type: 'ExecutionAborted', executionAbortedEventDetails: failureDetails(error, cause) },
    ])
    this.#settle(running)
    return new Date(atMs)
  }

  /** Goes on in the state that did not succeed, with its input; retries count from nought. */
  redrive(arn: string): Date {
    const logged = this.#logged(arn)
    const description = describe(logged)
    if (description.status === 'RUNNING' || description.status === 'SUCCEEDED') {
      throw new AwsError(
        'ExecutionNotRedrivable',
        `Execution is not redrivable in status ${description.status}: '${arn}'`,
      )
    }
    if (logged.events.length >= HISTORY_LIMIT - 1) {
      throw new AwsError('ExecutionNotRedrivable', `Execution history is too long to redrive: '${arn}'`)
    }
    const { header } = logged
    this.machine(header.stateMachineArn)
    this.#options.files.move(header.stateMachineName, header.name, 'unfinished')
    const file = this.#pathOf(header)
    const redriveCount = description.redriveCount + 1
    const nowMs = this.#options.clock.nowMs()
    const events = appendEvents(
      file,
      [{ type: 'ExecutionRedriven', executionRedrivenEventDetails: { redriveCount } }],
      logged.events.length,
      nowMs,
    )
    this.#announce(header, events)
    this.#continue({ ...logged, events: [...logged.events, ...events], retries: undefined })
    return new Date(nowMs)
  }

  /** Leaves every running execution where it is, unfinished on disk. Nothing is written after that. */
  halt(): void {
    this.#stopped = true
    for (const running of this.#running.values()) running.stop.abort(new Error('the embedded AWS stopped'))
    this.#running.clear()
  }

  #startedBefore(file: string, input: string) {
    const logged = readLog(file)
    if (logged === undefined) throw new Error('a file of an execution without its start')
    const description = describe(logged)
    if (description.status === 'RUNNING' && description.input === input) {
      return { executionArn: description.executionArn, startDate: description.startDate, existed: true }
    }
    throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${description.executionArn}'`)
  }

  #continue(logged: LoggedExecution): void {
    const { header, events } = logged
    const { input, redriveCount, redriveDate } = describe(logged)
    const redrive = { redriveCount, ...(redriveDate !== undefined && { redriveTime: redriveDate.toISOString() }) }
    this.#run(header, JSON.parse(input) as Json, events.length, redrive, positionOf(logged))
  }

  #run(header: ExecutionHeader, input: Json, lastId: number, redrive: Redrive, from: Position): void {
    if (this.#stopped) throw new Error('the embedded AWS has stopped')
    const stop = new AbortController()
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
    const running: Running = { header, stop, lastId, ended }
    this.#running.set(header.executionArn, running)
    // Whoever aborts has settled the execution, or leaves it unfinished on purpose.
    stop.signal.addEventListener('abort', () => resolve(), { once: true })
    runExecution(this.#runOf(running, input, redrive), from).then(
      () => {
        this.#settle(running)
        resolve()
      },
      // Anything but an abort is a bug of this program: it must not pass for a failed execution.
      (error: unknown) => (stop.signal.aborted ? resolve() : reject(error)),
    )
  }

  #runOf(running: Running, input: Json, redrive: Redrive): Run {
    const { clock, definitions, invokeAs, random } = this.#options
    const { header, stop } = running
    const definition = definitions.get(header.definitionHash, header.stateMachineName)
    const startTime = new Date(header.startMs).toISOString()
    const countedFromMs = Date.parse(redrive.redriveTime ?? startTime)
    return {
      definition,
      execution: {
        arn: header.executionArn,
        name: header.name,
        input,
        startTime,
        roleArn: header.roleArn,
        redriveCount: redrive.redriveCount,
        redriveTime: redrive.redriveTime,
        machineArn: header.stateMachineArn,
        machineName: header.stateMachineName,
      },
      journal: {
        append: (drafts) => {
          stop.signal.throwIfAborted()
          return this.#append(running, drafts)
        },
        noteRetry: (retries) => {
          stop.signal.throwIfAborted()
          appendRetries(this.#pathOf(header), retries)
        },
      },
      invoke: invokeAs(header.roleArn),
      clock,
      random,
      deadlineMs: countedFromMs + (definition.timeoutSeconds ?? Number.POSITIVE_INFINITY) * 1000,
      signal: stop.signal,
    }
  }

  #settle(running: Running): void {
    this.#running.delete(running.header.executionArn)
    this.#options.files.move(running.header.stateMachineName, running.header.name, 'finished')
  }

  #append(running: Running, drafts: readonly EventDraft[]): number {
    const nowMs = this.#options.clock.nowMs()
    const events = appendEvents(this.#pathOf(running.header), drafts, running.lastId, nowMs)
    running.lastId += events.length
    this.#announce(running.header, events)
    return nowMs
  }

  #announce(header: ExecutionHeader, events: readonly HistoryEvent[]): void {
    for (const event of events) this.#options.onEvent(header.executionArn, event)
  }

  #pathOf(header: ExecutionHeader): string {
    return this.#options.files.pathOf(header.stateMachineName, header.name, 'unfinished')
  }

  #logged(arn: string): LoggedExecution {
    const [, , , , , kind, machineName, name] = arn.split(':')
    const file =
      kind === 'execution' && machineName !== undefined && name !== undefined
        ? this.#options.files.find(machineName, name)
        : undefined
    const logged = file === undefined ? undefined : readLog(file)
    if (logged?.header.executionArn === arn) return logged
    throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
  }
}

function executionArn(machine: StateMachine, name: string): string {
  return `${machine.arn.replace(':stateMachine:', ':execution:')}:${name}`
}

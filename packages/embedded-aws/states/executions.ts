// The executions of all state machines: started at most once per name, run, stopped, redriven, and resumed after the
// process died. The files are the truth; memory holds only running executions.
// Source: AWS Step Functions API (StartExecution, StopExecution, RedriveExecution).
import { AwsError, Refusal } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import { ROOT } from './branch.ts'
import { type Authorise, checkWaits, childrenAs, type StartChild } from './child-access.ts'
import { isOrphan, isSameAttempt } from './child-call.ts'
import type { DefinitionStore } from './definition-store.ts'
import { EventNumbers } from './event-numbers.ts'
import { describe, type ExecutionDescription } from './execution-description.ts'
import { type ExecutionFiles, type ListedExecution, readExecution, readStarted } from './execution-files.ts'
import {
  appendEvents,
  createLog,
  type ExecutionHeader,
  type LoggedExecution,
  loggedExecution,
  type StartedBy,
} from './execution-log.ts'
import { entered, failureDetails, HISTORY_LIMIT, type HistoryEvent } from './history.ts'
import { PAYLOAD_LIMIT_BYTES } from './json.ts'
import { Halt, type InvokeFunction } from './run.ts'
import { Places, RunningExecution } from './running-execution.ts'
import { executionOfToken, type TokenAnswer, taskIsOver } from './task-tokens.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: AWS names control characters among those it refuses.
const NOT_IN_NAMES = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f]/

function checkName(name: string): void {
  if (!isName(name)) throw new AwsError('InvalidName', `Invalid Name: '${name}'`)
}

/** Throws Refusal. Source: CreateStateMachine. */
function checkMachineName(name: string): void {
  if (!isName(name)) {
    throw new Refusal(
      `state machine ${name}`,
      'its name must have 1 to 80 characters, without spaces, brackets or wildcards',
    )
  }
}

function isName(name: string): boolean {
  return name.length >= 1 && name.length <= 80 && !NOT_IN_NAMES.test(name)
}

/** Accepts JSON text within the size limit. Throws InvalidExecutionInput or ValidationException. */
function checkInput(input: string): void {
  if (Buffer.byteLength(input) > PAYLOAD_LIMIT_BYTES) {
    throw new AwsError('ValidationException', `input is longer than ${PAYLOAD_LIMIT_BYTES} bytes`)
  }
  try {
    JSON.parse(input)
  } catch {
    throw new AwsError('InvalidExecutionInput', 'Invalid State Machine Execution Input: it is not JSON')
  }
}

function executionArn(machine: { readonly arn: string }, name: string): string {
  return `${machine.arn.replace(':stateMachine:', ':execution:')}:${name}`
}

export interface StateMachine {
  readonly arn: string
  readonly name: string
  readonly roleArn: string
  /** The resolved definition, as JSON. */
  readonly definitionText: string
}

export interface ExecutionsOptions {
  readonly machines: readonly StateMachine[]
  readonly definitions: DefinitionStore
  readonly files: ExecutionFiles
  readonly clock: AwsClock
  readonly random: () => number
  /** Returns the function that invokes with a state machine's role. */
  readonly invokeAs: (roleArn: string) => InvokeFunction
  readonly authoriseAs: (roleArn: string) => Authorise
  readonly newId: () => string
  readonly onEvent: (executionArn: string, event: HistoryEvent) => void
  /** Called when an execution has ended, and again if the process died right after. Must not throw. */
  readonly onEnded: (description: ExecutionDescription) => void
}

interface KnownMachine extends StateMachine {
  readonly definitionHash: string
}

export class Executions {
  readonly #options: ExecutionsOptions
  readonly #machines = new Map<string, KnownMachine>()
  readonly #running = new Map<string, RunningExecution>()
  readonly #places = new Places()
  #stopped = false

  /** Parses every definition. Throws a Refusal that names what cannot run. */
  constructor(options: ExecutionsOptions) {
    this.#options = options
    for (const machine of options.machines) {
      const definitionHash = options.definitions.put(machine.definitionText, machine.name)
      checkMachineName(machine.name)
      const definition = options.definitions.get(definitionHash, machine.name)
      checkWaits(machine.arn, definition, options.authoriseAs(machine.roleArn))
      this.#machines.set(machine.arn, { ...machine, definitionHash })
      options.files.prepare(machine.name)
    }
  }

  machines(): readonly StateMachine[] {
    return [...this.#machines.values()]
  }

  /** Finds a machine by name or ARN. Throws StateMachineDoesNotExist. */
  machine(nameOrArn: string): KnownMachine {
    const machine =
      this.#machines.get(nameOrArn) ?? [...this.#machines.values()].find((candidate) => candidate.name === nameOrArn)
    if (machine !== undefined) return machine
    throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${nameOrArn}'`)
  }

  /**
   * Starts an execution. `startedBy`: the Task that starts it; a repeated attempt finds its earlier execution, ended or
   * not.
   */
  start(
    stateMachine: string,
    name: string,
    input: string,
    startedBy?: StartedBy,
  ): { readonly executionArn: string; readonly startDate: Date; readonly existed: boolean } {
    const machine = this.machine(stateMachine)
    checkName(name)
    checkInput(input)
    const existing = this.#options.files.find(machine.name, name)
    if (existing !== undefined) return this.#startedBefore(existing, input, startedBy)
    this.#assertNotStopped()

    const header: ExecutionHeader = {
      executionArn: executionArn(machine, name),
      name,
      stateMachineArn: machine.arn,
      stateMachineName: machine.name,
      definitionHash: machine.definitionHash,
      roleArn: machine.roleArn,
      startMs: this.#options.clock.nowMs(),
      tokenSecret: this.#options.newId(),
      ...(startedBy !== undefined && { startedBy }),
    }
    const definition = this.#options.definitions.get(machine.definitionHash, machine.name)
    const first = definition.states.get(definition.startAt)
    if (first === undefined) throw new Error('a parsed definition has a start state')
    const file = this.#options.files.pathOf(machine.name, name, 'unfinished')
    const logged = createLog(this.#options.files.disk, file, header, [
      { type: 'ExecutionStarted', executionStartedEventDetails: { input, roleArn: machine.roleArn } },
      entered(first, input),
    ])
    this.#announce(header, logged.events)
    this.#take(logged).start()
    return { executionArn: header.executionArn, startDate: new Date(header.startMs), existed: false }
  }

  /** Continues every execution that an earlier process left unfinished. Throws Refusal when its machine is gone. */
  resume(): void {
    const { files, onEnded } = this.#options
    const unfinished = files
      .machineNames()
      .flatMap((machineName) => files.recover(machineName, (logged) => onEnded(describe(logged))))
    const stray = unfinished.find(({ header }) => !this.#machines.has(header.stateMachineArn))
    if (stray !== undefined) {
      const { executionArn, stateMachineArn } = stray.header
      throw new Refusal(executionArn, `is unfinished, but the assembly no longer has ${stateMachineArn}`)
    }
    const byArn = new Map(unfinished.map((logged) => [logged.header.executionArn, logged]))
    // All are registered before one starts, because a parent looks for its children.
    const isLost = (logged: LoggedExecution) => isOrphan(logged, byArn, (arn) => files.isDamaged(arn))
    const taken = unfinished.map((logged) => ({ running: this.#take(logged), isLost: isLost(logged) }))
    for (const { isLost, running } of taken) {
      if (isLost) this.stop(running.header.executionArn, undefined, undefined)
      else running.start()
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
    const logged = file === undefined ? undefined : readExecution(file)
    return logged === undefined ? undefined : describe(logged)
  }

  /** Returns executions, latest first, as AWS lists them. With `isRunning` it reads no finished executions. */
  list(stateMachine: string, isRunning = false): readonly ExecutionDescription[] {
    return this.latest(stateMachine, isRunning)
      .flatMap((listed) => listed.read() ?? [])
      .map(describe)
      .filter(({ status }) => !isRunning || status === 'RUNNING')
  }

  /** Returns the same list, with each item read on demand. `isRunning`: only executions that may still run. */
  latest(stateMachine: string, isRunning = false): readonly ListedExecution[] {
    return this.#options.files.latest(this.machine(stateMachine).name, isRunning ? ['unfinished'] : undefined)
  }

  /** Resolves when the execution ends. Rejects when the embedded AWS stops first. */
  async untilFinished(arn: string): Promise<ExecutionDescription> {
    const running = this.#running.get(arn)
    await running?.ended
    const description = running?.description() ?? this.describe(arn)
    if (description.status === 'RUNNING') throw new Error(`${arn} did not finish before the embedded AWS stopped`)
    return description
  }

  /** Stops an execution. A running function continues, as on AWS, but its answer is lost. */
  stop(arn: string, error: string | undefined, cause: string | undefined): Date {
    const running = this.#running.get(arn)
    if (running === undefined) return this.describe(arn).stopDate ?? new Date(this.#options.clock.nowMs())
    const atMs = running.append({
      type: 'ExecutionAborted',
      executionAbortedEventDetails: failureDetails(error, cause),
    })
    // Its children are stopped later, because a stopped child could otherwise fail this execution first.
    this.#running.delete(arn)
    running.abort(new Error('the execution was stopped'))
    this.#settle(running)
    return new Date(atMs)
  }

  /** Resolves when the answer for a task token is on disk. Throws InvalidToken or TaskTimedOut. */
  async answerTask(token: string, given: TokenAnswer): Promise<void> {
    this.#holding(token).answerTask(token, given)
  }

  /** Resets the heartbeat of a task. Throws InvalidToken or TaskTimedOut. */
  beatTask(token: string): void {
    this.#holding(token).beat(token)
  }

  #holding(token: string): RunningExecution {
    const running = this.#running.get(executionOfToken(token))
    if (running === undefined) throw taskIsOver()
    return running
  }

  /** Continues in the state that did not succeed, with its input. Retries count from zero. */
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
    const redriveCount = description.redriveCount + 1
    const nowMs = this.#options.clock.nowMs()
    const redriven = { type: 'ExecutionRedriven', executionRedrivenEventDetails: { redriveCount } } as const
    const numbers = new EventNumbers(logged.steps.filter((step) => 'event' in step))
    const { disk } = this.#options.files
    const steps = appendEvents(disk, this.#pathOf(header), [{ branch: ROOT, event: redriven }], numbers, nowMs)
    disk.sync(this.#pathOf(header))
    this.#announce(
      header,
      steps.map((step) => step.event),
    )
    this.#take(loggedExecution(header, [...logged.steps, ...steps])).start()
    return new Date(nowMs)
  }

  /** Leaves every running execution where it is, unfinished on disk. Nothing is written after this. */
  halt(): void {
    this.#stopped = true
    for (const running of this.#running.values()) running.abort(new Halt('the embedded AWS stopped'))
    this.#running.clear()
  }

  #startedBefore(file: string, input: string, startedBy: StartedBy | undefined) {
    const logged = readStarted(file)
    const description = describe(logged)
    const isOurs = isSameAttempt(startedBy, logged.header.startedBy)
    if (isOurs || (description.status === 'RUNNING' && description.input === input)) {
      return { executionArn: description.executionArn, startDate: description.startDate, existed: true }
    }
    throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${description.executionArn}'`)
  }

  /** Registers an execution. The caller starts or stops it. */
  #take(logged: LoggedExecution): RunningExecution {
    this.#assertNotStopped()
    const { authoriseAs, clock, definitions, files, invokeAs, newId, onEvent, random } = this.#options
    const { header } = logged
    const children = {
      start: ({ stateMachineArn, name, input, startedBy }: StartChild) =>
        this.start(stateMachineArn, name, input, startedBy),
      untilFinished: (arn: string) => this.untilFinished(arn),
      stop: (arn: string, cause: string) => void this.stop(arn, undefined, cause),
    }
    const running = new RunningExecution(logged, {
      file: this.#pathOf(header),
      disk: files.disk,
      definition: definitions.get(header.definitionHash, header.stateMachineName),
      clock,
      random,
      invoke: invokeAs(header.roleArn),
      place: this.#places.forOne(),
      children: childrenAs(authoriseAs(header.roleArn), children, newId),
      onEvent,
      onFinished: () => this.#settle(running),
    })
    // Registered before it does anything, so that a listener of its first event can stop it.
    this.#running.set(header.executionArn, running)
    return running
  }

  #assertNotStopped(): void {
    if (this.#stopped) throw new Error('the embedded AWS has stopped')
  }

  #settle(running: RunningExecution): void {
    const { header } = running
    // The next process moves the file and reports the end.
    if (this.#stopped) return
    this.#running.delete(header.executionArn)
    // An end is reported only when a power cut can no longer take it back.
    this.#options.files.disk.sync(this.#pathOf(header))
    this.#options.onEnded(running.description())
    this.#options.files.move(header.stateMachineName, header.name, 'finished')
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
    const logged = file === undefined ? undefined : readExecution(file)
    if (logged?.header.executionArn === arn) return logged
    throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
  }
}

// Runs state machines over real logs in a temporary directory, without workers or sockets. Functions are plain
// functions, and simulated time passes only when everything waits. Disk writes are not synced. The process "dies" at an
// event.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { AwsError } from '../../aws-error.ts'
import { UNSYNCED } from '../../disk.ts'
import type { Permission } from '../../endpoint/endpoint.ts'
import { DefinitionStore } from '../../states/definition-store.ts'
import type { ExecutionDescription } from '../../states/execution-description.ts'
import { ExecutionFiles } from '../../states/execution-files.ts'
import { Executions } from '../../states/executions.ts'
import type { HistoryEvent } from '../../states/history.ts'
import type { Json } from '../../states/json.ts'
import { type EventClock, eventClock } from './event-clock.ts'
import { START_MS } from './interpreted.ts'

export interface Machines {
  /** Definitions by the machine's name. */
  readonly machines: Readonly<Record<string, object>>
  readonly functions?: Readonly<Record<string, (input: Json) => Json | { readonly error: string } | Promise<Json>>>
  /** Actions that the machines' role does not allow. */
  readonly denied?: readonly string[]
}

export interface Process {
  readonly executions: Executions
  readonly files: ExecutionFiles
  readonly clock: EventClock
  /** Every event in the order of its report, with the ARN of its execution. */
  readonly reported: readonly { readonly arn: string; readonly event: HistoryEvent }[]
  /** Executions whose end was reported. */
  readonly ended: readonly ExecutionDescription[]
  /** Runs until nothing waits, or until the process has died. */
  untilQuiet(): Promise<void>
}

export function machineArn(name: string): string {
  return `arn:aws:states:us-east-1:123456789012:stateMachine:${name}`
}

export function executionArn(machine: string, name: string): string {
  return `arn:aws:states:us-east-1:123456789012:execution:${machine}:${name}`
}

/** A Task that starts a machine and waits for its end. */
export function startAndWait(machine: string, fields: object = {}, parameters: object = {}): object {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::states:startExecution.sync:2',
    Parameters: { StateMachineArn: machineArn(machine), 'Name.$': '$.name', 'Input.$': '$', ...parameters },
    End: true,
    ...fields,
  }
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'embedded-states-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Starts a process over `directory`. The process dies right after it has written an event for which `isFatal` returns
 * true.
 */
export function startProcess(
  directory: string,
  { denied = [], functions = {}, machines }: Machines,
  options: { readonly isFatal?: (arn: string, event: HistoryEvent) => boolean; readonly startMs?: number } = {},
): Process {
  const clock = eventClock(options.startMs ?? START_MS)
  const reported: { readonly arn: string; readonly event: HistoryEvent }[] = []
  const ended: ExecutionDescription[] = []
  let serial = 0
  const files = new ExecutionFiles(path.join(directory, 'executions'), UNSYNCED)
  const executions: Executions = new Executions({
    machines: Object.entries(machines).map(([name, definition]) => ({
      arn: machineArn(name),
      name,
      roleArn: 'arn:aws:iam::123456789012:role/machine',
      definitionText: JSON.stringify(definition),
    })),
    definitions: new DefinitionStore(path.join(directory, 'definitions'), UNSYNCED),
    files,
    clock,
    random: () => 0.5,
    newId: () => `request-${++serial}`,
    invokeAs:
      () =>
      async ({ functionId, payload }) => {
        const answer = await functions[functionId.split(':').at(-1) ?? '']?.(JSON.parse(payload) as Json)
        if (typeof answer === 'object' && answer !== null && 'error' in answer) {
          return { kind: 'failed', error: String(answer.error), cause: '{}' }
        }
        return { kind: 'answered', payload: JSON.stringify(answer ?? null), requestId: 'request-0' }
      },
    authoriseAs:
      () =>
      ({ action }: Permission) => {
        if (denied.includes(action)) throw new AwsError('AccessDeniedException', `no ${action}`)
      },
    onEvent: (arn, event) => {
      reported.push({ arn, event })
      if (options.isFatal?.(arn, event) === true) executions.halt()
    },
    onEnded: (description) => void ended.push(description),
  })
  onTestFinished(() => executions.halt())
  return { executions, files, clock, reported, ended, untilQuiet: () => clock.untilQuiet() }
}

/** Runs one execution of a machine to its end in one process. */
export async function execute(
  machines: Machines,
  machine: string,
  input: Json,
): Promise<Process & { readonly run: ExecutionDescription; readonly output: Json | undefined }> {
  const started = startProcess(temporaryDirectory(), machines)
  const { executionArn: arn } = started.executions.start(machine, 'run-1', JSON.stringify(input))
  await started.untilQuiet()
  const run = started.executions.describe(arn)
  return { ...started, run, output: run.output === undefined ? undefined : (JSON.parse(run.output) as Json) }
}

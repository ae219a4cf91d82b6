// Asks for a run of a policy or for a movement, so that its requester is recorded before it starts. On AWS the function
// RequestRun records the identity that signed, and starts the run. In a state directory the given name is recorded
// here, and so are the rows of a long payout file. A run that is entered again keeps its first requester.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import type { PayoutRow } from '../../core/contract/payouts.ts'
import { requestRunRequest } from '../../core/contract/people.ts'
import { RunEnd, type RunRequest, runRequest } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { Refused } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createPages } from '../../core/journal/pages.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import { createRequesters, recordPerson } from '../../core/runs/approval/requesters.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import type { AwsAddress } from '../../place/aws/aws-address.ts'
import { type PeopleDoor, Unanswered } from '../../place/aws/people-door.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { advice, option } from '../../place/next-step.ts'
import { failedWith, OperationError } from '../../place/operation-error.ts'
import type { Executions } from './follow-execution.ts'
import { type Asking, movementRequestOf, recordAskerAtDesk } from './record-asker.ts'

type StartExecution = Executions['startExecution']

const MACHINES_OF_RUNS: ReadonlySet<string> = new Set([StateMachine.Rebalance, StateMachine.Sweep])

/**
 * Starts by the function. With the caller's own permission it starts what the function does not: policies that are not
 * deployed, and later entries of a run that did not end in shadow mode. Nobody but its first requester may enter a shadow
 * run again. A plan moves nothing, so it is also started where the function cannot be called.
 */
export function startByFunction(
  start: StartExecution,
  door: Pick<PeopleDoor, 'requestRun'>,
  arnOf: (stateMachine: StateMachine, name: string) => Promise<string>,
  onBegin: () => void,
  isShadowed: (runId: string) => Promise<boolean>,
  { note, ownId, rows }: Asking,
): StartExecution {
  return async (asked) => {
    const run = intentIdOf(asked.name)
    const named = {
      ...{ run, request: JSON.parse(asked.input) },
      ...(ownId !== undefined && { ownId }),
      ...(rows !== undefined && { rows }),
    }
    const request = requestRunRequest.safeParse(named).data
    if (request === undefined) return start(asked)
    const answer = await door.requestRun(request).catch(async (error: unknown) => {
      if (error instanceof Refused) {
        // The live run would count as asked for by the first person, and this person could then approve it alone.
        if (isFirst(asked.name) || (await isShadowed(run))) throw refused(error)
        return undefined
      }
      // After these errors nobody knows whether the run was started.
      if (error instanceof Unanswered || !(error instanceof OperationError)) {
        onBegin()
        throw error
      }
      // People may not write the pages of rows themselves, not even for a plan.
      if (request.request.shadow === true && rows === undefined) {
        note(`the log of people will not know who asked: ${error.message}`)
        return 'not recorded' as const
      }
      const next = advice`${error.next}; with your own permission to start executions: the same command with ${option('directly')}`
      throw new OperationError(
        { exitCode: error.exitCode, code: error.code, message: error.text, next },
        { cause: error },
      )
    })
    if (answer === 'not recorded') return start(asked)
    const execution = answer?.execution ?? (isFirst(asked.name) ? asked.name : undefined)
    if (execution === undefined) return start(asked)
    onBegin()
    return { executionArn: await arnOf(asked.stateMachine, execution) }
  }
}

/** Whether the execution begins a run, and is not a later entry. */
function isFirst(name: string): boolean {
  return intentIdOf(name) === name
}

/**
 * Starts with the caller's own permission, which records no requester. So it enters no shadow run again: the live run
 * would count as asked for by its first requester.
 */
export function startDirectly(start: StartExecution, isShadowed: (runId: string) => Promise<boolean>): StartExecution {
  return async (asked) => {
    const runId = intentIdOf(asked.name)
    if (MACHINES_OF_RUNS.has(asked.stateMachine) && !isFirst(asked.name) && (await isShadowed(runId))) {
      throw refused(
        new Refused(`run ${runId} ended in shadow mode, and a direct start records no requester: ask under another id`),
      )
    }
    return start(asked)
  }
}

/** Writes the rows of a long file to a state directory's journal, before their run is started. */
export function keepingRows(executions: Executions, rows: readonly PayoutRow[], journal: AwsAddress): Executions {
  return {
    findExecution: (stateMachine, name) => executions.findExecution(stateMachine, name),
    untilFinished: (executionArn) => executions.untilFinished(executionArn),
    async startExecution(asked) {
      const { client, tableName } = journalTable(journal)
      try {
        await createPages(createDynamoStore(client, tableName)).keep(rows)
      } finally {
        client.destroy()
      }
      return executions.startExecution(asked)
    },
  }
}

interface RecordedHere {
  readonly journal: AwsAddress
  readonly clock: Pick<Clock, 'nowMs'>
  /** The id that the person gave. */
  readonly ownId: string | undefined
}

/** Records the name in a state directory's journal before a run or a movement is started. */
export function recordingRequester(
  executions: Executions,
  by: string,
  { clock, journal, ownId }: RecordedHere,
): Executions {
  return {
    findExecution: (stateMachine, name) => executions.findExecution(stateMachine, name),
    untilFinished: (executionArn) => executions.untilFinished(executionArn),
    async startExecution(asked) {
      await record(asked)
      return executions.startExecution(asked)
    },
  }

  async function record(asked: Parameters<StartExecution>[0]): Promise<void> {
    const { client, tableName } = journalTable(journal)
    try {
      const store = createDynamoStore(client, tableName)
      const movement = movementRequestOf(asked, ownId)
      if (movement !== undefined) return await recordAskerAtDesk(movement, by, store, clock)
      const request = runRequest.safeParse(JSON.parse(asked.input)).data
      if (request !== undefined) await recordRun(asked.name, request, store)
    } catch (error) {
      throw error instanceof Refused ? refused(error) : error
    } finally {
      client.destroy()
    }
  }

  async function recordRun(name: string, request: RunRequest, store: RecordStore): Promise<void> {
    const runId = intentIdOf(name)
    const ports = { runs: createRuns(store, randomUUID), requesters: createRequesters(store, randomUUID) }
    const known = await ports.runs.find(runId)
    const isShadow = known?.outcome === RunEnd.Shadowed && (await ports.requesters.find(runId)) !== undefined
    // Its execution is no longer kept, or it is entered again. Only a shadow run then begins anew as a live run.
    if (known === undefined ? !isFirst(name) : !isShadow) return
    const at = new Date(clock.nowMs()).toISOString()
    await recordPerson(runId, { by, at, ownId, request }, ports)
  }
}

function refused(error: Refused): OperationError {
  const message = `${error.message}; nothing was started`
  const next = advice`give another ${option('id')}; the run with this id belongs to the person who asked for it first`
  return failedWith('refused', message, next, error)
}

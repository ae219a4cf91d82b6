// Connects to the place where a run continues in another process: a desk, or AWS. A run in this process is started and
// followed by the same calls.

import type { Clock } from '../../core/clock.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { StateMachine } from '../../core/contract/states.ts'
import { errorName } from '../../core/error-name.ts'
import { executionArnOf } from '../../core/triggers/step-functions.ts'
import { type AwsAddress, isDeployment, nameAt } from '../../place/aws/aws-address.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { openApiExecutions } from '../../place/executions/api-executions.ts'
import type { WatchedEvent } from '../../place/executions/execution-history.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { advice, DEPLOY } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { startByFunction, startDirectly } from './ask-run.ts'
import { AWS_PACE, DESK_PACE, followExecutionEvents } from './follow-events.ts'
import type { Executions } from './follow-execution.ts'
import { type Asking, askingByFunction } from './record-asker.ts'

export interface RunConnection {
  readonly executions: Executions
  readonly journal: AwsAddress
  /** Whether another process continues the executions. */
  readonly isRemote?: true
  /** ISO-8601, service time. Movements of the account before it may be in another journal. */
  readonly newSince?: string | undefined
}

interface RemoteOptions {
  readonly address: AwsAddress
  readonly clock: Clock
  readonly onEvent: (executionArn: string, event: WatchedEvent) => void
  /** Called before an execution is started, or followed that another command has started. */
  readonly onBegin: () => void
  /** Present where the function records who asks, and starts runs of deployed policies. On AWS only. */
  readonly asking?: Asking | undefined
}

/** Opens a desk, or AWS, while some work runs. */
export async function withRemoteConnection<Result>(
  { address, asking, clock, onEvent, onBegin }: RemoteOptions,
  work: (connection: RunConnection) => Promise<Result>,
): Promise<Result> {
  const executions = openApiExecutions(address)
  const pace = isDeployment(address) ? AWS_PACE : DESK_PACE
  const startExecution: Executions['startExecution'] = async ({ stateMachine, name, input }) => {
    if ((await executions.arnOf(stateMachine)) === undefined) throw noMachine(nameAt(address, stateMachine))
    onBegin()
    const started = await executions.startExecution(stateMachine, name, input).catch((error: unknown) => {
      throw errorName(error) === 'AccessDeniedException' ? notPermitted(nameAt(address, stateMachine), error) : error
    })
    if (started === 'no machine') throw noMachine(nameAt(address, stateMachine))
    if (started === 'taken') throw takenMeanwhile(name)
    return started
  }
  const arnOf = async (stateMachine: StateMachine, name: string) => {
    const machineArn = await executions.arnOf(stateMachine)
    if (machineArn === undefined) throw noMachine(nameAt(address, stateMachine))
    return executionArnOf(machineArn, name)
  }
  const isShadow = (runId: string) => isShadowed(address, runId)
  const startAsked = (asked: Asking) => {
    const door = peopleDoor(address)
    return startByFunction(askingByFunction(startExecution, door, asked), door, arnOf, onBegin, isShadow, asked)
  }
  try {
    return await work({
      isRemote: true,
      journal: address,
      executions: {
        findExecution: (stateMachine, name) => executions.findExecution(stateMachine, name),
        startExecution:
          asking !== undefined
            ? startAsked(asking)
            : isDeployment(address)
              ? startDirectly(startExecution, isShadow)
              : startExecution,
        untilFinished(executionArn) {
          onBegin()
          return followExecutionEvents(executionArn, { executions, clock, pace, onEvent })
        },
      },
    })
  } finally {
    executions.destroy()
  }
}

async function isShadowed(address: AwsAddress, runId: string): Promise<boolean> {
  const table = journalTable(address)
  try {
    return (await createRunJournal(table).runs.find(runId))?.outcome === RunEnd.Shadowed
  } finally {
    table.client.destroy()
  }
}

function noMachine(stateMachine: string): OperationError {
  return failedWith(
    'unreachable',
    `there is no state machine ${stateMachine} in this AWS account and region; nothing was started`,
    advice`check AWS_PROFILE and AWS_REGION, or deploy: ${DEPLOY}`,
  )
}

/** LookAgain enters by itself what was decided, and what is in doubt, with its own permission. */
function notPermitted(stateMachine: string, cause: unknown): OperationError {
  const message = `these AWS credentials may not start executions of ${stateMachine} (states:StartExecution); nothing was started`
  const next =
    'wait some minutes: what was decided or is in doubt continues by itself; or use a role that may (docs/runbook.md, "Who may halt and approve")'
  return failedWith('unreachable', message, next, cause)
}

/** Another command has entered the same id between the check and the start. */
function takenMeanwhile(name: string): OperationError {
  return failedWith(
    'id_in_use',
    `execution ${name} was started by another command meanwhile`,
    'run the same command again: it continues with that execution',
  )
}

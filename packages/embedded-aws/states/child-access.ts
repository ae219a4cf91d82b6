// Defines the operations of a Task on other executions, and checks the permissions that its machine's role needs for
// them. Source: AWS Step Functions, "IAM policies for calling other Step Functions workflows".

import { Refusal } from '../aws-error.ts'
import type { Permission } from '../endpoint/endpoint.ts'
import type { Definition, StateGraph } from './definition.ts'
import type { ExecutionDescription } from './execution-description.ts'
import type { StartedBy } from './execution-log.ts'

/** Throws AwsError AccessDeniedException. */
export type Authorise = (permission: Permission) => void

/** Returns the operations on executions, limited by a role. */
export function childrenAs(
  authorise: Authorise,
  executions: {
    start(request: StartChild): Omit<StartedChild, 'requestId'>
    untilFinished(executionArn: string): Promise<ExecutionDescription>
    stop(executionArn: string, cause: string): void
  },
  newId: () => string,
): ChildExecutions {
  return {
    start(request) {
      authorise({ action: 'states:StartExecution', resource: request.stateMachineArn })
      return { ...executions.start(request), requestId: newId() }
    },
    async untilEnded(executionArn, signal) {
      authorise({ action: 'states:DescribeExecution', resource: executionArn })
      return Promise.race([executions.untilFinished(executionArn), aborted(signal)])
    },
    stop(executionArn, cause) {
      try {
        authorise({ action: 'states:StopExecution', resource: executionArn })
      } catch {
        // The child continues, as on AWS when the role may not stop it.
        return
      }
      executions.stop(executionArn, cause)
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Step Functions learns of the end by its own rule. The role must allow that rule when the machine is created. */
const RULE_ACTIONS = ['events:PutTargets', 'events:PutRule', 'events:DescribeRule']
const RULE = 'rule/StepFunctionsGetEventsForStepFunctionsExecutionRule'

/** Throws Refusal when AWS would refuse to create the machine. */
export function checkWaits(machineArn: string, definition: Definition, authorise: Authorise): void {
  if (!waitsForOthers(definition)) return
  const [, partition, , region, account, , name] = machineArn.split(':')
  const resource = `arn:${partition}:events:${region}:${account}:${RULE}`
  for (const action of RULE_ACTIONS) {
    try {
      authorise({ action, resource })
    } catch {
      throw new Refusal(`state machine ${name}`, `its role may not create the managed rule: ${action} on ${resource}`)
    }
  }
}

function waitsForOthers(graph: StateGraph): boolean {
  return [...graph.states.values()].some(
    (state) =>
      (state.type === 'Task' && state.call === 'start-and-wait') ||
      (state.type === 'Map' && waitsForOthers(state.processor)),
  )
}

export interface ChildExecutions {
  /** Starts an execution, or returns the one that the same attempt started before. Throws AwsError. */
  start(request: StartChild): StartedChild
  /** Resolves when the execution ends. Rejects with the signal's reason. Throws AwsError. */
  untilEnded(executionArn: string, signal: AbortSignal): Promise<ExecutionDescription>
  /** Stops the execution if the role may. Without the permission it does nothing, as on AWS. */
  stop(executionArn: string, cause: string): void
}

export interface StartChild {
  readonly stateMachineArn: string
  readonly name: string
  /** JSON text. */
  readonly input: string
  readonly startedBy: StartedBy
}

export interface StartedChild {
  readonly executionArn: string
  readonly startDate: Date
  readonly requestId: string
}

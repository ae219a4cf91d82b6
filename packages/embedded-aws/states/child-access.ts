// Checks the permissions that a machine's role needs for Tasks that start other machines and wait for them.
// Source: AWS Step Functions, "IAM policies for calling other Step Functions workflows".
import type { Permission } from '../endpoint/endpoint.ts'
import { Refusal } from '../refusal.ts'
import type { ChildExecutions, StartChild, StartedChild } from './child-executions.ts'
import type { Definition, StateGraph } from './definition.ts'
import type { ExecutionDescription } from './execution-description.ts'

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

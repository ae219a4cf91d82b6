// Lists the names of executions that were stopped or met their last time bound. Step Functions keeps them for 90 days.
// Source: Step Functions API reference, ListExecutions.
import { ListExecutionsCommand, type SFNClient } from '@aws-sdk/client-sfn'
import { awsFault } from '../aws-fault.ts'
import { Defect } from '../errors.ts'
import type { StateMachineArns } from './sfn-starter.ts'
import type { ListStopped } from './starter.ts'

const STOPPED = ['ABORTED', 'TIMED_OUT'] as const

/** The returned function throws Transient, OwnFault, and Defect for a machine that the deployment does not name. */
export function createStoppedLister(client: Pick<SFNClient, 'send'>, arns: StateMachineArns): ListStopped {
  return async (stateMachine, sinceMs, limit) => {
    const stateMachineArn = arns[stateMachine]
    if (stateMachineArn === undefined) throw new Defect(`the deployment names no ARN of ${stateMachine}`)
    const pages = await Promise.all(
      STOPPED.map((statusFilter) =>
        client
          .send(new ListExecutionsCommand({ stateMachineArn, statusFilter, maxResults: limit }))
          .catch((error: unknown) => {
            throw awsFault('Step Functions did not list executions', error)
          }),
      ),
    )
    const recent = pages.flatMap(({ executions = [] }) =>
      executions.filter(({ stopDate }) => (stopDate?.getTime() ?? 0) >= sinceMs),
    )
    return {
      names: recent.flatMap(({ name }) => name ?? []),
      // The latest starts come first.
      isCutOff: pages.some(
        ({ executions = [], nextToken }) =>
          nextToken !== undefined && (executions.at(-1)?.startDate?.getTime() ?? 0) >= sinceMs,
      ),
    }
  }
}

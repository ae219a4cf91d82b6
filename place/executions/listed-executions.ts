// Lists the executions of a state machine, newest first, by the API of Step Functions: page by page, as far as the
// caller reads. AWS keeps them for 90 days. Their steps are read in aws-executions.ts.
import { ListExecutionsCommand, type ListExecutionsCommandOutput, SFNClient } from '@aws-sdk/client-sfn'
import { StateMachine } from '../../core/contract/states.ts'
import { type AwsAddress, clientConfigAt } from '../aws/aws-address.ts'
import { MOST_OF_A_NEW_TABLE } from '../journal/own-table.ts'
import { awsExecutions } from './aws-executions.ts'

export interface ListedExecution {
  readonly name: string
  readonly startedAt: Date
}

const PAGE = 1_000

/** Empty where the state machine does not exist. */
export async function* walkExecutions(
  client: Pick<SFNClient, 'send'>,
  stateMachineArn: string | undefined,
): AsyncGenerator<ListedExecution, void> {
  if (stateMachineArn === undefined) return
  let nextToken: string | undefined
  do {
    const request = { stateMachineArn, maxResults: PAGE, ...(nextToken !== undefined && { nextToken }) }
    const page: ListExecutionsCommandOutput = await client.send(new ListExecutionsCommand(request))
    for (const { name, startDate } of page.executions ?? []) {
      if (name !== undefined && startDate !== undefined) yield { name, startedAt: startDate }
    }
    nextToken = page.nextToken
  } while (nextToken !== undefined)
}

/**
 * Whether an execution of ours is older than that moment; `unclear` where there are too many to read.
 * @throws what the SDK throws
 */
export async function hasExecutionsBefore(address: AwsAddress, moment: Date | undefined): Promise<boolean | 'unclear'> {
  const client = new SFNClient(clientConfigAt(address))
  const executions = awsExecutions(address)
  try {
    let seen = 0
    for (const machine of Object.values(StateMachine)) {
      for await (const { startedAt } of walkExecutions(client, await executions.arnOf(machine))) {
        seen += 1
        if (moment === undefined || startedAt < moment) return true
        if (seen > MOST_OF_A_NEW_TABLE) return 'unclear'
      }
    }
    return false
  } finally {
    client.destroy()
    executions.destroy()
  }
}

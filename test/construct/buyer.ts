// The function of another company's stack: it buys what an invoice asks for, and asks how a purchase ended.
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'

const sfn = new SFNClient({})

interface Order {
  /** `describe` an execution, or start one on the machine of this variable. */
  readonly machine: 'CONVERT' | 'WITHDRAW'
  readonly name: string
  readonly input: object
}

export async function buy({ machine, name, input }: Order): Promise<unknown> {
  const stateMachineArn = process.env[machine]
  const started = await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }))
  return { executionArn: started.executionArn }
}

export async function ask({ executionArn }: { readonly executionArn: string }): Promise<unknown> {
  const { output, status } = await sfn.send(new DescribeExecutionCommand({ executionArn }))
  return { status, result: JSON.parse(output ?? 'null') }
}

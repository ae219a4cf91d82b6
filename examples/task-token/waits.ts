// Keeps who waits for the end of an order, and that end, in one item of a table of yours. Each writer gets the whole item back
// with its own write. So whoever comes second sees both, the token and the end, and reports. Sluice never sees a token.
import { ConditionalCheckFailedException, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SendTaskFailureCommand, SendTaskSuccessCommand, SFNClient } from '@aws-sdk/client-sfn'

export interface End {
  readonly endedAt: string
  readonly result: { readonly outcome: string; readonly why?: string }
}

export interface Waits {
  readonly tokens: readonly string[]
  readonly end: End | undefined
}

const dynamo = new DynamoDBClient({})
const sfn = new SFNClient({})

/** Two executions for one order have a token each, and wait for the same end. */
export function keepToken(order: string, token: string): Promise<Waits> {
  return update(order, 'ADD tokens :token', { ':token': { SS: [token] } })
}

/** Ends come more than once and in any order. The latest counts. */
export async function keepEnd(order: string, end: End): Promise<Waits> {
  const values = { ':end': { S: JSON.stringify(end) }, ':at': { S: end.endedAt } }
  try {
    return await update(order, 'SET #end = :end, endedAt = :at', values, {
      ConditionExpression: 'attribute_not_exists(endedAt) OR endedAt <= :at',
      ExpressionAttributeNames: { '#end': 'end' },
    })
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { tokens: [], end: undefined }
    throw error
  }
}

async function update(order: string, change: string, values: object, more: object = {}): Promise<Waits> {
  const { Attributes } = await dynamo.send(
    new UpdateItemCommand({
      TableName: process.env.WAITS,
      Key: { order: { S: order } },
      UpdateExpression: change,
      ExpressionAttributeValues: { ...values },
      ReturnValues: 'ALL_NEW',
      ...more,
    }),
  )
  const end = Attributes?.end?.S
  return { tokens: Attributes?.tokens?.SS ?? [], end: end === undefined ? undefined : JSON.parse(end) }
}

/** Ends the Tasks that wait, if the end is known. A success is a complete purchase; every other outcome is the error. */
export async function reportEnd({ end, tokens }: Waits): Promise<void> {
  if (end === undefined) return
  const { outcome, why } = end.result
  for (const taskToken of tokens) {
    const report =
      outcome === 'FILLED'
        ? new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(end.result) })
        : new SendTaskFailureCommand({ taskToken, error: outcome, cause: why })
    await sfn.send(report as SendTaskSuccessCommand).catch(unlessOver)
  }
}

/** A token counts once. Both writers may report, and a Task may have stopped waiting. */
function unlessOver(error: unknown): void {
  const name = error instanceof Error ? error.name : ''
  if (!['InvalidToken', 'TaskDoesNotExist', 'TaskTimedOut'].includes(name)) throw error
}

// Checks whether the deployed resource policy of the journal's table matches the template's. Reads only.

import { DescribeTableCommand, DynamoDBClient, GetResourcePolicyCommand } from '@aws-sdk/client-dynamodb'
import { journalPolicy } from '../../../core/contract/journal-policy.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { clientConfigAt, deploymentOf, journalAt, nameAt } from '../../../place/aws/aws-address.ts'
import { advice, DEPLOY } from '../../../place/next-step.ts'
import { type Check, notKnown, ok, warn } from '../check.ts'

const CHECK = 'journal policy'
/** A deployment does not undo a change that somebody made by hand. */
const NEXT = advice`${DEPLOY}, or where that changed nothing: docs/runbook.md, "Deleting from the journal"`
/** No deployment changes a table of the account's own. */
const PUT = 'aws dynamodb put-resource-policy, with the policy of docs/runbook.md, "Deleting from the journal"'
const ABSENT = 'PolicyNotFoundException'

export async function journalPolicyCheck(treasury: Pick<Treasury, 'aws' | 'environment'>): Promise<Check> {
  const deployment = deploymentOf(treasury)
  const client = new DynamoDBClient(clientConfigAt(deployment))
  const tableName = journalAt(deployment)
  const next = deployment.given.journal !== undefined ? PUT : NEXT
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }))
    const arn = Table?.TableArn ?? ''
    const [, partition = '', , region = '', account = ''] = arn.split(':')
    const wanted = journalPolicy({
      partition,
      region,
      account,
      rolePath: treasury.aws?.rolePath,
      deployRoles: treasury.aws?.deployRoles,
      table: tableName,
      named: (name) => nameAt(deployment, name),
    })
    const { Policy = '{}' } = await client.send(new GetResourcePolicyCommand({ ResourceArn: arn }))
    const differs = differenceOf(wanted, JSON.parse(Policy))
    if (differs === undefined)
      return ok(CHECK, 'nobody deletes records; only a deployment and break-glass may change that')
    return warn(CHECK, `the policy of ${tableName} ${differs}`, next)
  } catch (error) {
    const name = errorName(error)
    if (name === ABSENT)
      return warn(CHECK, `${tableName} has no policy: anybody with the permission can delete records`, next)
    return notKnown(CHECK, error, 'let these credentials call dynamodb:GetResourcePolicy')
  } finally {
    client.destroy()
  }
}

/** How a policy differs from the wanted policy, in words; undefined where it does not differ. */
export function differenceOf(wantedPolicy: object, foundPolicy: object): string | undefined {
  const [wanted, found] = [statementsOf(wantedPolicy), statementsOf(foundPolicy)]
  const lacking = wanted.filter(({ text }) => found.every((each) => each.text !== text))
  const others = found.filter(({ text }) => wanted.every((each) => each.text !== text))
  if (lacking.length === 0 && others.length === 0) return undefined
  const parts = [
    lacking.length > 0 && `lacks ${namesOf(lacking)}, as this release has it`,
    others.length > 0 && `has what this release does not have: ${namesOf(others)}`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}

interface Statement {
  readonly sid: string
  /** The statement in canonical JSON. */
  readonly text: string
}

function namesOf(statements: readonly Statement[]): string {
  return statements.map(({ sid }) => sid).join(', ')
}

function statementsOf(document: object): readonly Statement[] {
  const statements = 'Statement' in document ? [document.Statement].flat() : []
  return statements.map((statement) => {
    const { Sid, ...says } = Object(statement) as Readonly<Record<string, unknown>>
    return { sid: typeof Sid === 'string' ? Sid : 'a statement without a Sid', text: JSON.stringify(spelled(says)) }
  })
}

/** IAM ignores order, treats one value as a list of one, and a Principal of * as everybody in AWS. */
function spelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? spelled(value[0]) : value.map(spelled).sort()
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [
    key,
    key === 'Principal' && each === '*' ? { AWS: '*' } : spelled(each),
  ])
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

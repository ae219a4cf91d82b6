// Keeps the resource policies of tables. At each boot the policies are the assembly's, as after a deployment; then
// requests put and delete policies. It does not check whether a policy locks out its own author.
// Source: DynamoDB API Reference, PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy.
import { createHash } from 'node:crypto'
import { AwsError, Refusal } from '../aws-error.ts'
import { parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import type { RequestBody } from '../endpoint/endpoint.ts'

export interface TablePolicy {
  /** The policy as JSON. */
  readonly document: string
  readonly statements: readonly Statement[]
}

export const ON_POLICIES = ['DeleteResourcePolicy', 'GetResourcePolicy', 'PutResourcePolicy']

export class TablePolicies {
  readonly #policies: Map<string, TablePolicy>

  constructor(declared: ReadonlyMap<string, TablePolicy> = new Map()) {
    this.#policies = new Map(declared)
  }

  /** Returns the statements of the table's policy. */
  get(arn: string): readonly Statement[] | undefined {
    return this.#policies.get(arn)?.statements
  }

  /** Performs one of ON_POLICIES on an existing table. Throws AwsError. */
  perform(operation: string, arn: string, { ExpectedRevisionId: expected, Policy }: RequestBody): unknown {
    const policy = this.#policies.get(arn)
    if (expected !== undefined && expected !== revisionOf(policy)) throw notFound(arn)
    switch (operation) {
      case 'GetResourcePolicy':
        if (policy === undefined) throw notFound(arn)
        return { Policy: policy.document, RevisionId: revisionOf(policy) }
      case 'PutResourcePolicy': {
        const put = parsed(Policy)
        this.#policies.set(arn, put)
        return { RevisionId: revisionOf(put) }
      }
      default:
        this.#policies.delete(arn)
        return policy === undefined ? {} : { RevisionId: revisionOf(policy) }
    }
  }
}

function revisionOf(policy: TablePolicy | undefined): string {
  if (policy === undefined) return 'NO_POLICY'
  return createHash('sha256').update(policy.document).digest('hex')
}

function notFound(arn: string): AwsError {
  return new AwsError('PolicyNotFoundException', `Resource-based policy not found for the provided ResourceArn: ${arn}`)
}

function parsed(document: unknown): TablePolicy {
  if (typeof document !== 'string') throw new AwsError('ValidationException', 'Policy: expected a text')
  try {
    return { document, statements: parseResourcePolicy(JSON.parse(document), 'Policy') }
  } catch (error) {
    if (error instanceof Refusal) throw new AwsError('ValidationException', error.message)
    throw new AwsError('ValidationException', 'Policy: expected JSON')
  }
}

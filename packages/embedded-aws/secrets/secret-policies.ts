// The resource policies of secrets, kept while this process runs. It does not check whether a policy locks out its own
// author.
// Source: AWS Secrets Manager API Reference, PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy.
import { AwsError, Refusal } from '../aws-error.ts'
import { parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'

interface SecretPolicy {
  /** The policy as JSON. */
  readonly document: string
  readonly statements: readonly Statement[]
}

export class SecretPolicies {
  readonly #policies = new Map<string, SecretPolicy>()

  findStatements(arn: string): readonly Statement[] | undefined {
    return this.#policies.get(arn)?.statements
  }

  findDocument(arn: string): string | undefined {
    return this.#policies.get(arn)?.document
  }

  /** @throws AwsError for a text that is not a policy, or is not supported here */
  put(arn: string, document: string): void {
    this.#policies.set(arn, { document, statements: parsed(document) })
  }

  delete(arn: string): void {
    this.#policies.delete(arn)
  }
}

function parsed(document: string): readonly Statement[] {
  try {
    return parseResourcePolicy(JSON.parse(document), 'ResourcePolicy')
  } catch (error) {
    const reason = error instanceof Refusal ? error.message : 'expected JSON'
    throw new AwsError('MalformedPolicyDocumentException', reason)
  }
}

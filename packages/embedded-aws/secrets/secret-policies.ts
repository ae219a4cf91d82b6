// The resource policies of secrets, as they are put and deleted: kept while this process runs. It does not look whether who
// puts one keeps himself out.
// Source: AWS Secrets Manager API Reference, PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy.
import { AwsError } from '../aws-error.ts'
import { parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { Refusal } from '../refusal.ts'

interface SecretPolicy {
  /** As JSON. */
  readonly document: string
  readonly statements: readonly Statement[]
}

export class SecretPolicies {
  /** By the ARN of the secret. */
  readonly #policies = new Map<string, SecretPolicy>()

  /** Statements of the secret's policy. */
  get(arn: string): readonly Statement[] | undefined {
    return this.#policies.get(arn)?.statements
  }

  find(arn: string): string | undefined {
    return this.#policies.get(arn)?.document
  }

  /** @throws AwsError for what is no policy, or one that is not known here */
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
    const why = error instanceof Refusal ? error.message : 'expected JSON'
    throw new AwsError('MalformedPolicyDocumentException', why)
  }
}

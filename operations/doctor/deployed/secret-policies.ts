// Checks whether each secret of the deployment has the policy that keeps others from reading it. Reads only.
import { GetResourcePolicyCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { protectedSecrets, type ReadBy, secretPolicy } from '../../../core/contract/secret-policy.ts'
import { keySecretsOf, type Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { secretsManagerClient } from '../../../core/keys/secrets-manager-key-source.ts'
import { type Check, notKnown, ok, warn } from '../check.ts'
import { differenceOf } from './journal-policy.ts'

const NEXT = 'sluice keys protect, as the role sluice-keys: docs/runbook.md, "Who may read the secrets"'

export async function secretPolicyChecks(
  treasury: Pick<Treasury, 'aws' | 'environment' | 'notices' | 'service'>,
): Promise<readonly Check[]> {
  const client = secretsManagerClient()
  try {
    const secrets = protectedSecrets(keySecretsOf(treasury.service), treasury)
    return await Promise.all([...secrets].map(([name, readBy]) => policyCheck(client, name, readBy, treasury)))
  } finally {
    client.destroy()
  }
}

async function policyCheck(
  client: SecretsManagerClient,
  name: string,
  readBy: ReadBy,
  { aws, environment }: Pick<Treasury, 'aws' | 'environment'>,
): Promise<Check> {
  const check = `policy of secret ${name}`
  try {
    const { ARN = '', ResourcePolicy } = await client.send(new GetResourcePolicyCommand({ SecretId: name }))
    if (ResourcePolicy === undefined)
      return warn(check, 'it has none: anybody who may read secrets in this account can read it', NEXT)
    const [, partition = '', , , account = ''] = ARN.split(':')
    const wanted = secretPolicy(readBy, { partition, account, environment, rolePath: aws?.rolePath })
    const differs = differenceOf(wanted, JSON.parse(ResourcePolicy))
    if (differs !== undefined) return warn(check, `it ${differs}`, NEXT)
    return ok(check, 'read by its functions, and by the people who manage keys')
  } catch (error) {
    // A missing secret has no policy, and another check reports it.
    if (errorName(error) === 'ResourceNotFoundException') return warn(check, 'there is no such secret', NEXT)
    return notKnown(check, error, 'let these credentials call secretsmanager:GetResourcePolicy')
  }
}

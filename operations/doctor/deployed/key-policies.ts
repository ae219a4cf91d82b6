// Checks whether each secret of the deployment has the policy that keeps others from reading it. The key that signs
// people's decisions must be enabled, with the policy by which Decide alone signs. Reads only.

import { DescribeKeyCommand, GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms'
import { GetResourcePolicyCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { decisionKeyPolicy } from '../../../core/contract/decision-key-policy.ts'
import { decisionKeyAlias } from '../../../core/contract/deployed-names.ts'
import { protectedSecrets, type ReadBy, secretPolicy } from '../../../core/contract/secret-policy.ts'
import { keySecretsOf, type Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { secretsManagerClient } from '../../../core/keys/secrets-manager-key-source.ts'
import { clientConfigAt, deploymentOf } from '../../../place/aws/aws-address.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { advice, DEPLOY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'
import { differenceOf } from './journal-policy.ts'

const NEXT = advice`${{ do: 'protect-keys' }}, as the role sluice-keys: docs/runbook.md, "Who may read the secrets"`

export async function secretPolicyChecks(
  treasury: Pick<Treasury, 'aws' | 'environment' | 'notices' | 'service'>,
): Promise<readonly Check[]> {
  return withClient(secretsManagerClient(), async (client) => {
    const secrets = protectedSecrets(keySecretsOf(treasury.service), treasury)
    return await Promise.all([...secrets].map(([name, readBy]) => policyCheck(client, name, readBy, treasury)))
  })
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

const KEY_CHECK = 'key of decisions'
/** A deployment does not undo a change that somebody made by hand. */
const KEY_NEXT = 'find out in CloudTrail who changed it (PutKeyPolicy), and put back the policy of the template'

export async function decisionKeyCheck(treasury: Pick<Treasury, 'aws' | 'environment'>): Promise<Check> {
  const client = new KMSClient(clientConfigAt(deploymentOf(treasury)))
  const { environment } = treasury
  const alias = decisionKeyAlias(environment)
  let isFound = false
  try {
    const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: alias }))
    isFound = true
    const { Arn = '', KeyState } = KeyMetadata ?? {}
    if (KeyState !== 'Enabled')
      return fail(
        KEY_CHECK,
        `${Arn} is ${KeyState}: no approval counts`,
        'aws kms enable-key, or find out who disabled it',
      )
    const { Policy = '{}' } = await client.send(new GetKeyPolicyCommand({ KeyId: Arn }))
    const [, partition = '', , , account = ''] = Arn.split(':')
    const differs = differenceOf(decisionKeyPolicy({ partition, account, environment }), JSON.parse(Policy))
    if (differs === undefined) return ok(KEY_CHECK, 'only Decide signs what people decide')
    return warn(KEY_CHECK, `the policy of ${alias} ${differs}: others may sign in the name of people`, KEY_NEXT)
  } catch (error) {
    if (errorName(error) === 'NotFoundException')
      return fail(KEY_CHECK, `there is no ${isFound ? `policy of ${alias}` : alias}: no approval counts`, DEPLOY)
    return notKnown(KEY_CHECK, error, 'let these credentials call kms:DescribeKey and kms:GetKeyPolicy on it')
  } finally {
    client.destroy()
  }
}

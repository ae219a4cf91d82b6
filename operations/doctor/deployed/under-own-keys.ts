// Checks whether the journal and the secrets are under the customer KMS keys that treasury.json names. Reads only.

import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DescribeSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { protectedSecrets } from '../../../core/contract/secret-policy.ts'
import { keySecretsOf, type Treasury } from '../../../core/contract/treasury.ts'
import { secretsManagerClient } from '../../../core/keys/secrets-manager-key-source.ts'
import { clientConfigAt, type Deployment, deploymentOf, journalAt } from '../../../place/aws/aws-address.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { advice, DEPLOY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'

const RUNBOOK = 'docs/runbook.md, "Keys of your own for what is stored"'

/** Empty where treasury.json names no KMS key for them. */
export async function underOwnKeysChecks(treasury: Treasury): Promise<readonly Check[]> {
  const { encryption: { journal, secrets } = {} } = treasury
  return [
    ...(journal === undefined ? [] : [await journalCheck(deploymentOf(treasury), journal)]),
    ...(secrets === undefined ? [] : await secretChecks(treasury, secrets)),
  ]
}

async function journalCheck(deployment: Deployment, keyArn: string): Promise<Check> {
  const check = 'encryption of the journal'
  return withClient(new DynamoDBClient(clientConfigAt(deployment)), async (client) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: journalAt(deployment) }))
    const { InaccessibleEncryptionDateTime: since, KMSMasterKeyArn } = Table?.SSEDescription ?? {}
    if (since !== undefined) {
      const detail = `DynamoDB cannot use the key since ${since.toISOString()}; after seven days it archives the table`
      return fail(check, detail, 'docs/runbook.md, "A key of your own is lost"')
    }
    if (KMSMasterKeyArn === keyArn) return ok(check, 'under the key of treasury.json')
    const detail = `under ${KMSMasterKeyArn ?? 'a key of AWS'}, and not under the key of treasury.json`
    return warn(check, detail, advice`${DEPLOY}; of a restored table: ${RUNBOOK}`)
  }).catch((error: unknown) => notKnown(check, error, 'let these credentials call dynamodb:DescribeTable'))
}

async function secretChecks(treasury: Treasury, keyArn: string): Promise<readonly Check[]> {
  return withClient(secretsManagerClient(), async (client) => {
    const names = [...protectedSecrets(keySecretsOf(treasury.service), treasury).keys()]
    return await Promise.all(names.map((name) => secretCheck(client, name, keyArn)))
  })
}

async function secretCheck(client: SecretsManagerClient, name: string, keyArn: string): Promise<Check> {
  const check = `encryption of secret ${name}`
  try {
    const { KmsKeyId } = await client.send(new DescribeSecretCommand({ SecretId: name }))
    if (KmsKeyId === keyArn) return ok(check, 'under the key of treasury.json')
    const detail = `under ${KmsKeyId ?? 'a key of AWS'}, and not under the key of treasury.json`
    return warn(check, detail, advice`${{ do: 'protect-keys' }}, as the role sluice-keys`)
  } catch (error) {
    return notKnown(check, error, 'let these credentials call secretsmanager:DescribeSecret')
  }
}

// Checks the customer KMS keys that treasury.json names: whether each exists, encrypts, and may be used by those who
// need it. Reads only.

import { DescribeKeyCommand, GetKeyPolicyCommand, type KeyMetadata, KMSClient } from '@aws-sdk/client-kms'
import { hostOfAws } from '../../core/contract/partition.ts'
import type { EncryptedData, Treasury } from '../../core/contract/treasury.ts'
import { errorName } from '../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import { withClient } from '../../place/aws/with-client.ts'
import { type Check, fail, notKnown, ok, warn } from './check.ts'

const RUNBOOK = 'docs/runbook.md, "Keys of your own for what is stored"'

/** One check for each key, whatever it is for. */
export async function ownKeyChecks({
  aws,
  encryption = {},
}: Pick<Treasury, 'aws' | 'encryption'>): Promise<readonly Check[]> {
  const uses = new Map<string, EncryptedData[]>()
  for (const kind of ENCRYPTED) {
    const arn = encryption[kind]
    if (arn !== undefined) uses.set(arn, [...(uses.get(arn) ?? []), kind])
  }
  return Promise.all([...uses].map(([arn, kinds]) => keyCheck(arn, kinds, aws?.account)))
}

const ENCRYPTED: readonly EncryptedData[] = ['secrets', 'journal', 'copies', 'logs']

/** `account`: the deployment's; undefined: the key's own. */
async function keyCheck(arn: string, uses: readonly EncryptedData[], account?: string): Promise<Check> {
  const check = `KMS key of ${uses.join(', ')}`
  const [, , , region = '', owner = ''] = arn.split(':')
  // The key of copies is in another region.
  return withClient(new KMSClient({ ...requestLimits(AWS_LIMITS), region }), async (client) => {
    const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: arn }))
    const unfit = unfitness(KeyMetadata)
    if (unfit !== undefined) return fail(check, `${arn} ${unfit.why}`, unfit.next)
    const { Policy = '' } = await client.send(new GetKeyPolicyCommand({ KeyId: arn }))
    return policyCheck(Policy, { check, arn, uses, region, account: account ?? owner })
  }).catch((error: unknown) => {
    if (errorName(error) === 'NotFoundException') return fail(check, `there is no ${arn}`, `make it first: ${RUNBOOK}`)
    return notKnown(check, error, `let these credentials call kms:DescribeKey and kms:GetKeyPolicy on ${arn}`)
  })
}

/** Why a key cannot encrypt, and the remedy. */
function unfitness({ KeyManager, KeySpec, KeyState, KeyUsage }: Partial<KeyMetadata> = {}) {
  if (KeyManager === 'AWS') return { why: 'is a key that AWS manages', next: `make one of your own: ${RUNBOOK}` }
  if (KeyUsage !== 'ENCRYPT_DECRYPT' || KeySpec !== 'SYMMETRIC_DEFAULT')
    return { why: `is for ${KeyUsage} with ${KeySpec}`, next: 'name a symmetric key that encrypts and decrypts' }
  if (KeyState === 'PendingDeletion' || KeyState === 'PendingReplicaDeletion')
    return {
      why: 'is about to be deleted, and with it all that is under it',
      next: 'at once: aws kms cancel-key-deletion, and then aws kms enable-key',
    }
  if (KeyState !== 'Enabled')
    return {
      why: `is ${KeyState}: nothing under it can be read`,
      next: 'aws kms enable-key, or find out who disabled it',
    }
  return undefined
}

interface Needed {
  readonly check: string
  readonly arn: string
  readonly uses: readonly EncryptedData[]
  readonly region: string
  readonly account: string
}

/**
 * CloudWatch Logs has no role, so the key's own policy must name it. Roles get their permission from IAM, where the
 * key's policy allows that.
 */
function policyCheck(policy: string, { account, arn, check, region, uses }: Needed): Check {
  const logs = hostOfAws('logs', region)
  if (uses.includes('logs') && !policy.includes(logs))
    return fail(check, `the policy of ${arn} does not let in ${logs}`, `let it in: ${RUNBOOK}`)
  if (uses.some((kind) => kind !== 'logs') && !policy.includes(`::${account}:root"`)) {
    const detail = `the policy of ${arn} leaves nothing to IAM of account ${account}, so it must name each role itself`
    return warn(check, detail, `leave it to IAM: ${RUNBOOK}`)
  }
  return ok(check, `${arn} is enabled`)
}

// Checks whether the key that signs people's decisions is enabled, and has the policy by which Decide alone signs. Reads only.
import { DescribeKeyCommand, GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms'
import { decisionKeyPolicy } from '../../../core/contract/decision-key-policy.ts'
import { decisionKeyAlias } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { clientConfigAt, deploymentOf } from '../../../place/aws/aws-address.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'
import { differenceOf } from './journal-policy.ts'

const CHECK = 'key of decisions'
/** A deployment does not undo a change that somebody made by hand. */
const NEXT = 'find out in CloudTrail who changed it (PutKeyPolicy), and put back the policy of the template'

export async function decisionKeyCheck(treasury: Pick<Treasury, 'aws' | 'environment'>): Promise<Check> {
  const client = new KMSClient(clientConfigAt(deploymentOf(treasury)))
  const { environment } = treasury
  const alias = decisionKeyAlias(environment)
  try {
    const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: alias }))
    const { Arn = '', KeyState } = KeyMetadata ?? {}
    if (KeyState !== 'Enabled')
      return fail(CHECK, `${Arn} is ${KeyState}: no approval counts`, 'aws kms enable-key, or find out who disabled it')
    const { Policy = '{}' } = await client.send(new GetKeyPolicyCommand({ KeyId: Arn }))
    const [, partition = '', , , account = ''] = Arn.split(':')
    const differs = differenceOf(decisionKeyPolicy({ partition, account, environment }), JSON.parse(Policy))
    if (differs === undefined) return ok(CHECK, 'only Decide signs what people decide')
    return warn(CHECK, `the policy of ${alias} ${differs}: others may sign in the name of people`, NEXT)
  } catch (error) {
    if (errorName(error) === 'NotFoundException')
      return fail(CHECK, `there is no ${alias}: no approval counts`, 'npm run deploy')
    return notKnown(CHECK, error, 'let these credentials call kms:DescribeKey and kms:GetKeyPolicy on it')
  } finally {
    client.destroy()
  }
}

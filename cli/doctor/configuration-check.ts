// Checks whether what is deployed runs with the file that is in hand.
import type { Treasury } from '../../core/contract/treasury.ts'
import { awsErrorName } from '../../core/keys/aws-limits.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { describeAt } from '../target/deployed-configuration.ts'
import { type Check, ok, warn } from './check.ts'

const CHECK = 'deployed file'

export async function configurationCheck(treasury: Treasury): Promise<Check> {
  const told = await describeAt({ environment: treasury.environment }).catch(awsErrorName)
  if (typeof told === 'string')
    return warn(CHECK, `not known (${told})`, 'let these credentials invoke the function sluice-describe')
  if (told === undefined) return warn(CHECK, 'nothing deployed tells its configuration', 'npm run deploy')
  if (told.configuration === hashConfiguration(treasury)) return ok(CHECK, `this one, release ${told.release}`)
  return warn(CHECK, `another than this one, release ${told.release}`, 'sluice diff --aws shows what differs')
}

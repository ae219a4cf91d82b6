// Checks whether what is deployed runs with the file that is in hand, and gives the deployed file to the checks that go by
// it. It asks one function, once.
import type { DeploymentReport } from '../../core/contract/deployment.ts'
import { type Treasury, treasury as treasurySchema } from '../../core/contract/treasury.ts'
import { awsErrorName } from '../../core/keys/aws-limits.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { describeAt } from '../target/deployed-configuration.ts'
import { type Check, ok, warn } from './check.ts'

const CHECK = 'deployed file'

/** What a deployment tells of itself. A text says why that is not known; undefined: nothing there tells it. */
export type Told = DeploymentReport | string | undefined

export function askDeployed({ environment }: Pick<Treasury, 'environment'>): Promise<Told> {
  return describeAt({ environment }).catch(awsErrorName)
}

export function configurationCheck(treasury: Treasury, told: Told): Check {
  if (typeof told === 'string')
    return warn(CHECK, `not known (${told})`, 'let these credentials invoke the function sluice-describe')
  if (told === undefined) return warn(CHECK, 'nothing deployed tells its configuration', 'npm run deploy')
  if (told.configuration === hashConfiguration(treasury)) return ok(CHECK, `this one, release ${told.release}`)
  return warn(CHECK, `another than this one, release ${told.release}`, 'sluice diff --aws shows what differs')
}

/** The file as it is deployed. Undefined where that is not known, or where another release has other fields. */
export function deployedFile(told: Told): Treasury | undefined {
  return typeof told === 'object' ? treasurySchema.safeParse(told.treasury).data : undefined
}

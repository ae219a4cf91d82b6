// Checks whether what is deployed runs with the file that is in hand, and gives the deployed file to the checks that go by
// it. It asks one function, once.

import type { DeploymentReport } from '../../core/contract/deployment.ts'
import { type Treasury, treasury as treasurySchema } from '../../core/contract/treasury.ts'
import { errorText } from '../../core/error-name.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { connectionRemedyFor } from '../connection/connection-remedy.ts'
import { describeAt } from '../connection/deployed-configuration.ts'
import { type Check, ok, warn } from './check.ts'

const CHECK = 'deployed file'

/** What a deployment tells of itself. A text says why that is not known; undefined: nothing there tells it. */
export type Told = DeploymentReport | string | undefined

export function askDeployed({ environment }: Pick<Treasury, 'environment'>): Promise<Told> {
  return describeAt({ environment }).catch(errorText)
}

export function configurationCheck(treasury: Treasury, told: Told): Check {
  if (typeof told === 'string') {
    const next = connectionRemedyFor(told) ?? 'let these credentials invoke the function sluice-describe'
    return warn(CHECK, `not known (${told})`, next)
  }
  if (told === undefined) return warn(CHECK, 'nothing deployed tells its configuration', 'npm run deploy')
  const written = asWritten(told)?.service.url
  if (written !== undefined && told.serviceUrl !== written) {
    const detail = `its functions use ${told.serviceUrl}, and its file says ${written}`
    return warn(CHECK, detail, 'where the address of the file is meant: npm run deploy, without --parameters')
  }
  if (told.configuration === hashConfiguration(treasury)) return ok(CHECK, `this one, release ${told.release}`)
  return warn(CHECK, `another than this one, release ${told.release}`, 'sluice setup diff --aws shows what differs')
}

/**
 * What is deployed: its file, with the address that its functions use. Undefined where that is not known, or where another
 * release has other fields.
 */
export function deployedFile(told: Told): Treasury | undefined {
  if (typeof told !== 'object') return undefined
  const treasury = asWritten(told)
  return treasury && { ...treasury, service: { ...treasury.service, url: told.serviceUrl } }
}

function asWritten(told: DeploymentReport): Treasury | undefined {
  return treasurySchema.safeParse(told.treasury).data
}

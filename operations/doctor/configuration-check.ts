// Checks whether the deployment runs with the file in hand, and returns the deployed file for the other checks. It
// asks one function, once. At a desk it checks who else could write the file, because it holds guards, policies and
// approvers.

import type { DeploymentReport } from '../../core/contract/deployment.ts'
import { Stage } from '../../core/contract/service-settings.ts'
import { type Treasury, treasury as treasurySchema } from '../../core/contract/treasury.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { deploymentOf } from '../../place/aws/aws-address.ts'
import { connectionRemedyFor } from '../../place/aws/connection-remedy.ts'
import { reportOrWhy, rightToDescribe } from '../../place/aws/deployed-configuration.ts'
import { findOtherWriter } from '../../place/configuration.ts'
import { advice, DEPLOY, option } from '../../place/next-step.ts'
import { type Check, fail, ok, warn } from './check.ts'

const CHECK = 'deployed file'

/** The report of a deployment about itself. A text says why it is not known; undefined: nothing deployed reports. */
export type ReportedDeployment = DeploymentReport | string | undefined

/** @throws OperationError (exit 1) where AWS refuses whoever asks, because every further check would only repeat it */
export function askDeployed(treasury: Pick<Treasury, 'aws' | 'environment'>): Promise<ReportedDeployment> {
  return reportOrWhy(deploymentOf(treasury))
}

export function configurationCheck(treasury: Treasury, report: ReportedDeployment): Check {
  if (typeof report === 'string') {
    const next = connectionRemedyFor(report) ?? rightToDescribe(deploymentOf(treasury))
    return warn(CHECK, `not known (${report})`, next)
  }
  if (report === undefined) return warn(CHECK, 'nothing deployed reports its configuration', DEPLOY)
  const written = asWritten(report)?.service.url
  if (written !== undefined && report.serviceUrl !== written) {
    const detail = `its functions use ${report.serviceUrl}, and its file says ${written}`
    return warn(
      CHECK,
      detail,
      advice`where the address of the file is meant: ${DEPLOY}, without ${option('parameters')}`,
    )
  }
  if (report.configuration === hashConfiguration(treasury)) return ok(CHECK, `this one, release ${report.release}`)
  return warn(
    CHECK,
    `another than this one, release ${report.release}`,
    advice`${{ do: 'compare-configuration', at: { aws: true } }} shows what differs`,
  )
}

/**
 * The deployed file, with the address that its functions use. Undefined where it is not known, or where another release
 * has other fields.
 */
export function deployedFile(report: ReportedDeployment): Treasury | undefined {
  if (typeof report !== 'object') return undefined
  const treasury = asWritten(report)
  return treasury && { ...treasury, service: { ...treasury.service, url: report.serviceUrl } }
}

function asWritten(report: DeploymentReport): Treasury | undefined {
  return treasurySchema.safeParse(report.treasury).data
}

const FILE_CHECK = 'configuration'

/** At the stage live a desk refuses the file. */
export function configurationFileCheck(file: string, stage: Stage): Check {
  const detail = `${file}, stage ${stage}`
  const found = findOtherWriter(file)
  if (found === undefined) return ok(FILE_CHECK, detail)
  const report = stage === Stage.Live ? fail : warn
  const { place, writer } = found
  return report(
    FILE_CHECK,
    `${detail}; ${place} can be changed by ${writer}`,
    `chmod go-w ${place}, and read ${file} again`,
  )
}

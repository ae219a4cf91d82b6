// Handler of Describe: reports the configuration of the deployment, from the file beside the bundle and its own environment
// variables. Reads nothing else, and has no permissions of its own.
import { type DeploymentReport, DescribeOutcome, describeInput } from '../../core/contract/deployment.ts'
import { Verb } from '../../core/contract/states.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { readRelease, readServiceUrl } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'

export const makeDescribeHandler: MakeHandler = (env) => {
  const treasury = readTreasuryFile(env)
  const outcome = DescribeOutcome.Described
  const report: DeploymentReport = {
    outcome,
    release: readRelease(env),
    configuration: hashConfiguration(treasury),
    treasury,
    serviceUrl: readServiceUrl(env),
  }
  return frameHandler(Verb.Describe, describeInput, async () => report)
}

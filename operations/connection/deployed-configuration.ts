// Reads the configuration of a deployment from its function Describe. Commands for AWS use it, because the local file
// may differ.

import { type DeploymentReport, deploymentReport } from '../../core/contract/deployment.ts'
import { type Treasury, treasury } from '../../core/contract/treasury.ts'
import { errorName, errorText } from '../../core/error-name.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import type { Notes, Variables } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'
import { type ConnectionFlags, commandWith } from '../words/command-line.ts'
import { type AwsAddress, type Deployment, isDeployment } from './aws-address.ts'
import { readTreasury } from './configuration.ts'
import { findAwsRemedy } from './connection-remedy.ts'
import { resolveSettings } from './settings.ts'

/** The name that infra/constructs/verb-function.ts gives it. */
const FUNCTION = 'sluice-describe'
const NOT_THERE = 'ResourceNotFoundException'
/** Milliseconds. The function only reads one file. */
const TIMEOUT_MS = 10_000

/** Undefined where nothing is deployed. Throws the SDK's own errors. */
export async function describeAt(address: AwsAddress): Promise<DeploymentReport | undefined> {
  // Few commands ask for it, and the client of functions takes long to load.
  const { invokeFunction } = await import('./invoke-function.ts')
  try {
    const answer = await invokeFunction(address, FUNCTION, '{}', TIMEOUT_MS)
    return deploymentReport.parse(JSON.parse(answer))
  } catch (error) {
    if (errorName(error) === NOT_THERE) return undefined
    throw error
  }
}

/** The deployment that a local file names. @throws OperationError (exit 2) for an invalid file */
export function namedDeployment({ config }: ConnectionFlags, variables: Variables): Deployment {
  const { configFile } = resolveSettings(config === undefined ? {} : { config }, variables)
  const { environment } = readTreasury(configFile)
  return { environment }
}

interface Asked {
  readonly flags: ConnectionFlags
  readonly configFile: string
  readonly output: Notes
}

/**
 * The configuration that a command uses: with --aws the deployed one, else that of the file. If the deployed one cannot
 * be read, it uses the file and notes it.
 * @throws OperationError (exit 2) for an invalid file
 */
export async function treasuryFor({ configFile, flags, output }: Asked): Promise<Treasury> {
  const local = readTreasury(configFile)
  if (flags.aws !== true) return local
  const report = await describeAt({ environment: local.environment }).catch(errorText)
  if (report === undefined) {
    output.note(`nothing deployed reports its configuration: ${configFile} is used`)
    return local
  }
  if (typeof report === 'string') {
    output.note(`the deployed configuration could not be read (${report}): ${configFile} is used in its place`)
    return local
  }
  const deployed = treasury.safeParse(report.treasury)
  if (!deployed.success) {
    output.note(`release ${report.release} is deployed, whose configuration has other fields: ${configFile} is used`)
    return local
  }
  if (hashConfiguration(deployed.data) !== hashConfiguration(local)) {
    output.note(
      `the deployed configuration differs from ${configFile}, and is used: ${commandWith('setup diff', flags)}`,
    )
  }
  const { service, ...others } = deployed.data
  // The deployment's functions may use another address than its file says.
  return { ...others, service: { ...service, url: report.serviceUrl } }
}

/** @throws OperationError (exit 1) where nothing is deployed, or no answer comes */
export async function deployedAt(address: AwsAddress, flags: ConnectionFlags): Promise<DeploymentReport> {
  const report = await describeAt(address).catch((error: unknown) => {
    throw unreadable(`it could not be read (${errorText(error)})`, flags, error)
  })
  if (report !== undefined) return report
  throw unreadable(`nothing that reports its configuration is deployed ${whereOf(address)}`, flags)
}

/** Names the environment, because a typing error in it means another deployment, with an empty journal. */
function whereOf(address: AwsAddress): string {
  if (!isDeployment(address)) return 'at this desk'
  const { environment } = address
  const as = environment === undefined ? 'without an environment' : `as the environment ${environment}`
  return `in this AWS account and region ${as}`
}

function unreadable(why: string, flags: ConnectionFlags, cause?: unknown): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'unreachable',
      message: `the deployed configuration: ${why}`,
      next:
        flags.aws === true
          ? (findAwsRemedy(cause) ?? 'check AWS_PROFILE and AWS_REGION, or deploy: npm run deploy')
          : `${commandWith('serve', flags)}   # and this command beside it; or add --aws`,
    },
    { cause },
  )
}

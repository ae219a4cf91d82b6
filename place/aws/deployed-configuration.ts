// Reads the configuration of a deployment from its function Describe. Commands for AWS use it, because the local file
// may differ.

import * as z from 'zod/mini'
import { type DeploymentReport, deploymentReport } from '../../core/contract/deployment.ts'
import { type Treasury, treasury } from '../../core/contract/treasury.ts'
import { errorName, errorText } from '../../core/error-name.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { readTreasury } from '../configuration.ts'
import { type Notes, ownRelease, type Variables } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { advice, type ConnectionFlags, DEPLOY, option } from '../next-step.ts'
import { OperationError } from '../operation-error.ts'
import { resolveSettings } from '../settings.ts'
import { accessFailure } from './aws-access.ts'
import { type AwsAddress, type Deployment, deploymentOf, isDeployment, nameAt } from './aws-address.ts'
import { findAwsRemedy } from './connection-remedy.ts'

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
  return deploymentOf(readTreasury(configFile))
}

interface Asked {
  readonly flags: ConnectionFlags
  readonly configFile: string
  readonly output: Notes
}

/**
 * The report of a deployment about itself; a text says why it cannot be read. Undefined where nothing is deployed.
 * @throws OperationError (exit 1) where AWS refuses whoever asks, because nothing else would be answered either
 */
export function reportOrWhy(address: AwsAddress): Promise<DeploymentReport | string | undefined> {
  return describeAt(address).catch((error: unknown) => {
    const refused = accessFailure(error, unread(error))
    if (refused !== undefined) throw refused
    return errorText(error)
  })
}

const unread = (error: unknown) => `the deployed configuration could not be read (${errorText(error)})`

/**
 * The configuration that a command uses: with --aws the deployed one, else that of the file. If the deployed one cannot
 * be read, it uses the file and notes it.
 * @throws OperationError (exit 2) for an invalid file
 */
export async function treasuryFor({ configFile, flags, output }: Asked): Promise<Treasury> {
  const local = readTreasury(configFile)
  if (flags.aws !== true) return local
  const report = await reportOrWhy(deploymentOf(local))
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
  const release = ownRelease()
  if (report.release !== release)
    output.note(`release ${report.release} is deployed, and this command is release ${release}`)
  if (hashConfiguration(deployed.data) !== hashConfiguration(local)) {
    output.note(
      advice`the deployed configuration differs from ${configFile}, and is used: ${{ do: 'compare-configuration' }}`,
    )
  }
  const { service, ...others } = deployed.data
  // The deployment's functions may use another address than its file says.
  return { ...others, service: { ...service, url: report.serviceUrl } }
}

/** @throws OperationError: exit 8 where nothing is deployed, exit 1 where that is not known */
export async function deployedAt(address: AwsAddress, flags: ConnectionFlags): Promise<DeploymentReport> {
  const report = await describeAt(address).catch((error: unknown) => {
    const isOfOtherForm = error instanceof z.core.$ZodError
    if (isOfOtherForm) throw nothingToCompare('the deployed release reports its configuration in another form', flags)
    throw accessFailure(error, unread(error)) ?? unreadable(error, address, flags)
  })
  if (report !== undefined) return report
  throw nothingToCompare(`nothing that reports its configuration is deployed ${whereOf(address)}`, flags)
}

/** Names the environment, because a typing error in it means another deployment, with an empty journal. */
function whereOf(address: AwsAddress): string {
  if (!isDeployment(address)) return 'at this desk'
  const { environment } = address
  const as = environment === undefined ? 'without an environment' : `as the environment ${environment}`
  return `in this AWS account and region ${as}`
}

/** Advice where no fault of the connection explains an answer. */
export const rightToDescribe = (address: AwsAddress) =>
  `let these credentials invoke the function ${nameAt(address, FUNCTION)}`

function unreadable(cause: unknown, address: AwsAddress, flags: ConnectionFlags): OperationError {
  const next = flags.aws === true ? (findAwsRemedy(cause) ?? rightToDescribe(address)) : SERVE_BESIDE
  return new OperationError({ exitCode: ExitCode.Failed, code: 'unreachable', message: unread(cause), next }, { cause })
}

function nothingToCompare(message: string, flags: ConnectionFlags): OperationError {
  const next = flags.aws === true ? advice`check AWS_PROFILE and AWS_REGION, or deploy: ${DEPLOY}` : SERVE_BESIDE
  return new OperationError({ exitCode: ExitCode.NothingDeployed, code: 'nothing_deployed', message, next })
}

/** For a command that needs a desk beside it. */
export const SERVE_BESIDE = { do: 'serve', why: advice`and this command beside it; or add ${option('aws')}` } as const

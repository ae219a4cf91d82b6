// Parses the arguments of `sluice deploy` that go to the CDK. Pure.
import { usageError } from '../../place/operation-error.ts'
import { deployCommand } from '../terminal/command-line.ts'

export interface DeployFlags {
  readonly config?: string
  readonly yes?: true
  /** Whether it may deploy where there is nothing to compare the file with. */
  readonly first?: true
}

export interface DeployArguments {
  readonly ofCdk: readonly string[]
  /** Folder in which the CDK leaves the assembly. */
  readonly outDir: string
  /** AWS variables that the CDK's options imply, so that the comparison reads the deployment that the CDK changes. */
  readonly variables: Readonly<Record<string, string>>
}

/**
 * The CDK's arguments. The import takes over a journal that a deleted deployment left (decision 38). No other resource
 * has a fixed name and a DeletionPolicy with which CloudFormation would import it.
 */
export function deployCommandOf({ ofCdk }: Pick<DeployArguments, 'ofCdk'>): readonly string[] {
  return ['deploy', '--all', '--no-previous-parameters', '--import-existing-resources', ...ofCdk]
}

/** Options with which the CDK chooses its place, and the AWS SDK's variables for the same. */
const PLACES: Readonly<Record<string, string>> = { '--profile': 'AWS_PROFILE', '--region': 'AWS_REGION' }

/** @throws OperationError (exit 2) for arguments that would not do what they seem to */
export function readDeployArguments(ofCdk: readonly string[], { first, yes }: DeployFlags): DeployArguments {
  const stray = ofCdk.find((arg, at) => arg.endsWith('.json') && !ofCdk[at - 1]?.startsWith('--'))
  if (stray !== undefined)
    // The CDK would ignore the file, and treasury.json would be deployed instead.
    throw usageError('usage', `${stray}: expected --config before it`, deployCommand(stray))
  if (first && !yes)
    throw usageError('usage', '--first: expected --yes beside it; got it alone', deployCommand(undefined))
  const places = Object.entries(PLACES).flatMap(([option, variable]) => {
    const value = argumentOf(ofCdk, option)
    return value === undefined ? [] : [[variable, value] as const]
  })
  const outDir = argumentOf(ofCdk, '--output') ?? argumentOf(ofCdk, '-o') ?? 'cdk.out'
  return { ofCdk, outDir, variables: Object.fromEntries(places) }
}

/** Value of an option in the form `--profile live` or `--profile=live`. */
function argumentOf(args: readonly string[], option: string): string | undefined {
  const at = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`))
  return args[at] === option ? args[at + 1] : args[at]?.slice(option.length + 1)
}

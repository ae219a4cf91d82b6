// Parses the arguments of `npm run deploy`: its own options, and the rest, which goes to the CDK. Pure.

export interface DeployArguments {
  readonly configFile: string | undefined
  readonly isAsked: boolean
  /** With `isAsked` false: whether it may deploy where there is nothing to compare the file with. */
  readonly isFirst: boolean
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

const USAGE = `Example: npm run deploy -- --config live-treasury.json

Shows what the file changes against what is deployed, asks, and deploys all stacks.
  --config FILE  configuration (default: treasury.json)
  --yes          do not ask: needed where there is no terminal. Deploys only when the changes were shown
  --first        with --yes: also deploy where nothing is deployed that the file could be compared with
All other arguments go to cdk deploy. It stops where AWS cannot be asked what is deployed.`

/** Options about what is deployed, and where. npm consumes them when they come before the `--`. */
const SWALLOWED = ['config', 'profile', 'region', 'parameters'] as const

/**
 * Parses the arguments; returns a text for the person when there is nothing to deploy. `variables`: those of the
 * process, which include npm's.
 */
export function readDeployArguments(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>> = {},
): DeployArguments | string {
  const swallowed = SWALLOWED.find((option) => variables[`npm_config_${option}`])
  if (swallowed !== undefined) {
    return `error: npm took --${swallowed} for itself: write it after --, as in npm run deploy -- --${swallowed} …\n\n${USAGE}`
  }
  const ofCdk: string[] = []
  let configFile: string | undefined
  let isAsked = true
  let isFirst = false
  const remaining = [...args]
  for (let arg = remaining.shift(); arg !== undefined; arg = remaining.shift()) {
    if (arg === '--help' || arg === '-h') return USAGE
    if (arg === '--yes') isAsked = false
    else if (arg === '--first') isFirst = true
    else if (arg === '--config' || arg.startsWith('--config=')) {
      configFile = arg === '--config' ? remaining.shift() : arg.slice('--config='.length)
      if (configFile === undefined || configFile === '') return `error: --config: expected a file\n\n${USAGE}`
    } else if (arg.endsWith('.json') && !ofCdk.at(-1)?.startsWith('--')) {
      // The CDK would ignore the file, and treasury.json would be deployed instead.
      return `error: ${arg}: expected --config before it\n\n${USAGE}`
    } else ofCdk.push(arg)
  }
  if (isFirst && isAsked) return `error: --first: expected --yes beside it; got it alone\n\n${USAGE}`
  const places = Object.entries(PLACES).flatMap(([option, variable]) => {
    const value = argumentOf(ofCdk, option)
    return value === undefined ? [] : [[variable, value] as const]
  })
  const outDir = argumentOf(ofCdk, '--output') ?? argumentOf(ofCdk, '-o') ?? 'cdk.out'
  return { configFile, isAsked, isFirst, ofCdk, outDir, variables: Object.fromEntries(places) }
}

/** Value of an option in the form `--profile live` or `--profile=live`. */
function argumentOf(args: readonly string[], option: string): string | undefined {
  const at = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`))
  return args[at] === option ? args[at + 1] : args[at]?.slice(option.length + 1)
}

// The arguments of `npm run deploy`: its own, and all others, which are the CDK's. Pure.

export interface DeployArguments {
  readonly configFile: string | undefined
  readonly isAsked: boolean
  readonly ofCdk: readonly string[]
  /** Whose deployment the CDK is told to change: what is compared must be the same one. */
  readonly variables: Readonly<Record<string, string>>
}

/**
 * The CDK's arguments. A journal that a deployment which is gone has left is taken over (decision 36): nothing else has a
 * name and a DeletionPolicy with which CloudFormation imports it.
 */
export function deployCommandOf({ ofCdk }: Pick<DeployArguments, 'ofCdk'>): readonly string[] {
  return ['deploy', '--all', '--no-previous-parameters', '--import-existing-resources', ...ofCdk]
}

/** Options of the CDK that say where it deploys, and the variables that say so to the AWS SDK. */
const PLACES: Readonly<Record<string, string>> = { '--profile': 'AWS_PROFILE', '--region': 'AWS_REGION' }

const USAGE = `Example: npm run deploy -- --config live-treasury.json

Shows what the file changes against what is deployed, asks, and deploys all stacks.
  --config FILE  configuration (default: treasury.json)
  --yes          do not ask: needed where there is no terminal
All other arguments go to cdk deploy.`

/** Options that say what is deployed, and where. npm takes them for its own where they stand before the `--`. */
const SWALLOWED = ['config', 'profile', 'region', 'parameters'] as const

/** What to tell the person, where there is nothing to deploy. `given`: the variables that npm sets, among others. */
export function readDeployArguments(
  args: readonly string[],
  given: Readonly<Record<string, string | undefined>> = {},
): DeployArguments | string {
  const swallowed = SWALLOWED.find((option) => given[`npm_config_${option}`])
  if (swallowed !== undefined) {
    return `error: npm took --${swallowed} for itself: write it after --, as in npm run deploy -- --${swallowed} …\n\n${USAGE}`
  }
  const ofCdk: string[] = []
  let configFile: string | undefined
  let isAsked = true
  const left = [...args]
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '--help' || arg === '-h') return USAGE
    if (arg === '--yes') isAsked = false
    else if (arg === '--config' || arg.startsWith('--config=')) {
      configFile = arg === '--config' ? left.shift() : arg.slice('--config='.length)
      if (configFile === undefined || configFile === '') return `error: --config: expected a file\n\n${USAGE}`
    } else if (arg.endsWith('.json') && !ofCdk.at(-1)?.startsWith('--')) {
      // The CDK would pass over it, and treasury.json would be deployed in its place.
      return `error: ${arg}: expected --config before it\n\n${USAGE}`
    } else ofCdk.push(arg)
  }
  const variables = Object.entries(PLACES).flatMap(([option, variable]) => {
    const value = argumentOf(ofCdk, option)
    return value === undefined ? [] : [[variable, value] as const]
  })
  return { configFile, isAsked, ofCdk, variables: Object.fromEntries(variables) }
}

/** As `--profile live`, or `--profile=live`. */
function argumentOf(args: readonly string[], option: string): string | undefined {
  const at = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`))
  return args[at] === option ? args[at + 1] : args[at]?.slice(option.length + 1)
}

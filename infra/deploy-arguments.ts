// The arguments of `npm run deploy`: its own, and all others, which are the CDK's. Pure.

export interface DeployArguments {
  readonly configFile: string | undefined
  readonly isAsked: boolean
  readonly ofCdk: readonly string[]
}

const USAGE = `Example: npm run deploy -- --config live-treasury.json

Shows what the file changes against what is deployed, asks, and deploys all stacks.
  --config FILE  configuration (default: treasury.json)
  --yes          do not ask
All other arguments go to cdk deploy.`

/** What to tell the person, where there is nothing to deploy. */
export function readDeployArguments(args: readonly string[]): DeployArguments | string {
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
    } else ofCdk.push(arg)
  }
  return { configFile, isAsked, ofCdk }
}

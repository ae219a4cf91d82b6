// `npm run deploy`: shows what treasury.json (or `--config FILE`) changes against the deployment, asks, and lets the
// CDK deploy all stacks with the other arguments. After a failure it says what to do next, because the CDK's own last
// line often does not. Must not read the CDK's output: the CDK asks on the terminal.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { DEFAULT_TREASURY_FILE } from '../../core/treasury/config.ts'
import { nextAfterDeploy, nextAfterFailedDeploy } from './advice.ts'
import { type DeployArguments, deployCommandOf, readDeployArguments } from './arguments.ts'
import { askListener } from './ask-listener.ts'

const ExitCode = { Done: 0, Failed: 1, Usage: 2, Interrupted: 130 } as const
const SLUICE = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
const CDK = path.join(path.dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json')), 'bin', 'cdk')

const tell = (line: string) => process.stderr.write(`${line}\n`)

async function deploy(args: readonly string[]): Promise<number> {
  const read = readDeployArguments(args, process.env)
  if (typeof read === 'string') {
    tell(read)
    return ExitCode.Usage
  }
  // The CDK starts synth.ts with this process's variables.
  if (read.configFile !== undefined) process.env.SLUICE_CONFIG = read.configFile
  Object.assign(process.env, read.variables)
  const listener = await settleListener(read)
  const agreed = listener === ExitCode.Done ? await agree(read.isAsked) : listener
  if (agreed !== ExitCode.Done) {
    tell('nothing was deployed')
    return agreed
  }
  const code = await run([CDK, ...deployCommandOf(read)])
  if (code === ExitCode.Done) tell(nextAfterDeploy(read.configFile))
  else {
    const hasFiles = ['credentials', 'config'].some((file) => existsSync(path.join(homedir(), '.aws', file)))
    for (const line of nextAfterFailedDeploy(process.env, hasFiles)) tell(line)
  }
  return code
}

/** Done, or the reason why nothing is deployed. `isAsked`: false with --yes. The CDK asks its own questions too. */
async function agree(isAsked: boolean): Promise<number> {
  const diff = await run([SLUICE, 'setup', 'diff', '--aws'])
  if (diff === ExitCode.Usage || diff === ExitCode.Interrupted) return diff
  if (diff !== ExitCode.Done) tell('so the changes are not known: this is a first deployment, or AWS was not reached')
  if (!isAsked) return ExitCode.Done
  if (!process.stdin.isTTY) {
    tell('there is no terminal to ask on: add --yes if the changes above are what you want')
    return ExitCode.Failed
  }
  const answer = await onTerminal((ask) => ask.question('deploy this configuration? [y/N] '))
  if (answer === undefined) return ExitCode.Interrupted
  return /^y(es)?$/i.test(answer) ? ExitCode.Done : ExitCode.Failed
}

/** Settles who receives alarms: asks where a terminal exists, and reports otherwise. */
async function settleListener({ configFile, isAsked }: DeployArguments): Promise<number> {
  const file = configFile ?? (process.env.SLUICE_CONFIG || DEFAULT_TREASURY_FILE)
  if (!isAsked || !process.stdin.isTTY) {
    await askListener({ file, terminal: undefined, tell })
    return ExitCode.Done
  }
  const isDone = await onTerminal(async (terminal) => {
    await askListener({ file, terminal, tell })
    return true
  })
  return isDone === undefined ? ExitCode.Interrupted : ExitCode.Done
}

type Ask = Pick<Interface, 'question'>

/** Returns `undefined` after Ctrl-C or Ctrl-D, which mean no. Without this a question would never end. */
async function onTerminal<Result>(act: (ask: Ask) => Promise<Result>): Promise<Result | undefined> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const refused = new AbortController()
  asking.once('SIGINT', () => refused.abort()).once('close', () => refused.abort())
  try {
    return await act({ question: (query: string) => asking.question(query, { signal: refused.signal }) })
  } catch (error) {
    if (refused.signal.aborted) return undefined
    throw error
  } finally {
    asking.close()
  }
}

function run(args: readonly string[]): Promise<number> {
  // The child has the credentials of a deployment, so no debugger may open in it.
  const child = spawn(process.execPath, ['--disable-sigusr1', ...args], { stdio: 'inherit' })
  return new Promise((resolve) => {
    child.on('error', () => resolve(ExitCode.Failed))
    // A signal ended it (no code): somebody wants no deployment.
    child.on('close', (code) => resolve(code ?? ExitCode.Interrupted))
  })
}

// Ctrl-C reaches the CDK too, and ends it.
process.on('SIGINT', () => undefined)
process.exitCode = await deploy(process.argv.slice(2))

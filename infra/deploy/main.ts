// `npm run deploy`: shows what treasury.json (or `--config FILE`) changes against the deployment, asks, and lets the
// CDK deploy all stacks with the other arguments. It stops where the changes cannot be known. After a failure it says
// what to do next, because the CDK's own last line often does not. Must not read the CDK's output: the CDK asks on the
// terminal.
import { execFile, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { commit, deployer } from '../../core/contract/deployment.ts'
import { Environment } from '../../core/contract/environment.ts'
import { DEFAULT_TREASURY_FILE } from '../../core/treasury/config.ts'
import { brokenRules, forgetBrokenRules } from '../broken-rules.ts'
import { nextAfterDeploy, nextAfterFailedDeploy } from './advice.ts'
import { type DeployArguments, deployCommandOf, readDeployArguments } from './arguments.ts'
import { askListener } from './ask-listener.ts'

/** Milliseconds for Git, and for STS. */
const TIMEOUT_MS = 10_000

/** The variables of the two claims. Values that a person or a pipeline has set stay. */
async function claimOf(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const { [Environment.DeployedBy]: by, [Environment.DeployedCommit]: source } = variables
  const [caller, head] = await Promise.all([by || findCaller(), source || findCommit()])
  return {
    ...(caller !== undefined && { [Environment.DeployedBy]: caller }),
    ...(head !== undefined && { [Environment.DeployedCommit]: head }),
  }
}

async function findCaller(): Promise<string | undefined> {
  const client = new STSClient({ requestHandler: { requestTimeout: TIMEOUT_MS, connectionTimeout: TIMEOUT_MS } })
  try {
    const { Arn } = await client.send(new GetCallerIdentityCommand({}))
    return deployer.safeParse(Arn).data
  } catch {
    return undefined
  } finally {
    client.destroy()
  }
}

async function findCommit(): Promise<string | undefined> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { timeout: TIMEOUT_MS })).stdout.trim()
  try {
    const head = await git('rev-parse', 'HEAD')
    const changed = await git('status', '--porcelain')
    return commit.safeParse(changed === '' ? head : `${head}-dirty`).data
  } catch {
    return undefined
  }
}

/** The same codes as in place/exit-code.ts. */
const ExitCode = { Done: 0, Failed: 1, Usage: 2, NothingDeployed: 8, Interrupted: 130 } as const
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
  const agreed = await agree(read)
  if (agreed !== ExitCode.Done) {
    tell('nothing was deployed')
    return agreed
  }
  Object.assign(process.env, await claimOf(process.env))
  forgetBrokenRules(read.outDir)
  const code = await run([CDK, ...deployCommandOf(read)])
  const isDone = code === ExitCode.Done
  for (const line of isDone ? [nextAfterDeploy(read.configFile)] : nextAfterFailedDeploy(brokenRules(read.outDir)))
    tell(line)
  return code
}

/** Done, or the reason why nothing is deployed. The CDK asks its own questions too. */
async function agree(read: DeployArguments): Promise<number> {
  const shown = await showChanges(read.isFirst)
  if (!isShown(shown)) return shown
  const listener = await settleListener(read)
  if (listener === undefined) return ExitCode.Interrupted
  const known = listener.isChanged ? await showChanges(read.isFirst) : shown
  if (!isShown(known)) return known
  const isFirst = known === ExitCode.NothingDeployed
  if (!read.isAsked) {
    if (!isFirst || read.isFirst) return ExitCode.Done
    tell('--yes: no changes could be shown, as nothing is deployed yet: add --first if this is the first deployment')
    return ExitCode.Failed
  }
  if (!process.stdin.isTTY) {
    tell('there is no terminal to ask on: add --yes if the changes above are what you want')
    return ExitCode.Failed
  }
  const what = isFirst ? 'make the first deployment of this configuration' : 'deploy this configuration'
  const answer = await onTerminal((ask) => ask.question(`${what}? [y/N] `))
  if (answer === undefined) return ExitCode.Interrupted
  return /^y(es)?$/i.test(answer) ? ExitCode.Done : ExitCode.Failed
}

/** `isFirst`: that nothing is deployed yet is expected, and no error to show. */
async function showChanges(isFirst: boolean): Promise<number> {
  const told: string[] = []
  const code = await run([SLUICE, 'setup', 'diff', '--aws'], isFirst ? (text) => told.push(text) : undefined)
  if (code === ExitCode.NothingDeployed && isFirst) tell('nothing is deployed yet: this is the first deployment')
  else process.stderr.write(told.join(''))
  return code
}

/** Without credentials, a region or an answer the changes are not known, and the diff has said why. */
const isShown = (code: number) => code === ExitCode.Done || code === ExitCode.NothingDeployed

/** Settles who receives alarms: asks where a terminal exists, and reports otherwise. Undefined after Ctrl-C. */
async function settleListener({
  configFile,
  isAsked,
}: DeployArguments): Promise<{ readonly isChanged: boolean } | undefined> {
  const file = configFile ?? (process.env.SLUICE_CONFIG || DEFAULT_TREASURY_FILE)
  if (!isAsked || !process.stdin.isTTY) return { isChanged: await askListener({ file, terminal: undefined, tell }) }
  return onTerminal(async (terminal) => ({ isChanged: await askListener({ file, terminal, tell }) }))
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

/** `hear`: receives standard error in place of the terminal. */
function run(args: readonly string[], hear?: (text: string) => void): Promise<number> {
  // The child has the credentials of a deployment, so no debugger may open in it.
  const child = spawn(process.execPath, ['--disable-sigusr1', ...args], {
    stdio: ['inherit', 'inherit', hear === undefined ? 'inherit' : 'pipe'],
  })
  if (hear !== undefined) child.stderr?.setEncoding('utf8').on('data', hear)
  return new Promise((resolve) => {
    child.on('error', () => resolve(ExitCode.Failed))
    // A signal ended it (no code): somebody wants no deployment.
    child.on('close', (code) => resolve(code ?? ExitCode.Interrupted))
  })
}

// Ctrl-C reaches the CDK too, and ends it.
process.on('SIGINT', () => undefined)
process.exitCode = await deploy(process.argv.slice(2))

// `sluice deploy`: shows what treasury.json (or `--config FILE`) changes against the deployment, asks, and lets the
// CDK of this directory deploy all stacks with the other arguments. It stops where the changes cannot be known. After a
// failure it says what to do next, because the CDK's own last line often does not. Must not read the CDK's output: the CDK
// asks on the terminal.

import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { promisify } from 'node:util'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { commit, deployer } from '../../core/contract/deployment.ts'
import { Environment } from '../../core/contract/environment.ts'
import { brokenRules, forgetBrokenRules } from '../../infra/broken-rules.ts'
import { rootDir, type Variables } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { usageError } from '../../place/operation-error.ts'
import { configFileOf, Variable } from '../../place/settings.ts'
import { commandIn, deployCommand, verifyCommand } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { type DeployFlags, deployCommandOf, readDeployArguments } from './arguments.ts'
import { askListener } from './ask-listener.ts'

/** Milliseconds for Git, and for STS. */
const TIMEOUT_MS = 10_000

interface Deployment {
  readonly configFile: string
  readonly flags: DeployFlags
  readonly variables: Variables
  readonly context: CommandContext
}

/** @throws OperationError (exit 2) where this directory has no app of the CDK */
export async function deploy(args: readonly string[], flags: DeployFlags, context: CommandContext): Promise<ExitCode> {
  const { ofCdk, outDir, variables: ofPlace } = readDeployArguments(args, flags)
  const cdk = findCdk()
  const configFile = configFileOf(flags, context.variables)
  // The CDK starts the app with these variables.
  const variables = { ...context.variables, ...ofPlace, [Variable.config]: configFile }
  // Ctrl-C reaches the CDK and the comparison too, and ends them.
  const stay = () => undefined
  process.on('SIGINT', stay)
  try {
    const agreed = await agree({ configFile, flags, variables, context })
    if (agreed !== ExitCode.Done) {
      context.output.note('nothing was deployed')
      return agreed
    }
    forgetBrokenRules(outDir)
    const code = await run([cdk, ...deployCommandOf({ ofCdk })], { ...variables, ...(await claimOf(variables)) })
    const isDone = code === ExitCode.Done
    const lines = isDone ? [nextAfterDeploy(flags.config)] : nextAfterFailedDeploy(brokenRules(outDir), flags.config)
    for (const line of lines) context.output.note(line)
    return code
  } finally {
    process.off('SIGINT', stay)
  }
}

/** The variables of the two claims. Values that a person or a pipeline has set stay. */
async function claimOf(variables: Variables): Promise<Variables> {
  const { [Environment.DeployedBy]: by, [Environment.DeployedCommit]: source } = variables
  const [caller, head] = await Promise.all([by || findCaller(variables), source || findCommit()])
  return {
    ...(caller !== undefined && { [Environment.DeployedBy]: caller }),
    ...(head !== undefined && { [Environment.DeployedCommit]: head }),
  }
}

async function findCaller({ AWS_PROFILE: profile, AWS_REGION: region }: Variables): Promise<string | undefined> {
  const place = { ...(profile && { profile }), ...(region && { region }) }
  const client = new STSClient({
    ...place,
    requestHandler: { requestTimeout: TIMEOUT_MS, connectionTimeout: TIMEOUT_MS },
  })
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

/** The CDK's command, from the packages of this directory. @throws OperationError (exit 2) */
function findCdk(): string {
  if (!existsSync('cdk.json'))
    throw usageError('usage', 'expected a cdk.json in this directory', commandIn('setup repository DIR', {}))
  try {
    const manifest = createRequire(path.resolve('package.json')).resolve('aws-cdk/package.json')
    return path.join(path.dirname(manifest), 'bin', 'cdk')
  } catch {
    throw usageError('usage', 'aws-cdk is not installed in this directory', 'npm ci')
  }
}

/** Done, or the reason why nothing is deployed. The CDK asks its own questions too. */
async function agree(deployment: Deployment): Promise<ExitCode> {
  const { context, flags } = deployment
  const { output, stdin } = context
  const shown = await showChanges(deployment)
  if (!isShown(shown)) return shown
  const listener = await settleListener(deployment)
  if (listener === undefined) return ExitCode.Interrupted
  const known = listener.isChanged ? await showChanges(deployment) : shown
  if (!isShown(known)) return known
  const isFirst = known === ExitCode.NothingDeployed
  if (flags.yes) {
    if (!isFirst || flags.first) return ExitCode.Done
    output.note(
      '--yes: no changes could be shown, as nothing is deployed yet: add --first if this is the first deployment',
    )
    return ExitCode.Failed
  }
  if (!stdin.isTTY) {
    output.note('there is no terminal to ask on: add --yes if the changes above are what you want')
    return ExitCode.Failed
  }
  const what = isFirst ? 'make the first deployment of this configuration' : 'deploy this configuration'
  const answer = await onTerminal((ask) => ask.question(`${what}? [y/N] `))
  if (answer === undefined) return ExitCode.Interrupted
  return /^y(es)?$/i.test(answer) ? ExitCode.Done : ExitCode.Failed
}

/** With --first, that nothing is deployed yet is expected, and no error to show. */
async function showChanges({ context: { output }, flags: { first }, variables }: Deployment): Promise<ExitCode> {
  const told: string[] = []
  const command = [path.join(rootDir, 'bin/sluice.cjs'), 'setup', 'diff', '--aws']
  const code = await run(command, variables, first && ((text) => told.push(text)))
  if (code === ExitCode.NothingDeployed && first) output.note('nothing is deployed yet: this is the first deployment')
  else process.stderr.write(told.join(''))
  return code
}

/** Without credentials, a region or an answer the changes are not known, and the diff has said why. */
const isShown = (code: ExitCode) => code === ExitCode.Done || code === ExitCode.NothingDeployed

/** Settles who receives alarms: asks where a terminal exists, and reports otherwise. Undefined after Ctrl-C. */
async function settleListener({
  configFile: file,
  context,
  flags,
}: Deployment): Promise<{ readonly isChanged: boolean } | undefined> {
  const tell = (line: string) => context.output.note(line)
  if (flags.yes || !context.stdin.isTTY) return { isChanged: await askListener({ file, terminal: undefined, tell }) }
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
function run(args: readonly string[], env: Variables, hear?: (text: string) => void): Promise<ExitCode> {
  // The child has the credentials of a deployment, so no debugger may open in it.
  const child = spawn(process.execPath, ['--disable-sigusr1', ...args], {
    stdio: ['inherit', 'inherit', hear === undefined ? 'inherit' : 'pipe'],
    env,
  })
  if (hear !== undefined) child.stderr?.setEncoding('utf8').on('data', hear)
  return new Promise((resolve) => {
    child.on('error', () => resolve(ExitCode.Failed))
    // A signal ended it (no code): somebody wants no deployment.
    child.on('close', (code) => resolve((code ?? ExitCode.Interrupted) as ExitCode))
  })
}

/** Advice after a success. The schedules of a first deployment wait until its keys are verified. */
export function nextAfterDeploy(config: string | undefined): string {
  return `next:  ${verifyCommand(config)}   # does it work? until its keys are verified, schedules start nothing`
}

/** Advice after a failure of the CDK. `broken`: rules that the templates break, for which it deploys nothing. */
export function nextAfterFailedDeploy(broken: readonly string[], config: string | undefined): readonly string[] {
  if (broken.length > 0)
    return [
      'nothing was deployed, because the templates break a rule that each deployment keeps:',
      ...broken.map((rule) => `       ${rule}`),
      'next:  report it with the lines above, unless you have changed infra/ yourself',
    ]
  // AWS has answered before, so credentials and a region are there.
  const given = config === undefined ? {} : { config }
  return [
    `next:  what would prevent it: ${commandIn('setup doctor --aws --before-deploy', given)}`,
    '       once for each account and region: npx cdk bootstrap',
    // The CDK protects the stack before it creates it. When the creation fails, it cannot delete the stack.
    '       a stack "cannot be deleted while TerminationProtection is enabled", after its first creation has failed:',
    '       aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name SluiceState',
    '       (in an environment, ENVIRONMENT-SluiceState; the journal is protected by itself)',
    `       then: ${deployCommand(config)}`,
  ]
}

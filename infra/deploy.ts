// `npm run deploy`: shows what treasury.json, or `--config FILE`, changes against what is deployed, asks, and lets the CDK
// deploy all stacks with the other arguments that are given. Where that fails, this says what to do next, because the CDK's
// own last line often does not. Must not read what the CDK prints: it asks on the terminal.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { nextAfterDeploy, nextAfterFailedDeploy } from './deploy-advice.ts'
import { deployCommandOf, readDeployArguments } from './deploy-arguments.ts'

const ExitCode = { Done: 0, Failed: 1, Usage: 2, Interrupted: 130 } as const
const SLUICE = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
const CDK = path.join(path.dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json')), 'bin', 'cdk')

const tell = (line: string) => process.stderr.write(`${line}\n`)

async function deploy(args: readonly string[]): Promise<number> {
  const read = readDeployArguments(args, process.env)
  if (typeof read === 'string') {
    tell(read)
    return ExitCode.Usage
  }
  // The CDK starts synth.ts with the variables of this process.
  if (read.configFile !== undefined) process.env.SLUICE_CONFIG = read.configFile
  Object.assign(process.env, read.variables)
  const agreed = await agree(read.isAsked)
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

/** Done, or why nothing is deployed. `isAsked`: false with --yes. The CDK asks its own questions besides. */
async function agree(isAsked: boolean): Promise<number> {
  const shown = await run([SLUICE, 'diff', '--aws'])
  if (shown === ExitCode.Usage || shown === ExitCode.Interrupted) return shown
  if (shown !== ExitCode.Done)
    tell(
      'so what changes is not known: this is a first deployment, or one over a release of before 0.3, or AWS was not reached',
    )
  if (!isAsked) return ExitCode.Done
  if (!process.stdin.isTTY) {
    tell('nobody can be asked here: add --yes, where what was shown above is what you want')
    return ExitCode.Failed
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and Ctrl-D are a no: without this the question would never be answered.
  const refused = new AbortController()
  asking.once('SIGINT', () => refused.abort()).once('close', () => refused.abort())
  try {
    const answer = await asking.question('deploy this configuration? [y/N] ', { signal: refused.signal })
    return /^y(es)?$/i.test(answer) ? ExitCode.Done : ExitCode.Failed
  } catch {
    return ExitCode.Interrupted
  } finally {
    asking.close()
  }
}

function run(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  return new Promise((resolve) => {
    child.on('error', () => resolve(ExitCode.Failed))
    // Without a code it was ended by a signal: somebody wants no deployment.
    child.on('close', (code) => resolve(code ?? ExitCode.Interrupted))
  })
}

// Ctrl-C reaches the CDK, too, which then ends by itself.
process.on('SIGINT', () => undefined)
process.exitCode = await deploy(process.argv.slice(2))

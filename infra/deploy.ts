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
import { nextAfterFailedDeploy } from './deploy-advice.ts'
import { deployCommandOf, readDeployArguments } from './deploy-arguments.ts'

const ExitCode = { Done: 0, Failed: 1, Usage: 2 } as const
const SLUICE = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
const CDK = path.join(path.dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json')), 'bin', 'cdk')

const tell = (line: string) => process.stderr.write(`${line}\n`)

async function deploy(args: readonly string[]): Promise<number> {
  const read = readDeployArguments(args)
  if (typeof read === 'string') {
    tell(read)
    return ExitCode.Usage
  }
  // The CDK starts synth.ts with the variables of this process.
  if (read.configFile !== undefined) process.env.SLUICE_CONFIG = read.configFile
  Object.assign(process.env, read.variables)
  if (!(await isAgreed(read.isAsked))) {
    tell('nothing was deployed')
    return ExitCode.Failed
  }
  const code = await run([CDK, ...deployCommandOf(read)])
  if (code !== ExitCode.Done) {
    const hasFiles = ['credentials', 'config'].some((file) => existsSync(path.join(homedir(), '.aws', file)))
    for (const line of nextAfterFailedDeploy(process.env, hasFiles)) tell(line)
  }
  return code
}

/** `isAsked`: false with --yes. Where nobody can answer, the difference is shown, and the CDK asks its own questions. */
async function isAgreed(isAsked: boolean): Promise<boolean> {
  const shown = await run([SLUICE, 'diff', '--aws'])
  if (shown === ExitCode.Usage) return false
  if (shown !== ExitCode.Done)
    tell(
      'so what changes is not known: this is a first deployment, or one over a release of before 0.3, or AWS was not reached',
    )
  if (!isAsked || !process.stdin.isTTY) return true
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and Ctrl-D are a no: without this the question would never be answered.
  const refused = new AbortController()
  asking.once('SIGINT', () => refused.abort()).once('close', () => refused.abort())
  try {
    const answer = await asking.question('deploy this configuration? [y/N] ', { signal: refused.signal })
    return /^y(es)?$/i.test(answer)
  } catch {
    return false
  } finally {
    asking.close()
  }
}

function run(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  return new Promise((resolve) => {
    child.on('error', () => resolve(ExitCode.Failed))
    child.on('close', (code) => resolve(code ?? ExitCode.Failed))
  })
}

// Ctrl-C reaches the CDK, too, which then ends by itself.
process.on('SIGINT', () => undefined)
process.exitCode = await deploy(process.argv.slice(2))

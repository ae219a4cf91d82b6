// Synthesizes the cloud assembly in a process of its own: the CDK takes seconds to load and
// hundreds of megabytes, which the run that follows need not carry.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { CommandError } from '../terminal/command-error.ts'
import { ExitCode } from '../terminal/exit-code.ts'

const TIMEOUT_MS = 120_000
/** Lines of the child's output that an error repeats. */
const TAIL_LINES = 12
const TAIL_BYTES = 16 * 1024

/** @throws CommandError (exit 1) with the end of what synthesis said. */
export function synthesizeInChild(rootDir: string, configFile: string, outDir: string): Promise<void> {
  const script = path.join(rootDir, 'infra', 'synth.ts')
  const child = spawn(process.execPath, [script, '--config', configFile, '--out', outDir], {
    cwd: rootDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    // `npm run synth` and CI validate the templates; here it would only cost time.
    env: { ...process.env, CDK_VALIDATION: 'false' },
  })
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-TAIL_BYTES)
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(synthError(error.message, tail)))
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(synthError(signal === null ? `exit code ${code}` : `ended by ${signal}`, tail))
    })
  })
}

function synthError(reason: string, tail: string): CommandError {
  const said = tail.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'synth_failed',
    message: `the cloud assembly could not be synthesized (${reason}); nothing was sent${said === '' ? '' : `\n${said}`}`,
    next: 'run `npm run synth` to see it fail on its own',
  })
}

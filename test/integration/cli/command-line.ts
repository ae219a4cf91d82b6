// Runs the real command line as a child process, as a person's shell does.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { onTestFinished } from 'vitest'

const rootDir = path.resolve(import.meta.dirname, '../../..')

export interface Ended {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  /** Resolves when standard error matches, rejects when the process ends first. */
  readonly seen: (pattern: RegExp) => Promise<void>
  /** The first line of standard output. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<Ended>
}

export interface RunOptions {
  readonly stdin?: string
  readonly variables?: Readonly<Record<string, string>>
}

export function startScript(script: string, args: readonly string[], options: RunOptions = {}): Running {
  const child = spawn(process.execPath, [path.join(rootDir, script), ...args], {
    cwd: rootDir,
    // Without this machine's own settings or colours.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.variables },
    stdio: 'pipe',
  })
  const written = { stdout: '', stderr: '' }
  const watchers = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      for (const watch of watchers) watch()
    })
  }
  // A command that fails at once has closed its input already.
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  const ended = once(child, 'close').then(([exitCode, signal]) => ({ exitCode, signal, ...written }) as Ended)
  const matched = async (name: keyof typeof written, pattern: RegExp) => {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray>()
    const watch = () => {
      const match = pattern.exec(written[name])
      if (match !== null) resolve(match)
    }
    watchers.add(watch)
    watch()
    const tooLate = ended.then(() =>
      Promise.reject(new Error(`ended without ${pattern}; its output:\n${written.stderr}`)),
    )
    return Promise.race([promise, tooLate])
  }
  const firstLine = matched('stdout', /^(.*)\n/).then(([, line]) => line ?? '')
  // Most tests do not wait for it, and a silent run must not fail them.
  firstLine.catch(() => {})
  return { child, ended, firstLine, seen: async (pattern) => void (await matched('stderr', pattern)) }
}

export function startSluice(args: readonly string[], options?: RunOptions): Running {
  return startScript('bin/sluice.cjs', args, options)
}

export function sluice(args: readonly string[], options?: RunOptions): Promise<Ended> {
  return startSluice(args, options).ended
}

/** A command that is killed after the test, before the folder of the test is removed. */
export function startForTest(args: readonly string[]): Running {
  const running = startSluice(args)
  onTestFinished(async () => {
    running.child.kill('SIGKILL')
    await running.ended
  })
  return running
}

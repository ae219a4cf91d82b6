// Runs `sluice` inside the test's process, with streams that record the output.

import { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runProgram } from '../../../cli/program.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import type { Variables } from '../../../place/context.ts'
import { type RecordedStream, recorded } from './terminal/recorded-stream.ts'

export interface EndedInProcess {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunningInProcess {
  readonly ended: Promise<EndedInProcess>
  /** Resolves when standard output matches; rejects when the command ends first. */
  readonly printed: (pattern: RegExp) => Promise<void>
  /** The same for standard error. */
  readonly seen: (pattern: RegExp) => Promise<void>
  /** The first line of standard output. */
  readonly firstLine: Promise<string>
  /** Standard output up to now. */
  readonly output: () => string
  /** Does what a person's Ctrl-C does. A `kill -9` needs a process of its own. */
  readonly interrupt: () => Promise<EndedInProcess>
}

/** `terminal` makes standard output a terminal; by default it is a pipe. `interruption` is what Ctrl-C aborts. */
export async function runInProcess(
  argv: readonly string[],
  variables: Variables = {},
  terminal: { readonly isTTY?: boolean; readonly columns?: number } = {},
  interruption: AbortSignal = new AbortController().signal,
): Promise<EndedInProcess> {
  return start(argv, variables, recorded(terminal), recorded(), interruption)
}

/** A command that runs beside others of the test, such as `serve` or `logs -f`. */
export function startInProcess(argv: readonly string[], variables: Variables = {}): RunningInProcess {
  const [stdout, stderr] = [recorded(), recorded()]
  const interruption = new AbortController()
  const ended = start(argv, variables, stdout, stderr, interruption.signal)
  const matched = async (stream: RecordedStream, pattern: RegExp): Promise<RegExpExecArray> => {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray>()
    const check = () => {
      const match = pattern.exec(stripVTControlCharacters(stream.text))
      if (match !== null) resolve(match)
    }
    const write = stream.write.bind(stream)
    stream.write = (...written: [chunk: never]) => {
      const isMore = write(...written)
      check()
      return isMore
    }
    check()
    const tooLate = ended.then((end) =>
      Promise.reject(new Error(`ended without ${pattern}; its output:\n${JSON.stringify(end)}`)),
    )
    return Promise.race([promise, tooLate])
  }
  const firstLine = matched(stdout, /^(.*)\n/).then(([, line]) => line ?? '')
  // Some tests never wait for it, and a silent command must not fail them.
  firstLine.catch(() => {})
  return {
    ended,
    printed: async (pattern) => void (await matched(stdout, pattern)),
    seen: async (pattern) => void (await matched(stderr, pattern)),
    firstLine,
    output: () => stdout.text,
    interrupt() {
      interruption.abort()
      return ended
    },
  }
}

async function start(
  argv: readonly string[],
  variables: Variables,
  stdout: RecordedStream,
  stderr: RecordedStream,
  interruption: AbortSignal,
): Promise<EndedInProcess> {
  const exitCode = await runProgram({
    argv,
    variables,
    stdin: Readable.from([]),
    stdout,
    output: createOutput({
      stdout,
      stderr,
      json: argv.includes('--json') || argv.includes('--jsonl'),
      term: undefined,
      argv,
    }),
    clock: systemClock,
    catchInterruption: () => interruption,
  })
  return { exitCode, stdout: stdout.text, stderr: stripVTControlCharacters(stderr.text) }
}

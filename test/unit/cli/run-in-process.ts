// Runs `sluice` inside the test's process, with streams that remember what was written.

import { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runProgram } from '../../../cli/program.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import type { Variables } from '../../../operations/context.ts'
import { type RecordedStream, recorded } from './terminal/recorded-stream.ts'

export interface EndedInProcess {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunningInProcess {
  readonly ended: Promise<EndedInProcess>
  /** Resolves when standard output matches; rejects when the command ends before. */
  readonly told: (pattern: RegExp) => Promise<void>
  /** The same of standard error. */
  readonly seen: (pattern: RegExp) => Promise<void>
  /** The first line of standard output. */
  readonly firstLine: Promise<string>
  /** Standard output up to now. */
  readonly output: () => string
  /** What a person's Ctrl-C does. Nothing in one process can be killed as `kill -9` does it: that needs a process. */
  readonly interrupt: () => Promise<EndedInProcess>
}

/** `terminal`: how standard output is one; by itself it is a pipe. `interruption`: what a person's Ctrl-C aborts. */
export async function runInProcess(
  argv: readonly string[],
  variables: Variables = {},
  terminal: { readonly isTTY?: boolean; readonly columns?: number } = {},
  interruption: AbortSignal = new AbortController().signal,
): Promise<EndedInProcess> {
  return start(argv, variables, recorded(terminal), recorded(), interruption)
}

/** A command that goes on beside others of the test, such as `serve` or `logs -f`. */
export function startInProcess(argv: readonly string[], variables: Variables = {}): RunningInProcess {
  const [stdout, stderr] = [recorded(), recorded()]
  const interruption = new AbortController()
  const ended = start(argv, variables, stdout, stderr, interruption.signal)
  const matched = async (stream: RecordedStream, pattern: RegExp): Promise<RegExpExecArray> => {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray>()
    const look = () => {
      const match = pattern.exec(stripVTControlCharacters(stream.text))
      if (match !== null) resolve(match)
    }
    const write = stream.write.bind(stream)
    stream.write = (...written: [chunk: never]) => {
      const isMore = write(...written)
      look()
      return isMore
    }
    look()
    const tooLate = ended.then((end) =>
      Promise.reject(new Error(`ended without ${pattern}; it said:\n${JSON.stringify(end)}`)),
    )
    return Promise.race([promise, tooLate])
  }
  const firstLine = matched(stdout, /^(.*)\n/).then(([, line]) => line ?? '')
  // Some tests never ask for it, and a command that prints nothing is no error of theirs.
  firstLine.catch(() => {})
  return {
    ended,
    told: async (pattern) => void (await matched(stdout, pattern)),
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
    }),
    clock: systemClock,
    catchInterruption: () => interruption,
  })
  return { exitCode, stdout: stdout.text, stderr: stripVTControlCharacters(stderr.text) }
}

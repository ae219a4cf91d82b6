// Runs `sluice` inside the test's process, with streams that remember what was written.
import { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runProgram } from '../../../cli/program.ts'
import type { Variables } from '../../../cli/terminal/context.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { recorded } from './terminal/recorded-stream.ts'

/** `terminal`: how standard output is one; by itself it is a pipe. `interruption`: what a person's Ctrl-C aborts. */
export async function runInProcess(
  argv: readonly string[],
  variables: Variables = {},
  terminal: { readonly isTTY?: boolean; readonly columns?: number } = {},
  interruption: AbortSignal = new AbortController().signal,
) {
  const stdout = recorded(terminal)
  const stderr = recorded()
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

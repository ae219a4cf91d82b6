// Lists all commands from their definitions, so that the table of a test is complete.
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { buildProgram } from '../../../cli/program.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { recorded } from './terminal/recorded-stream.ts'

export async function everyCommand(): Promise<readonly Command[]> {
  const stdout = recorded()
  const program = await buildProgram(
    {
      argv: [],
      variables: {},
      stdin: Readable.from([]),
      stdout,
      output: createOutput({ stdout, stderr: recorded(), json: false, term: undefined }),
      clock: systemClock,
      catchInterruption: () => new AbortController().signal,
    },
    () => {},
  )
  return below(program)
}

function below(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...below(one)])
}

/** Such as `run convert`. */
export function wordsOf(command: Command): string {
  const { parent } = command
  return parent?.parent == null ? command.name() : `${wordsOf(parent)} ${command.name()}`
}

// Runs a command for a page: the same function that the terminal runs, with what it prints kept instead of printed. So a
// page decides nothing that the command does not decide. Nobody can be asked: what lacks consent comes back as the
// question.
import { Writable } from 'node:stream'
import { ConsentMissing } from '../cli/terminal/consent.ts'
import type { CommandContext } from '../cli/terminal/context.ts'
import type { ExitCode } from '../operations/exit-code.ts'
import { operationErrorOf } from '../operations/operation-error.ts'
import { LIVE, liveText } from '../operations/words/live-words.ts'
import type { Captured } from '../views/pages/acted.ts'

/** A command says a few lines. One that says more is cut. */
const MOST_LINES = 500

export async function capture(
  context: CommandContext,
  command: (context: CommandContext) => Promise<ExitCode>,
): Promise<Captured> {
  const lines: string[] = []
  const notes: string[] = []
  const next: string[] = []
  const keep = (kept: string[]) => (line: string) => void (kept.length < MOST_LINES && kept.push(line))
  const quiet = new Writable({ write: (_chunk, _encoding, done) => done() })
  const captured: CommandContext = {
    ...context,
    argv: [],
    stdout: quiet,
    output: {
      json: true,
      data: keep(lines),
      note: keep(notes),
      live: (where) => keep(notes)(`${LIVE}  ${liveText(where)}`),
      failure: ({ message }) => keep(notes)(message),
      next: (commands) => next.push(...commands),
      style: (_style, text) => text,
      terminal: undefined,
    },
  }
  const said = () => ({ data: parsed(lines), notes, next })
  try {
    const exitCode = await command(captured)
    return { ended: 'done', exitCode, ...said() }
  } catch (error) {
    if (error instanceof ConsentMissing) return { ended: 'asks', question: error.question, ...said() }
    const { code, message, next: fix } = operationErrorOf(error)
    return { ended: 'refused', error: { code, message, next: fix }, ...said() }
  }
}

function parsed(lines: readonly string[]): unknown {
  try {
    return JSON.parse(lines.join('\n'))
  } catch {
    return undefined
  }
}

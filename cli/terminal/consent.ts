// What a person who decides is asked for: a name, a reason and consent. There is no prompt without a terminal, with
// --json or with --no-input. There a missing consent names its flag, and the command ends with exit 2.
import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { CommandError, usageError } from './command-error.ts'
import type { CommandContext, Variables } from './context.ts'
import { ExitCode } from './exit-code.ts'
import { printable } from './table.ts'

export interface ConsentFlags {
  /** Consent is given already. */
  readonly yes?: boolean
  /** False with --no-input: nobody is to be asked. */
  readonly input?: boolean
}

/** Flags of a command that records what a person decides: who decides, why, and with which consent. */
export interface DecisionFlags extends ConsentFlags {
  readonly because?: string
  readonly by?: string
}

/**
 * Asks a person a question such as `rename "a" to "b"?`, and returns only if the answer is yes.
 * @throws CommandError: exit 2 where nobody can be asked, exit 1 for a no, exit 130 for Ctrl-C
 */
export async function requireConsent(
  question: string,
  { yes, input }: ConsentFlags,
  { stdin, output }: Pick<CommandContext, 'stdin' | 'output'>,
): Promise<void> {
  if (yes === true) return
  const { terminal } = output
  if (input === false || terminal === undefined || (stdin as Readable & { isTTY?: boolean }).isTTY !== true) {
    throw usageError('usage', `--yes: expected consent to ${question}; got none, and nobody can be asked`, 'add --yes')
  }
  const lines = createInterface({ input: stdin, output: terminal })
  const asked = new AbortController()
  lines.once('SIGINT', () => asked.abort(interrupted()))
  // Ctrl-D is a no.
  lines.once('close', () => asked.abort(declined()))
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: asked.signal })
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw declined()
  } catch (error) {
    throw asked.signal.aborted ? asked.signal.reason : error
  } finally {
    lines.close()
  }
}

function declined(): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'declined',
    message: 'declined; nothing was changed',
    next: 'run the same command again and answer y, or add --yes',
  })
}

function interrupted(): CommandError {
  return new CommandError({
    exitCode: ExitCode.Interrupted,
    code: 'interrupted',
    message: 'interrupted; nothing was changed',
    next: 'run the same command again',
  })
}

const MOST_NAME_CHARS = 100
const MOST_REASON_CHARS = 500

/** The name that is given, or the user's name in the environment. @throws CommandError (exit 2) */
export function readName(given: string | undefined, variables: Variables): string {
  const name = given ?? variables.USER ?? variables.USERNAME ?? ''
  return readLine('--by', name, MOST_NAME_CHARS, 'add --by NAME')
}

/** @throws CommandError (exit 2) */
export function readReason(given: string | undefined): string {
  return readLine('--because', given ?? '', MOST_REASON_CHARS, "add --because 'what was seen, and where'")
}

function readLine(flag: string, text: string, mostChars: number, fix: string): string {
  if (text.trim() !== '' && text.length <= mostChars && text === printable(text)) return text
  const got = text === '' ? 'nothing' : 'another'
  throw usageError('usage', `${flag}: expected 1 to ${mostChars} printable characters; got ${got}`, fix)
}

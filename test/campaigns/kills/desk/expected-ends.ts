// Lists the exit codes with which a command that nobody killed may end, and why. Any other is a violation.
import type { EndedCommand } from './processes.ts'

/** `again`: a person runs the same command again. `over`: the command has its result. */
export type Verdict =
  | { readonly kind: 'over'; readonly result: string }
  | { readonly kind: 'again'; readonly code: string }
  | { readonly kind: 'unexpected'; readonly why: string }

/** Outcomes with exit 1 in which nothing moved, and never will. */
const ZERO_OUTCOMES: readonly string[] = ['PRICE_REFUSED', 'EXPIRED_OUT', 'REJECTED', 'FAILED', 'EXHAUSTED']

/**
 * Errors of `run` after which the same command is run again.
 * - `state_in_use` (exit 1): A desk held the directory for longer than 30 s and cannot serve this command. It lacks the
 * key for a withdrawal, or it shows its journal only.
 * - `id_in_use` (exit 1): Another client entered the same id between this client's check and its start.
 * - `in_doubt` (exit 3): One of these, where the journal shows an earlier send of the id. Its message begins with
 * theirs.
 */
const AGAIN: Readonly<Record<string, number>> = { state_in_use: 1, id_in_use: 1, in_doubt: 3 }
const MESSAGE_OF_AGAIN = /is in use by process|was started by another command meanwhile/

export function verdictOnRun({ exitCode, signal, stdout, stderr }: EndedCommand): Verdict {
  const { outcome } = (parse(stdout) ?? {}) as { readonly outcome?: string }
  if (exitCode === 0) {
    return outcome === undefined ? unexpected('exit 0 without a result') : { kind: 'over', result: stdout }
  }
  if (exitCode === 1 && outcome !== undefined && ZERO_OUTCOMES.includes(outcome))
    return { kind: 'over', result: stdout }
  if (outcome !== undefined) return unexpected(`exit ${exitCode} with ${stdout.trim()}`)
  const { code, message } = errorIn(stderr)
  if (exitCode !== null && AGAIN[code] === exitCode && MESSAGE_OF_AGAIN.test(message)) return { kind: 'again', code }
  return unexpected(`exit ${exitCode ?? signal}: ${stderr.trim().split('\n').at(-1)}`)
}

/**
 * Judges the end of a command that reads, halts or resumes: exit 0. `cases list` may also exit with 3 while a sent
 * intent has no desk for its execution. Any of them may exit with 1 and `state_in_use`, if another process held the
 * directory for more than 30 s without becoming ready.
 */
export function verdictOnRead(argv: readonly string[], { exitCode, signal, stdout, stderr }: EndedCommand): Verdict {
  if (exitCode === 0 || (exitCode === 3 && argv[0] === 'cases' && stdout !== '')) {
    return { kind: 'over', result: stdout }
  }
  const { code } = errorIn(stderr)
  if (exitCode === 1 && code === 'state_in_use') return { kind: 'again', code }
  return unexpected(`exit ${exitCode ?? signal}: ${stderr.trim().split('\n').at(-1)}`)
}

/** The one JSON object that `--json` prints when a command fails. */
function errorIn(stderr: string): { readonly code: string; readonly message: string } {
  const { error } = (parse(stderr) ?? {}) as { readonly error?: { readonly code: string; readonly message: string } }
  return error ?? { code: 'none', message: '' }
}

function unexpected(why: string): Verdict {
  return { kind: 'unexpected', why }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

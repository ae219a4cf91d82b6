// With which exit codes a command that nobody killed may end, and why. Any other is a violation.
import type { EndedCommand } from './processes.ts'

/** `again`: a person runs the same command again. `over`: it has said what there is to say. */
export type Verdict =
  | { readonly kind: 'over'; readonly result: string }
  | { readonly kind: 'again'; readonly code: string }
  | { readonly kind: 'unexpected'; readonly why: string }

/** Ends with exit 1 in which nothing moved, and never will. */
const ZERO_OUTCOMES: readonly string[] = ['PRICE_REFUSED', 'EXPIRED_OUT', 'REJECTED', 'FAILED', 'EXHAUSTED']

/**
 * Errors of `run` after which the same command is run again:
 * - `state_in_use` (exit 1): a command that will not do as its desk held the directory for longer than 30 s. That is a
 *   withdrawal for a conversion, whose key it does not have, and a command that shows its journal only.
 * - `id_in_use` (exit 1): another client has entered the same id between this one's look and its start.
 * - `in_doubt` (exit 3): one of these, where the journal says that the id was sent before. Its message begins with theirs.
 */
const AGAIN: Readonly<Record<string, number>> = { state_in_use: 1, id_in_use: 1, in_doubt: 3 }
const SAID_OF_AGAIN = /is in use by process|was started by another command meanwhile/

/** The end of `run`. */
export function verdictOnRun({ exitCode, signal, stdout, stderr }: EndedCommand): Verdict {
  const { outcome } = (parse(stdout) ?? {}) as { readonly outcome?: string }
  if (exitCode === 0) {
    return outcome === undefined ? unexpected('exit 0 without a result') : { kind: 'over', result: stdout }
  }
  if (exitCode === 1 && outcome !== undefined && ZERO_OUTCOMES.includes(outcome))
    return { kind: 'over', result: stdout }
  if (outcome !== undefined) return unexpected(`exit ${exitCode} with ${stdout.trim()}`)
  const { code, message } = errorIn(stderr)
  if (exitCode !== null && AGAIN[code] === exitCode && SAID_OF_AGAIN.test(message)) return { kind: 'again', code }
  return unexpected(`exit ${exitCode ?? signal}: ${stderr.trim().split('\n').at(-1)}`)
}

/**
 * The end of a command that looks, halts or resumes: exit 0. `cases list` ends with 3 as well, while an intent that was
 * sent has no desk on which its execution goes on. Any of them ends with 1 and `state_in_use`, where another process
 * held the directory for more than 30 s and was not ready by then.
 */
export function verdictOnLook(words: readonly string[], { exitCode, signal, stdout, stderr }: EndedCommand): Verdict {
  if (exitCode === 0 || (exitCode === 3 && words[0] === 'cases' && stdout !== '')) {
    return { kind: 'over', result: stdout }
  }
  const { code } = errorIn(stderr)
  if (exitCode === 1 && code === 'state_in_use') return { kind: 'again', code }
  return unexpected(`exit ${exitCode ?? signal}: ${stderr.trim().split('\n').at(-1)}`)
}

/** The one JSON object that `--json` prints where a command fails. */
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

// Who decides, and why: as it is written into the journal.

import type { Variables } from '../target/settings.ts'
import { usageError } from './command-error.ts'
import { printable } from './table.ts'

const MOST_NAME_CHARS = 100
const MOST_REASON_CHARS = 500

/** The name that is given, or the one by which the system knows the person. @throws CommandError (exit 2) */
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

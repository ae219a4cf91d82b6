// Checks who decides and why, before anything is asked or recorded. The flags of a command and the fields of a form
// have the same names, so an error names the flag.

import { asNotVerified } from '../core/contract/person.ts'
import { printable } from '../core/printable.ts'
import type { Variables } from './context.ts'
import { type Advice, advice, option } from './next-step.ts'
import { unfit } from './operation-error.ts'

const MOST_NAME_CHARS = 100
const MOST_REASON_CHARS = 500

/**
 * The given name, or else the user's name in the environment. It is marked, because nobody verifies it.
 * @throws OperationError (exit 2)
 */
export function readName(given: string | undefined, variables: Variables): string {
  const name = given ?? (variables.USER || variables.USERNAME || '')
  const fix =
    given === undefined && name === ''
      ? advice`add ${option('by')} NAME: this machine does not say who you are`
      : advice`add ${option('by')} NAME`
  return asNotVerified(readLine('by', name, MOST_NAME_CHARS, fix))
}

/** A person who decides. On AWS the called function records who it is. */
export interface Who {
  readonly by?: string
  readonly aws?: true
  /** With `aws`: bypasses the function that records who asked. */
  readonly directly?: true
}

/**
 * The person's name. Empty on AWS, where the called function takes it from the signature.
 * @throws OperationError (exit 2)
 */
export function readWho({ aws, by, directly }: Who, variables: Variables): string {
  if (aws !== true && directly === true)
    throw unfit('directly', advice`expected ${option('aws')} with it`, advice`add ${option('aws')}`)
  if (aws !== true || directly === true) return readName(by, variables)
  if (by === undefined) return ''
  const problem = advice`expected none with ${option('aws')}: the identity of the AWS credentials is recorded; got a name`
  throw unfit('by', problem, advice`leave ${option('by')} out`)
}

/**
 * The person who asks for a run, a plan or a check. Undefined on AWS, where the function knows the requester, and where this
 * machine does not know its user.
 * @throws OperationError (exit 2)
 */
export function findRequester({ aws, by, directly }: Who, variables: Variables): string | undefined {
  const given = by === undefined ? {} : { by }
  if (aws === true) return readWho({ aws, ...given }, variables) || undefined
  if (directly === true) return readWho({ directly }, variables)
  const isKnown = by !== undefined || Boolean(variables.USER || variables.USERNAME)
  return isKnown ? readWho(given, variables) : undefined
}

/** @throws OperationError (exit 2) */
export function readReason(given: string | undefined): string {
  return readLine(
    'because',
    given ?? '',
    MOST_REASON_CHARS,
    advice`add ${option('because')} 'what was seen, and where'`,
  )
}

function readLine(field: string, text: string, mostChars: number, fix: Advice): string {
  if (text.trim() !== '' && text.length <= mostChars && text === printable(text)) return text
  const got = text === '' ? 'nothing' : 'another'
  throw unfit(field, `expected 1 to ${mostChars} printable characters; got ${got}`, fix)
}

// What a person who decides is asked for: a name, a reason and consent. There is no prompt without a terminal, with
// --json or with --no-input. There a missing consent names its flag, and the command ends with exit 2.

import { asNotVerified } from '../../core/contract/person.ts'
import { printable } from '../../core/printable.ts'
import type { Variables } from '../../operations/context.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { OperationError, usageError } from '../../operations/operation-error.ts'
import type { CommandContext } from './context.ts'
import { findPerson, Unanswered } from './prompt.ts'

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

/** All was looked at that a person decides on, and nothing was written: what lacks is the yes to this question. */
export class ConsentMissing extends OperationError {
  readonly question: string

  constructor(question: string) {
    const message = `--yes: expected consent to ${question}; got none, and nobody can be asked`
    super({ exitCode: ExitCode.Usage, code: 'usage', message, next: 'add --yes' })
    this.question = question
  }
}

/**
 * Asks a person a question such as `rename "a" to "b"?`, and returns only if the answer is yes.
 * @throws OperationError: exit 2 where nobody can be asked, exit 1 for a no, exit 130 for Ctrl-C
 */
export async function requireConsent(
  question: string,
  { yes, input }: ConsentFlags,
  context: Pick<CommandContext, 'stdin' | 'output'>,
): Promise<void> {
  if (yes === true) return
  const person = input === false ? undefined : findPerson(context)
  if (person === undefined) {
    throw new ConsentMissing(question)
  }
  const answer = await person.line({ message: `${question} [y/N]` }).catch((error: unknown) => {
    if (!(error instanceof Unanswered)) throw error
    // Ctrl-D is a no.
    throw error.why === 'interrupted' ? interrupted() : declined()
  })
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw declined()
}

function declined(): OperationError {
  return new OperationError({
    exitCode: ExitCode.Failed,
    code: 'declined',
    message: 'declined; nothing was changed',
    next: 'run the same command again and answer y, or add --yes',
  })
}

function interrupted(): OperationError {
  return new OperationError({
    exitCode: ExitCode.Interrupted,
    code: 'interrupted',
    message: 'interrupted; nothing was changed',
    next: 'run the same command again',
  })
}

const MOST_NAME_CHARS = 100
const MOST_REASON_CHARS = 500

/** The name that is given, or the user's name in the environment, marked: nobody checks either. @throws OperationError (exit 2) */
export function readName(given: string | undefined, variables: Variables): string {
  const name = given ?? (variables.USER || variables.USERNAME || '')
  const fix =
    given === undefined && name === '' ? 'add --by NAME: this machine does not say who you are' : 'add --by NAME'
  return asNotVerified(readLine('--by', name, MOST_NAME_CHARS, fix))
}

/** Flags of a command whose word on AWS is recorded by the function that it asks. */
interface WhoFlags {
  readonly by?: string
  readonly aws?: true
  readonly directly?: true
}

/** Who says it. Empty on AWS: there the function that is asked says it, by the signature. @throws OperationError (exit 2) */
export function readWho({ aws, by, directly }: WhoFlags, variables: Variables): string {
  if (aws !== true && directly === true) throw usageError('usage', '--directly: expected --aws with it', 'add --aws')
  if (aws !== true || directly === true) return readName(by, variables)
  if (by === undefined) return ''
  const message = '--by: expected none with --aws: the identity of the AWS credentials is recorded; got a name'
  throw usageError('usage', message, 'leave --by out')
}

/** @throws OperationError (exit 2) */
export function readReason(given: string | undefined): string {
  return readLine('--because', given ?? '', MOST_REASON_CHARS, "add --because 'what was seen, and where'")
}

function readLine(flag: string, text: string, mostChars: number, fix: string): string {
  if (text.trim() !== '' && text.length <= mostChars && text === printable(text)) return text
  const got = text === '' ? 'nothing' : 'another'
  throw usageError('usage', `${flag}: expected 1 to ${mostChars} printable characters; got ${got}`, fix)
}

// Asks a person at the terminal for consent. Without a terminal, with --json or with --no-input there is no prompt. A missing
// consent then names its flag, and the command ends with exit 2.

import { ExitCode } from '../../place/exit-code.ts'
import { failedWith, OperationError, unfit } from '../../place/operation-error.ts'
import type { CommandContext } from './context.ts'
import { findPerson, Unanswered } from './prompt.ts'

export interface ConsentFlags {
  readonly yes?: boolean
  /** False with --no-input: nobody may be asked. */
  readonly input?: boolean
}

/** Flags of a command that records a person's decision: who decides, why, and the consent. */
export interface DecisionFlags extends ConsentFlags {
  readonly because?: string
  readonly by?: string
}

/**
 * Asks a person a question such as `rename "a" to "b"?`. Returns only for a yes.
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
    const problem = `expected consent to ${question}; got none, and nobody can be asked`
    throw unfit('yes', problem, 'add --yes')
  }
  const answer = await person.line({ message: `${question} [y/N]` }).catch((error: unknown) => {
    if (!(error instanceof Unanswered)) throw error
    // Ctrl-D is a no.
    throw error.why === 'interrupted' ? interrupted() : declined()
  })
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw declined()
}

function declined(): OperationError {
  return failedWith(
    'declined',
    'declined; nothing was changed',
    'run the same command again and answer y, or add --yes',
  )
}

function interrupted(): OperationError {
  return new OperationError({
    exitCode: ExitCode.Interrupted,
    code: 'interrupted',
    message: 'interrupted; nothing was changed',
    next: 'run the same command again',
  })
}

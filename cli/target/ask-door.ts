// Asks a function that asks back, until it has recorded the word of a person who has said yes to its question. What the
// person saw goes with the word by its hash: where the facts have changed meanwhile, the function asks anew.
import type { Consent } from '../../operations/consent.ts'
import type { AsksAnswer } from '../../core/contract/people.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import { CommandError } from '../terminal/command-error.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printable } from '../terminal/printable.ts'

/** With --yes nobody is asked, and the facts may still change between a question and its yes. */
const MOST_QUESTIONS = 3

/** @throws what `ask` and `consent` throw; CommandError (exit 1) where the facts change each time */
export async function askDoor<Answer extends { readonly outcome: string }>(
  ask: (agreed: { readonly agreed?: string }) => Promise<Answer | AsksAnswer>,
  consent: Consent,
): Promise<Answer> {
  let answer = await ask({})
  for (let questions = 0; isQuestion(answer); questions += 1) {
    if (questions === MOST_QUESTIONS) throw changing()
    consent.to(printable(answer.question))
    answer = await ask({ agreed: questionHash(answer.question) })
  }
  return answer
}

function isQuestion(answer: { readonly outcome: string }): answer is AsksAnswer {
  return answer.outcome === 'ASKS'
}

function changing(): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'declined',
    message: 'what is asked has changed each time; nothing was changed',
    next: 'run the same command again',
  })
}

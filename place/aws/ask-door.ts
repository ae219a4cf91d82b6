// Asks a function that asks back, until it has recorded the decision of a person who agreed to its question. The hash
// of the question goes with the decision. If the facts have changed meanwhile, the function asks again.

import type { AsksAnswer } from '../../core/contract/people.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import { printable } from '../../core/printable.ts'
import type { Consent } from '../consent.ts'
import { failedWith, type OperationError } from '../operation-error.ts'

/** Maximum questions. With --yes nobody is asked, and the facts may still change between a question and its answer. */
const MOST_QUESTIONS = 3

/** @throws what `ask` and `consent` throw; OperationError (exit 1) where the facts change each time */
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

function changing(): OperationError {
  return failedWith('declined', 'the question has changed each time; nothing was changed', 'run the same command again')
}

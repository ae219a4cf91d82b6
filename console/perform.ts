// Does what a form asks for, and keeps its result and its notes for the page. Nobody can be asked: what lacks consent
// comes back as the question.

import { ConsentNeeded } from '../operations/consent.ts'
import type { OperationContext } from '../operations/context.ts'
import { operationErrorOf } from '../operations/operation-error.ts'
import type { Progress } from '../operations/progress.ts'
import { LIVE, liveText } from '../operations/words/live-words.ts'
import type { ActEnd, ActResult } from '../views/pages/acted.ts'
import { progressText } from '../views/text/progress-text.ts'
import type { ResultView } from '../views/told.ts'

/** An operation notes a few lines. More are not kept. */
const MOST_NOTES = 500

/** What an operation is given. */
export interface Given {
  readonly context: OperationContext
  /** Its lines are kept as notes, each with the time from this call on. */
  readonly beginProgress: () => Progress
}

/** What it came to, with what a view notes of that. */
export type Came = ActResult & Pick<ResultView, 'notes'>

export async function perform(context: OperationContext, operation: (given: Given) => Promise<Came>): Promise<ActEnd> {
  const notes: string[] = []
  const note = (line: string) => void (notes.length < MOST_NOTES && notes.push(line))
  const output = { note, live: (where: string) => note(`${LIVE}  ${liveText(where)}`) }
  const beginProgress = (): Progress => {
    const startMs = context.clock.nowMs()
    return {
      line: (line) => note(progressText(line, context.clock.nowMs() - startMs)),
      live: () => undefined,
      end: () => undefined,
    }
  }
  try {
    const came = await operation({ context: { ...context, output }, beginProgress })
    const { exitCode, facts, plan, audit } = came
    for (const line of came.notes) note(line)
    return { ended: 'done', exitCode, facts, ...(plan && { plan }), ...(audit && { audit }), notes }
  } catch (error) {
    if (error instanceof ConsentNeeded) return { ended: 'asks', question: error.question, notes }
    const { code, message, next } = operationErrorOf(error)
    return { ended: 'refused', error: { code, message, next }, notes }
  }
}

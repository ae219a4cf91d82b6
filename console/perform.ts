// Does what a form asks for, and keeps its result and its notes for the page. Nobody can be asked: what lacks consent
// comes back as the question.

import { ConsentNeeded } from '../operations/consent.ts'
import type { OperationContext } from '../operations/context.ts'
import type { ExitCode } from '../operations/exit-code.ts'
import { operationErrorOf } from '../operations/operation-error.ts'
import type { Progress } from '../operations/progress.ts'
import { LIVE, liveText } from '../operations/words/live-words.ts'
import type { Captured } from '../views/pages/acted.ts'
import { progressText } from '../views/text/progress-text.ts'
import type { Told } from '../views/told.ts'

/** An operation notes a few lines. More are not kept. */
const MOST_NOTES = 500

/** What an operation is given. */
export interface Given {
  readonly context: OperationContext
  readonly progress: Progress
}

/** What it came to, and how a command would end by it. */
export interface Came extends Pick<Told, 'facts' | 'notes'> {
  readonly exitCode: ExitCode
}

export async function perform(
  context: OperationContext,
  operation: (given: Given) => Promise<Came>,
): Promise<Captured> {
  const notes: string[] = []
  const note = (line: string) => void (notes.length < MOST_NOTES && notes.push(line))
  const output = { note, live: (where: string) => note(`${LIVE}  ${liveText(where)}`) }
  const startMs = context.clock.nowMs()
  const progress: Progress = {
    line: (line) => note(progressText(line, context.clock.nowMs() - startMs)),
    live: () => undefined,
    end: () => undefined,
  }
  try {
    const { exitCode, facts, notes: last } = await operation({ context: { ...context, output }, progress })
    last.forEach(note)
    return { ended: 'done', exitCode, data: facts, notes, next: [] }
  } catch (error) {
    if (error instanceof ConsentNeeded)
      return { ended: 'asks', question: error.question, data: undefined, notes, next: [] }
    const { code, message, next } = operationErrorOf(error)
    return { ended: 'refused', error: { code, message, next }, data: undefined, notes, next: [] }
  }
}

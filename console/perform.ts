// Runs the operation behind a form, and keeps its result and its notes for the page. Nobody can be asked here: an operation
// without consent ends with its question.

import { FaultyFile } from '../operations/payouts/payout-runs.ts'
import { serviceLine } from '../operations/words/service-words.ts'
import { ConsentNeeded } from '../place/consent.ts'
import type { OperationContext, Progress, UsedService } from '../place/context.ts'
import type { Advice, Spell } from '../place/next-step.ts'
import { operationErrorOf } from '../place/operation-error.ts'
import { actNote } from '../views/pages/act-note.ts'
import type { ActEnd, ActResult } from '../views/pages/acted.ts'
import type { ResultView } from '../views/result-view.ts'

/** Maximum notes kept. An operation writes a few. */
const MOST_NOTES = 500

export interface Given {
  readonly context: OperationContext
  /** Keeps its lines as notes, each with the time since this call. */
  readonly beginProgress: () => Progress
}

/** The result of an operation, with the notes of its view. */
export type Performed = ActResult & Pick<ResultView, 'notes'> & Partial<Pick<ResultView, 'lines'>>

/** A page has no columns, so a line stays whole. */
const WIDTH = 1_000

/** `notes` grows while the operation is under way, so that its page can show them meanwhile. */
export async function perform(
  context: OperationContext,
  spell: Spell,
  operation: (given: Given) => Promise<Performed>,
  notes: string[] = [],
): Promise<ActEnd> {
  const note = (line: Advice) => void (notes.length < MOST_NOTES && notes.push(spell(line)))
  const output = { note, service: (used: UsedService) => note(serviceLine(used).join('  ')) }
  const beginProgress = (): Progress => {
    const startMs = context.clock.nowMs()
    return {
      line: (line) => note(actNote(line, context.clock.nowMs() - startMs)),
      live: () => undefined,
      end: () => undefined,
    }
  }
  try {
    const performed = await operation({ context: { ...context, output }, beginProgress })
    const { exitCode, facts, see, plan, audit, groups } = performed
    const says = performed.says ?? onlyLine(performed.lines?.(WIDTH))
    for (const line of performed.notes) note(line)
    const shown = {
      ...(says !== undefined && { says }),
      ...(see !== undefined && { see }),
      ...(plan && { plan }),
      ...(audit && { audit }),
      ...(groups && { groups }),
    }
    return { ended: 'done', exitCode, facts, ...shown, notes }
  } catch (error) {
    if (error instanceof ConsentNeeded) return { ended: 'asks', question: error.question, yes: error.yes, notes }
    const { code, text, next } = operationErrorOf(error)
    const findings = error instanceof FaultyFile ? { findings: error.findings } : {}
    return { ended: 'refused', error: { code, message: spell(text), next }, ...findings, notes }
  }
}

/** A result of several lines has a page of its own. */
function onlyLine(lines: readonly string[] = []): string | undefined {
  return lines.length === 1 ? lines[0] : undefined
}

// Shows the result of a person's decision on a plan or on a movement, for terminal and page. Pure.

import { type Approval, RunEnd } from '../core/contract/runs.ts'
import { printable } from '../core/printable.ts'
import { reportOfRun } from '../core/runs/record/run-record.ts'
import type { Decided } from '../operations/runs/decide.ts'
import type { DecidedMovement } from '../operations/runs/decide-movement.ts'
import type { ResultView } from './result-view.ts'
import { policyRunWords } from './runs/policy-run-words.ts'
import { secondText } from './runs/report-sentences.ts'

export function viewOfDecision(decided: Decided): ResultView {
  const view = viewOfEnd(decided)
  if (decided.before === undefined) return view
  const { says, ...before } = decided.before
  return { ...view, facts: { ...view.facts, before }, notes: [says, ...view.notes] }
}

function viewOfEnd(decided: Decided): ResultView {
  switch (decided.end) {
    case 'movement decided':
      return viewOfMovement(decided.movement)
    case 'needs another person': {
      const { runId, approval } = decided.run
      const says = shortText(approval?.approvals ?? [], approval?.needed)
      return { facts: { runId, approval }, lines: () => [`${runId} has ${says}`], says, notes: [] }
    }
    case 'run ended': {
      const { request, result } = decided
      return {
        facts: result,
        lines: (width) => policyRunWords.lines(result, width),
        says: `${result.outcome}  ${policyRunWords.describe(result, request)}`,
        notes: heldNotes(result.outcome),
      }
    }
    case 'rejected': {
      const { run } = decided
      return { facts: reportOfRun(run), lines: () => [`${run.runId} is ${run.outcome}`], notes: [] }
    }
    case 'answered':
      return viewOfAnswer(decided)
    case 'decided before': {
      const { runId, approval, outcome } = decided.run
      return { facts: { runId, approval, outcome }, lines: () => [`${runId} is ${outcome}`], notes: [] }
    }
  }
}

/** Outcomes of an approved run that still waits, because something that passes stands against it. */
const HELD: ReadonlySet<string> = new Set([
  RunEnd.AwaitingApproval,
  RunEnd.Halted,
  RunEnd.Guarded,
  RunEnd.AlreadyRunning,
])

function heldNotes(outcome: string): readonly string[] {
  if (!HELD.has(outcome)) return []
  return ['the approval is recorded: the run continues by itself once nothing stands against it, and moved nothing yet']
}

function viewOfAnswer({ answer, runId }: Extract<Decided, { end: 'answered' }>): ResultView {
  const { outcome, by, approvals = [], needed, execution } = answer
  const next = outcome === 'APPROVED' ? 'continues' : 'is rejected, and ends'
  const short = shortText(approvals, needed)
  return {
    facts: { runId, ...answer },
    lines: () => [outcome === 'WAITS' ? `${runId} has ${short}` : `${runId} ${next}: ${execution}`],
    says: outcome === 'WAITS' ? short : `it ${next}`,
    notes: answer.before === undefined ? [`recorded in the name of ${printable(by)}`] : [],
  }
}

function shortText(given: NonNullable<Approval['approvals']>, needed: number | undefined): string {
  return `${given.length} of ${needed} approvals; ${secondText({ approvals: given })}another person must approve it`
}

function viewOfMovement({ decision, intentId, missing, why }: DecidedMovement): ResultView {
  const decided = missing > 0 ? 'waits' : decision
  const reason = why === undefined ? '' : `${why}; `
  const people = missing === 1 ? 'another person' : `${missing} other people`
  const says = missing > 0 ? `waits: ${reason}${people} must approve it` : decision
  return {
    facts: { intentId, decision: decided, missing, why },
    lines: () => [missing > 0 ? `${intentId} ${says}` : `${intentId} is ${says}`],
    says,
    notes: missing === 0 ? ['the movement checks again by itself, after 15 s to 5 min'] : [],
  }
}

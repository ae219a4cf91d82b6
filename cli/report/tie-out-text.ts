// Whether a run ties out, in one sentence. Pure.
import type { RunReport } from '../../core/contract/runs.ts'

export function tieOutText({ tiesOut, legs, endedAt }: Pick<RunReport, 'tiesOut' | 'legs' | 'endedAt'>): string {
  if (tiesOut === true) {
    return legs.length === 0
      ? 'Nothing was to move, and nothing did.'
      : 'Each leg that moved agrees with the fills of its order or the row of its withdrawal; what did not move has none.'
  }
  if (tiesOut === false) {
    return 'It does NOT tie out: a leg does not agree with what the service says of its movement. docs/runbook.md says what to do.'
  }
  return endedAt === undefined
    ? 'The run is not at its end: it is tied out when it is settled.'
    : 'The run ended before any leg began: there is nothing to tie out.'
}

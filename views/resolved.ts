// Shows the result of a person's resolution of an intent. Pure.

import { printable } from '../core/printable.ts'
import type { ResolvedIntent } from '../operations/cases/resolve-intent.ts'
import type { ResultView } from './result-view.ts'

export function viewOfResolution({ intentId, movementId, state, resolution }: ResolvedIntent): ResultView {
  return {
    facts: { intentId, state, ...(movementId !== undefined && { movementId }), resolution },
    lines: () => [
      `${intentId} is ${state}${movementId === undefined ? '' : ` with movement ${printable(movementId)}`}`,
    ],
    says: movementId === undefined ? 'settled: nothing moved' : `settled, with movement ${printable(movementId)}`,
    notes: [],
  }
}

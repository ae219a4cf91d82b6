// Tells of an intent in doubt that a person has decided on. Pure.

import { printable } from '../core/printable.ts'
import type { ResolvedIntent } from '../operations/cases/resolve-intent.ts'
import type { Told } from './told.ts'

export function toldOfResolution({ intentId, movementId, state, resolution }: ResolvedIntent): Told {
  return {
    facts: { intentId, state, ...(movementId !== undefined && { movementId }), resolution },
    lines: () => [
      `${intentId} is ${state}${movementId === undefined ? '' : ` with movement ${printable(movementId)}`}`,
    ],
    notes: [],
  }
}

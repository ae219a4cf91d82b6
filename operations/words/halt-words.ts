// Describes a halt, and names the step that lifts it. Pure.

import { createHash } from 'node:crypto'
import { BREAKER } from '../../core/contract/runs.ts'
import { EVERYTHING, type Halt } from '../../core/journal/halts.ts'
import { printable } from '../../core/printable.ts'
import type { Step } from '../../place/next-step.ts'

/** `everything`, or `policy core`. */
export function scopeText(scope: string): string {
  return scope === EVERYTHING ? 'everything' : `policy ${printable(scope)}`
}

/** `everything, by ada since 2026-01-31T00:00:00Z: an audit`. */
export function haltedText({ scope, by, because, at }: Halt): string {
  return `${scopeText(scope)}, by ${printable(by)} since ${at}: ${printable(because)}`
}

/** The halt of everything, or of the policy under any of its names. */
export function haltOf(
  halts: readonly Halt[],
  policy: string | undefined,
  names: readonly string[] = [],
): Halt | undefined {
  return halts.find(({ scope }) => scope === EVERYTHING || scope === policy || names.includes(scope))
}

export function resumeStep(scope: string): Step {
  return { do: 'resume', ...(scope !== EVERYTHING && { policy: scope }) }
}

/** Identifies one halt among all others, even of the same scope, for a page that a person has read some time ago. */
export function markOfHalt({ scope, by, because, at, trip }: Halt): string {
  return createHash('sha256')
    .update(JSON.stringify([scope, by, because, at, trip ?? null]))
    .digest('base64url')
}

export function isBreaker({ by }: Halt): boolean {
  return by === BREAKER
}

/** For the time after the first of two decisions to resume. */
export function waitsText(scope: string): string {
  return `${scopeText(scope)} stays halted: another person must resume it too, within 24 hours`
}

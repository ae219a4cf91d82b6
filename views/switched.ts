// Tells of a switch that was thrown: what is halted, or goes on, and what else still is halted. Pure.

import { EVERYTHING } from '../core/journal/halts.ts'
import { printable } from '../core/printable.ts'
import type { AllResumed } from '../operations/cases/resume-all.ts'
import type { Halted, Resumed } from '../operations/cases/switch-sending.ts'
import { haltedText, scopeText, waitsText } from '../operations/words/halt-words.ts'
import type { Told } from './told.ts'

export function toldOfHalt({ record, before, notHalted, isDirect }: Halted): Told {
  return {
    facts: {
      ...record,
      halted: true,
      ...(before[0] && { before: before[0] }),
      ...(notHalted !== undefined && { notHalted }),
    },
    lines: () => [`halted: ${scopeText(record.scope)}${notHalted === undefined ? '' : ' at the built-in sandbox'}`],
    notes: [
      ...before.filter(({ at }) => at !== record.at).map((halt) => `it was halted before: ${haltedText(halt)}`),
      ...(isDirect ? [directWord(record.by)] : []),
      'what is sent already goes on; what is not waits, until its own time runs out',
      ...(notHalted === undefined ? [] : [`NOT halted: ${notHalted}, whose records are in the same directory`]),
    ],
  }
}

export function toldOfResume({ record, wasHalted, isWaiting, still, isKnown, isDirect }: Resumed): Told {
  const waiting = isWaiting && { waitsForAnother: true }
  return {
    facts: { ...record, halted: isWaiting, wasHalted, ...waiting, stillHalted: still },
    lines: () => [isWaiting ? waitsText(record.scope) : resumedText(record.scope, wasHalted, still.length > 0)],
    notes: [
      ...(wasHalted && isDirect ? [directWord(record.by)] : []),
      ...still.map((halt) => `${wasHalted ? 'still halted' : 'halted'}: ${haltedText(halt)}`),
      ...(isKnown ? [] : ['whether anything else is halted was not found out']),
    ],
  }
}

export function toldOfResumeAll({ resumed, waits, failed, still, by, isDirect }: AllResumed): Told {
  const isChanged = resumed.length + waits.length > 0
  return {
    facts: { resumed, ...(waits.length > 0 && { waits }), failed, stillHalted: still ?? null },
    lines: () => [
      ...(isChanged || failed.length > 0 ? [] : ['nothing was resumed']),
      ...[...new Set(resumed.map(({ scope }) => scope))].map((scope) => `resumed: ${scopeText(scope)}`),
      ...[...new Set(waits.map(({ scope }) => scope))].map(waitsText),
    ],
    notes: [
      ...(isChanged && isDirect ? [directWord(by)] : []),
      ...failed.map(({ scope, why }) => `NOT resumed: ${scopeText(scope)}: ${why}`),
      ...(still ?? []).map((halt) => `still halted: ${haltedText(halt)}`),
      ...(still === undefined ? ['whether anything is still halted was not found out'] : []),
    ],
  }
}

/** Past the function nobody checks who says it: that is shown, and it is recorded so. */
function directWord(by: string): string {
  return `recorded as the word of ${printable(by)}`
}

function resumedText(scope: string, wasHalted: boolean, isOtherHalted: boolean): string {
  if (wasHalted) return `resumed: ${scopeText(scope)}`
  if (scope !== EVERYTHING) return `${scopeText(scope)} was not halted by itself; nothing was changed`
  return isOtherHalted ? 'there was no halt of everything; nothing was changed' : 'nothing was halted'
}

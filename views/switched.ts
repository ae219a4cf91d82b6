// Shows the result of a halt or a resume: what changed, and which halts remain. Pure.

import { outcomeText } from '../core/contract/outcome-names.ts'
import { RunEnd } from '../core/contract/runs.ts'
import { EVERYTHING } from '../core/journal/halts.ts'
import { printable } from '../core/printable.ts'
import type { Carried } from '../operations/cases/carry-on.ts'
import type { AllResumed } from '../operations/cases/resume-all.ts'
import type { Halted, Resumed } from '../operations/cases/switch-sending.ts'
import { haltedText, scopeText, waitsText } from '../operations/words/halt-words.ts'
import { namedRun } from '../operations/words/run-name.ts'
import { type Advice, advice } from '../place/next-step.ts'
import type { ResultView } from './result-view.ts'

export function viewOfHalt({ record, before, notHalted, isDirect }: Halted): ResultView {
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
      ...(isDirect ? [recordedNameText(record.by)] : []),
      'requests that were sent already continue; the others wait, until their own time runs out',
      ...(notHalted === undefined ? [] : [`NOT halted: ${notHalted}, whose records are in the same directory`]),
    ],
  }
}

export function viewOfResume({ record, wasHalted, isWaiting, still, isKnown, isDirect, decided }: Resumed): ResultView {
  const waiting = isWaiting && { waitsForAnother: true }
  return {
    facts: {
      ...record,
      halted: isWaiting,
      wasHalted,
      ...waiting,
      stillHalted: still,
      ...(decided.length > 0 && { decided: decided.map(({ runId }) => runId) }),
    },
    lines: () => [isWaiting ? waitsText(record.scope) : resumedText(record.scope, wasHalted, still.length > 0)],
    notes: [
      ...(wasHalted && isDirect ? [recordedNameText(record.by)] : []),
      ...still.map((halt) => `${wasHalted ? 'still halted' : 'halted'}: ${haltedText(halt)}`),
      ...(isKnown ? [] : ['whether anything else is halted is unknown']),
    ],
  }
}

export function viewOfResumeAll({ resumed, waits, failed, still, by, isDirect, decided }: AllResumed): ResultView {
  const isChanged = resumed.length + waits.length > 0
  return {
    facts: {
      resumed,
      ...(waits.length > 0 && { waits }),
      failed,
      stillHalted: still ?? null,
      ...(decided.length > 0 && { decided: decided.map(({ runId }) => runId) }),
    },
    lines: () => [
      ...(isChanged || failed.length > 0 ? [] : ['nothing was resumed']),
      ...[...new Set(resumed.map(({ scope }) => scope))].map((scope) => `resumed: ${scopeText(scope)}`),
      ...[...new Set(waits.map(({ scope }) => scope))].map(waitsText),
    ],
    notes: [
      ...(isChanged && isDirect ? [recordedNameText(by)] : []),
      ...failed.map(({ scope, why }) => `NOT resumed: ${scopeText(scope)}: ${why}`),
      ...(still ?? []).map((halt) => `still halted: ${haltedText(halt)}`),
      ...(still === undefined ? ['whether anything is still halted is unknown'] : []),
    ],
  }
}

/** A sentence for each run that people decided on during the halt. */
export function carriedNotes(carried: readonly Carried[]): readonly Advice[] {
  return carried.map((each) => {
    const run = `${printable(namedRun(each))}, which people decided on during the halt`
    if ('isByItself' in each) return `${run}, continues by itself within minutes`
    if ('error' in each) return advice`${run}, did not continue: ${printable(each.error)}; next: ${each.next}`
    if (each.outcome === RunEnd.AwaitingApproval) return `${run}, continues by itself once nothing stands against it`
    return `${run}, ended: ${outcomeText(each.outcome)}${each.why === null ? '' : `: ${printable(each.why)}`}`
  })
}

/** With `--directly` no function verified the person's name, so the text claims only the name that was recorded. */
function recordedNameText(by: string): string {
  return `recorded in the name of ${printable(by)}`
}

function resumedText(scope: string, wasHalted: boolean, isOtherHalted: boolean): string {
  if (wasHalted) return `resumed: ${scopeText(scope)}`
  if (scope !== EVERYTHING) return `${scopeText(scope)} was not halted by itself; nothing was changed`
  return isOtherHalted ? 'there was no halt of everything; nothing was changed' : 'nothing was halted'
}

// Builds the page of an act: its result and its notes, or the question on which the act waits. Pure.

import { RunEnd } from '../../core/contract/runs.ts'
import type { Everywhere } from '../../operations/connection/journal/reader.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { badge } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { section } from '../html/section.ts'
import { moment } from '../html/shown-figures.ts'
import { prose, sentence } from '../runs/figures.ts'
import type { Act, ActEnd, ResultGroup } from './acted.ts'
import { auditReport } from './audit.ts'
import { planParts } from './decide.ts'
import { type FormSeal, form } from './forms.ts'
import { page } from './layout.ts'
import { nextStep } from './next-step.ts'

/** `everywhere`: absent where the journal cannot be read now. */
export function actPage(
  { id, what, at, about, ask, end }: Act,
  seal: FormSeal,
  everywhere: Everywhere | undefined,
): string {
  const underWay = html`<p class="outcome">${badge('under way', 'wait')} since ${moment(at)}. It continues when this page is closed.</p>`
  const isAsked = end?.ended === 'asks' && ask !== undefined
  return page({
    title: what,
    topic: `act:${id}`,
    everywhere,
    body: html`${section('act', 'What became of it', end === undefined ? underWay : endOf(end, at))}
${isAsked && section('ask', 'Yes?', html`<p><b>${prose(end.question)}</b></p>${form(seal, { ...ask, button: 'Yes', look: 'bad' })}`, { isLive: false })}
${end?.ended === 'done' && end.plan !== undefined && planParts(end.plan)}
${end?.ended === 'done' && end.groups?.map(groupOf)}
<p>${end?.ended === 'done' && end.see !== undefined && html`<a class="button" href="${end.see}">See it</a> `}<a href="${about}">${isAsked ? 'No, go back' : 'Continue'}</a></p>`,
  })
}

function endOf(end: ActEnd, at: string): Markup {
  const notes = end.notes.length > 0 && html`<ul>${end.notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`
  switch (end.ended) {
    case 'refused':
      return html`<p class="outcome">${badge('not done', 'bad')} ${prose(end.error.message)}</p>${notes}${nextStep(end.error.next)}`
    case 'asks':
      return html`<p class="outcome">${badge('asks', 'wait')} Everything was examined. Nothing is written yet, and nothing was started.</p>${notes}`
    default:
      return html`<p class="outcome">${badge(endWords(end), end.exitCode === 0 ? 'good' : 'wait')} ${end.audit === undefined && prose(outcomeIn(end))}</p>${notes}${end.audit !== undefined && auditReport(end.audit, at)}`
  }
}

function groupOf({ title, look, todo, items }: ResultGroup, index: number): Markup {
  const list = html`${todo !== undefined && html`<p>${todo}</p>`}
<ul class="needs">${items.map(({ href, what, says }) => html`<li class="${look}"><a href="${href}">${prose(what)}</a>: ${sentence(says)}</li>`)}</ul>`
  return section(`group-${index}`, title, list, { isLive: false })
}

/** Several decisions have groups, which say more than one code. */
function endWords({ exitCode, facts, groups }: Extract<ActEnd, { ended: 'done' }>): string {
  if (isApproved(facts)) return 'approved, continues'
  if (groups !== undefined && exitCode !== 0) return 'done in part'
  return END_WORDS[exitCode] ?? 'ended'
}

/** By the exit code of the command. */
const END_WORDS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'failed or refused, and certain',
  3: 'a person is needed',
  4: 'waits for approval',
  5: 'does not tie out',
}

/** The field that says most, with its reason. Without such a field, the sentence of the result. */
function outcomeIn({ facts, says }: Extract<ActEnd, { ended: 'done' }>): string {
  // The reason of the run is that it waited for this approval.
  if (isApproved(facts)) return outcomeWords(RunEnd.AwaitingApproval, 'approved').says
  const { outcome, state, halted, why }: { outcome?: unknown; state?: unknown; halted?: unknown; why?: unknown } = facts
  const result = outcome ?? state ?? (halted === true ? 'halted' : halted === false ? 'resumed' : undefined)
  return [result, why].filter((part) => typeof part === 'string').join(': ') || (says ?? '')
}

/** Whether enough people have approved the plan of a run, and something still stands against it. */
function isApproved({ outcome, approval }: { readonly outcome?: unknown; readonly approval?: unknown }): boolean {
  const isDecided = typeof approval === 'object' && approval !== null && 'decision' in approval
  return outcome === RunEnd.AwaitingApproval && isDecided && approval.decision === 'approved'
}

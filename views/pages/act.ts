// Builds the page of an act: its result and its notes, or the question on which the act waits. Pure.

import { counted } from '../../core/printable.ts'
import type { Spell } from '../../place/next-step.ts'
import type { Everywhere } from '../../place/reader.ts'
import { badge, section } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment } from '../html/shown-figures.ts'
import { prose, sentence } from '../runs/figures.ts'
import { shownResult } from './act-result.ts'
import type { Act, ActEnd, ResultGroup } from './acted.ts'
import { auditReport } from './audit.ts'
import { planParts } from './decide.ts'
import { type FormSeal, findingTable, form, payoutForm } from './forms.ts'
import { page } from './layout.ts'
import { nextStep } from './next-step.ts'

/** `everywhere`: absent where the journal cannot be read now. */
export function actPage(
  { id, what, subject, at, about, ask, rows, notes, end }: Act,
  seal: FormSeal,
  everywhere: Everywhere | undefined,
  spell: Spell,
): string {
  const underWay = html`<p class="outcome">${badge('under way', 'wait')} since ${moment(at)}. It continues when this page is closed.</p>${noteList(notes)}`
  const isAsked = end?.ended === 'asks' && ask !== undefined
  // An ended act has another live part, so that an open page is drawn anew as a whole: with its question, plan and links.
  const became =
    end === undefined
      ? section('under-way', 'Under way', underWay)
      : section('act', 'What became of it', endOf(end, at, spell))
  return page({
    title: prose(`${what.slice(0, 1).toUpperCase()}${what.slice(1)}`),
    ...(subject !== undefined && { id: subject }),
    topic: `act:${id}`,
    everywhere,
    body: html`${became}
${isAsked && section('ask', 'Yes?', html`<p><b>${prose(end.question)}</b></p>${form(seal, { ...ask, hidden: { ...ask.hidden, yes: end.yes }, button: 'Yes', look: 'bad' })}`, { isLive: false })}
${rows !== undefined && ask !== undefined && end !== undefined && end.ended !== 'done' && section('rows-again', isAsked ? 'Or change the rows' : 'The rows', payoutForm(seal, { action: ask.action, rows, button: 'Check them again, and ask…' }), { isLive: false })}
${end?.ended === 'done' && end.plan !== undefined && planParts(end.plan)}
${end?.ended === 'done' && end.groups?.map(groupOf)}
<p>${end?.ended === 'done' && end.see !== undefined && html`<a class="button" href="${end.see}">See it</a> `}<a href="${about}">${isAsked ? 'No, go back' : 'Continue'}</a></p>`,
  })
}

function noteList(notes: readonly string[] = []): Markup | false {
  return notes.length > 0 && html`<ul>${notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`
}

function endOf(end: ActEnd, at: string, spell: Spell): Markup {
  const notes = noteList(end.notes)
  switch (end.ended) {
    case 'refused':
      return html`<p class="outcome">${badge('not done', 'bad')} ${end.findings === undefined ? prose(end.error.message) : html`${counted(end.findings.length, 'finding')}: nothing was paid.`}</p>${end.findings !== undefined && findingTable(end.findings)}${notes}${nextStep(end.error.next, spell)}`
    case 'asks':
      return html`<p class="outcome">${badge('asks', 'wait')} Everything was examined. Nothing is written yet, and nothing was started.</p>${notes}`
    default: {
      const result = shownResult(end)
      return html`<p class="outcome">${result.badge} ${end.audit === undefined && prose(result.says)}</p>${notes}${end.audit !== undefined && auditReport(end.audit, at)}`
    }
  }
}

function groupOf({ title, look, todo, items }: ResultGroup, index: number): Markup {
  const list = html`${todo !== undefined && html`<p>${todo}</p>`}
<ul class="needs">${items.map(({ href, what, says }) => html`<li class="${look}"><a href="${href}">${prose(what)}</a>: ${sentence(says)}</li>`)}</ul>`
  return section(`group-${index}`, title, list, { isLive: false })
}

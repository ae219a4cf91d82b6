// Builds the page of an act: its result and its notes, or the question on which the act waits. Pure.

import { factText } from '../../operations/words/fact-text.ts'
import { badge } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { section } from '../html/section.ts'
import { moment } from '../html/shown-figures.ts'
import { prose } from '../runs/figures.ts'
import type { Act, ActEnd } from './acted.ts'
import { type FormSeal, form } from './forms.ts'
import { page } from './layout.ts'

export function actPage({ id, what, at, about, ask, end }: Act, seal: FormSeal): string {
  return page({
    title: what,
    topic: `act:${id}`,
    body: html`${section(
      'act',
      'What became of it',
      html`${end === undefined ? html`<p class="outcome">${badge('under way', 'wait')} since ${moment(at)}. It continues when this page is closed.</p>` : endOf(end)}`,
    )}
${end?.ended === 'asks' && ask !== undefined && section('ask', 'Yes?', html`<p><b>${end.question}</b></p>${form(seal, { ...ask, button: 'Yes', look: 'bad' })}`, { isLive: false })}
<p><a href="${about}">Continue</a></p>`,
  })
}

function endOf(end: ActEnd): Markup {
  const notes = end.notes.length > 0 && html`<ul>${end.notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`
  switch (end.ended) {
    case 'refused':
      return html`<p class="outcome">${badge('not done', 'bad')} ${end.error.message}</p>${notes}<p class="dim">next: <code>${end.error.next}</code></p>`
    case 'asks':
      return html`<p class="outcome">${badge('asks', 'wait')} The evidence was examined, and nothing contradicts it. Nothing is written yet.</p>${notes}`
    default:
      return html`<p class="outcome">${badge(END_WORDS[end.exitCode] ?? 'ended', end.exitCode === 0 ? 'good' : 'wait')} ${outcomeIn(end.facts)}</p>${notes}`
  }
}

/** By the exit code of the command. */
const END_WORDS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'failed or refused, and certain',
  3: 'a person is needed',
  4: 'waits for approval',
  5: 'does not tie out',
}

/** The field that says most, with its reason. Without such a field, all facts. */
function outcomeIn(facts: object): string {
  const { outcome, state, halted, why }: { outcome?: unknown; state?: unknown; halted?: unknown; why?: unknown } = facts
  const result = outcome ?? state ?? (halted === true ? 'halted' : halted === false ? 'resumed' : undefined)
  return [result, why].filter((part) => typeof part === 'string').join(': ') || factText(facts)
}

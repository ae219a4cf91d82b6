// Builds the page of the switch: the halts, a button that halts, and a button to resume each halt. The head of every
// page with navigation links here. Pure.

import type { FirstResume } from '../../core/journal/halts.ts'
import type { HaltPage } from '../../operations/overview/overview.ts'
import { isBreaker, markOfHalt, scopeText } from '../../operations/words/halt-words.ts'
import { badge } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment, said } from '../html/shown-figures.ts'
import { missingText } from '../waiting.ts'
import { type FormSeal, form, reasonFields } from './forms.ts'
import { page } from './layout.ts'

export function haltPage(data: HaltPage, seal: FormSeal): string {
  const { firstWords, halts, policies } = data
  return page({
    title: 'Halt',
    under: '/halt',
    everywhere: data,
    body: html`<section id="halt" aria-labelledby="halt-title"><h2 id="halt-title">Stop sending</h2>
<p>Every send reads this switch right before it. Requests that were sent already continue; the others wait, until their own
time runs out.</p>
${form(seal, {
  action: '/halt',
  fields: html`<p class="field"><label for="scope">What</label>
<select id="scope" name="policy"><option value="">everything</option>${policies.map((name) => html`<option value="${name}">policy ${name}</option>`)}</select></p>
${reasonFields(seal, 'halt', { isReasonNeeded: false })}`,
  button: 'Halt now',
  look: 'bad',
})}</section>
${halts.map(
  (
    halt,
    index,
  ) => html`<section aria-labelledby="resume-${index}-title"><h2 id="resume-${index}-title">Resume ${scopeText(halt.scope)}</h2>
<p>${badge(isBreaker(halt) ? 'the breaker tripped' : 'halted', 'bad')} by ${halt.by} since ${moment(halt.at)}: ${said(halt.because)}</p>
${firstWordOf(firstWords.get(markOfHalt(halt)))}
${form(seal, {
  action: '/resume',
  hidden: { read: markOfHalt(halt), ...(halt.scope !== '*' && { policy: halt.scope }) },
  fields: reasonFields(seal, `resume-${index}`),
  button: `Resume ${scopeText(halt.scope)}`,
})}</section>`,
)}
${halts.length === 0 && html`<p class="good">Nothing is halted.</p>`}`,
  })
}

/** The second of two people sees who resumed first, and why. */
function firstWordOf(firstWord: FirstResume | undefined): Markup | false {
  if (firstWord === undefined) return false
  const { at, because, by } = firstWord
  return html`<p class="wait">${by} resumes it since ${moment(at)}: ${said(because)}. Missing: ${missingText(firstWord)}.</p>`
}

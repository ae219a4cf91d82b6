// Shows the terms of one movement that waits for people, and the forms that decide on them. Says what a decision does
// while sending is halted. Pure.
import type { Halt } from '../../core/journal/halts.ts'
import type { WaitingMovement } from '../../operations/runs/waiting-movements.ts'
import { givenText } from '../../operations/words/approvals-text.ts'
import { scopeText } from '../../operations/words/halt-words.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment, said } from '../html/shown-figures.ts'
import { type FormSeal, form, reasonFields } from './forms.ts'

/** The decision carries the hash of the shown terms, so it can approve only these. `level`: of its headings. */
export function movementDecision(
  movement: WaitingMovement,
  halt: Halt | undefined,
  seal: FormSeal,
  level: 3 | 4,
): Markup {
  const { intentId, terms, termsHash, missing, isOver, expiresAt } = movement
  if (isOver)
    return html`<p class="wait">Nobody approved it until ${moment(expiresAt)}. It moves nothing, and ends by itself within minutes while its
execution runs.</p>
${form(seal, { action: `/intents/${intentId}/again`, button: 'End it now' })}`
  const decide = (verb: 'approve' | 'reject') =>
    html`<div class="card"><h${level}>${verb === 'approve' ? 'Approve' : 'Reject'}</h${level}>
${form(seal, {
  action: `/intents/${intentId}/${verb}`,
  hidden: { termsHash },
  fields: reasonFields(seal, `${verb}-${intentId}`),
  button: `${verb === 'approve' ? 'Approve' : 'Reject'} these terms`,
  look: verb === 'approve' ? 'good' : 'bad',
})}</div>`
  return html`<p class="wait">It ${givenText(movement)}waits for ${missing === 1 ? 'a person' : `${missing} people`} to approve it. ${haltNote(halt, expiresAt)}</p>
<ul>${terms.map((line) => html`<li>${said(line)}</li>`)}</ul>
<div class="choices">${decide('approve')}${decide('reject')}</div>
`
}

/** `until`: ISO-8601, from then on nothing is sent for it. Nothing where nothing is halted. */
export function haltNote(halt: Halt | undefined, until?: string): Markup | false {
  return (
    halt !== undefined &&
    html`<span class="wait">Sending is halted (${scopeText(halt.scope)}, by ${halt.by} since ${moment(halt.at)}). An approval is recorded now, and carried out once the halt ends${until !== undefined && html`, if it ends before ${moment(until)}`}.</span>`
  )
}

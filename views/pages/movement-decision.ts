// Shows the terms of one movement that waits for people, and the forms that decide on them. Pure.
import type { Halt } from '../../core/journal/halts.ts'
import type { WaitingMovement } from '../../operations/runs/waiting-movements.ts'
import { givenText } from '../../operations/words/approvals-text.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment, said } from '../html/shown-figures.ts'
import { type FormSeal, form, reasonFields } from './forms.ts'
import { haltNote } from './halt-note.ts'

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

// Builds the forms of the pages, also the form for the rows of payouts with the findings for which they were refused.
// Each form carries the token of its session. The fields for the decider and the reason are those of the commands.
// Pure.
import type { PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import { table } from '../html/html-table.ts'
import { html, type Markup, type Part, whole } from '../html/markup.ts'
import { sentence } from '../runs/figures.ts'

export interface FormSeal {
  readonly token: string
  /** The user of this machine, as the commands name them. */
  readonly by: string
  /** Whether a form asks for a name. False where the credentials decide who it is. */
  readonly isNamed: boolean
}

export interface Form {
  readonly action: string
  /** Fields that are sent besides those that a person fills in, exactly as they are here. */
  readonly hidden?: Readonly<Record<string, string>>
  readonly fields?: Part
  readonly button: string
  readonly look?: 'good' | 'bad' | 'plain'
}

export function form({ token }: FormSeal, { action, hidden = {}, fields, button, look = 'plain' }: Form): Markup {
  return html`<form method="post" action="${action}" class="act">
<input type="hidden" name="token" value="${token}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${whole(value)}">`)}
${fields}<button class="${look}">${button}</button></form>
`
}

/** `id` must be unique on the page, because labels refer to their fields by it. */
export function reasonFields(seal: FormSeal, id: string, { isReasonNeeded = true } = {}): Markup {
  return html`<p class="field"><label for="${id}-because">Why${!isReasonNeeded && ' (optional)'}</label>
<input id="${id}-because" name="because" maxlength="500" autocomplete="off"${isReasonNeeded && html` required`}></p>
${nameField(seal, id)}`
}

/** Nothing where the credentials decide who it is. Who asks for a run is recorded too, and may be barred from approving it. */
export function nameField({ by, isNamed }: FormSeal, id: string, label = 'Who decides'): Markup | false {
  return (
    isNamed &&
    html`<p class="field"><label for="${id}-by">${label}</label>
<input id="${id}-by" name="by" value="${by}" maxlength="100" autocomplete="off" required></p>`
  )
}

interface PayoutForm {
  readonly action: string
  /** The rows as they were typed before. */
  readonly rows?: string
  readonly button: string
}

export function payoutForm(seal: FormSeal, { action, rows = '', button }: PayoutForm): Markup {
  const fields = html`<p class="field"><label for="file">A file, which fills the rows below</label>
<input id="file" type="file" accept=".csv,.jsonl,.txt" data-fills="rows"></p>
<p class="field"><label for="rows">Rows, as CSV with titles or as JSON Lines</label>
<textarea id="rows" name="rows" rows="8" required spellcheck="false" placeholder="id,contactId,asset,amount,reference">
${whole(rows)}</textarea></p>
${nameField(seal, 'payouts', 'Who asks')}`
  return form(seal, { action, fields, button })
}

export function findingTable(findings: readonly PayoutFinding[]): Markup {
  return table(
    'Findings',
    [
      { title: 'line', text: ({ line }) => (line === undefined ? 'file' : String(line)), isHead: true },
      { title: 'row', text: ({ id = '' }) => id },
      { title: 'finding', text: ({ says }) => sentence(says) },
    ],
    findings,
  )
}

// Builds the form in which a person gives the rows of payouts, and the findings for which they were refused. Pure.

import type { PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import { table } from '../html/html-table.ts'
import { html, type Markup, whole } from '../html/markup.ts'
import { sentence } from '../runs/figures.ts'
import { type FormSeal, form, nameField } from './forms.ts'

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

// Tests the form of payouts: what was typed stays exactly, and the findings of a refused file stand beside it.

import { expect, test } from 'vitest'
import { actPage } from '../../../../views/pages/act.ts'
import type { ActEnd } from '../../../../views/pages/acted.ts'
import { payoutForm } from '../../../../views/pages/forms.ts'
import { spell } from '../../../helpers/spell.ts'

const SEAL = { token: 't', by: 'ada', isNamed: true }
/** Longer than what a page shows of a text. */
const ROWS = `id,contactId,asset,amount\r\n${Array.from({ length: 100 }, (_, row) => `r${row},c,USDC,1`).join('\r\n')}`
const DEED = { id: '1', what: 'payouts of salaries', at: '2026-11-24T10:00:00.000Z', about: '/policies/salaries' }
const ASK = { action: '/policies/salaries/payouts', hidden: { file: Buffer.from(ROWS).toString('base64') } }
const shown = (end: ActEnd) => actPage({ ...DEED, ask: ASK, rows: ROWS, end }, SEAL, undefined, spell)

test('the field of the rows has them whole, with their line breaks, and nothing of them as markup', () => {
  const { text } = payoutForm(SEAL, { action: '/a', rows: `${ROWS}\n"</textarea><b>`, button: 'Check' })
  expect(text).toContain(`\n${ROWS}\n&#34;&#60;/textarea&#62;&#60;b&#62;</textarea>`)
})

test('a refused file is shown with each finding by its line, above the rows as they were typed', () => {
  const findings = [
    { line: 2, says: 'amount: expected more than zero' },
    { line: 3, id: 'r1', says: 'no such contact' },
  ]
  const error = { code: 'input', message: 'a', next: 'correct the rows and check again; nothing was sent' } as const
  const page = shown({ ended: 'refused', error, findings, notes: [] })
  expect(page).toContain('2 findings: nothing was paid.')
  expect(page).toMatch(/<th scope="row">3<\/th>.*r1.*no such contact/s)
  expect(page).toContain('next: correct the rows and check again')
  expect(page).toContain(`${ROWS}</textarea>`)
})

test('a question about a file carries the whole file, and offers to change its rows', () => {
  const page = shown({ ended: 'asks', question: 'pay 100 rows?', yes: 'yes-1', notes: [] })
  expect(page).toContain(`name="file" value="${ASK.hidden.file}"`)
  expect(page).toContain('Or change the rows')
  expect(page).toContain(`${ROWS}</textarea>`)
})

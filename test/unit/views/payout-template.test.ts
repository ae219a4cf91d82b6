// A template of a payout file: read as it is it pays nothing, and each line that is filled in is a row.
import { expect, test } from 'vitest'
import { parsePayoutFile } from '../../../core/runs/payouts/payout-file.ts'
import { templateText } from '../../../views/payout-template.ts'

const payee = (contactId: string, labels: readonly string[], assets: readonly string[]) => ({
  ...{ contactId, labels, assets, says: `"${labels[0]}" (bank account, "quoted")` },
})
const template = templateText([
  payee('c-1', ['ada', 'Ada, Ltd'], ['EUR', 'USDC']),
  payee('c-2', ['=1+1', 'Müller & Söhne'], ['EUR']),
  payee('c-3', ['=1+1', ' spaced', 'x'.repeat(141)], ['EUR']),
])
const read = (text: string) => parsePayoutFile(Buffer.from(text))

test('as it is written, each line lacks an amount, and nothing of it is a row', () => {
  const { rows, findings } = read(template)
  expect(rows).toEqual([])
  expect(findings.map(({ line }) => line)).toEqual([3, 4, 6, 8])
  for (const { says } of findings) expect(says).toMatch(/^amount: expected the amount to pay; got none: fill it in/)
})

test('a line with an id and an amount is a row of its contact, also between semicolons and without its remark', () => {
  const filled = template
    .split('\r\n')
    .flatMap((line, index) => (line.endsWith(',EUR,,') ? [`r${index}${line.slice(0, -1)}5,`] : []))
  const [titles = ''] = template.split('\r\n')
  const expected = [
    { contactId: 'c-1', contactReference: 'ada', amount: '5' },
    { contactId: 'c-2', contactReference: 'Müller & Söhne' },
    { contactId: 'c-3' },
  ]
  const { rows, findings } = read([titles, ...filled].join('\n'))
  expect(findings).toEqual([])
  expect(rows).toMatchObject(expected)
  expect(rows[2]).not.toHaveProperty('contactReference')
  expect(read([titles, '# a remark,,,,,', ...filled].join('\n').replaceAll(',', ';')).rows).toMatchObject(expected)
})

test('a remark is one cell: a line with anything beside it is checked as a row', () => {
  expect(read('id,contactId,asset,amount\n# note,,,5').findings).toMatchObject([
    { line: 2, says: expect.stringMatching(/^id: /) },
    ...[{}, {}],
  ])
})

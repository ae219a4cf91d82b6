// A row of a payout file names its contact by a reference or an alias: found once, and refused where that is not certain.
import { expect, test } from 'vitest'
import { needsId, payeesAmong } from '../../../../core/runs/payouts/find-payee.ts'
import { parsePayoutFile } from '../../../../core/runs/payouts/payout-file.ts'

const contact = (id: string, alias: string, reference: string | null) => ({
  ...{ id, alias, reference, type: 'INTERNAL', updatedAt: '2026-01-01T00:00:00Z' },
})
const long = 'x'.repeat(59)
const find = payeesAmong([
  contact('c-1', 'Ada Ltd', 'ada'),
  contact('c-2', 'Bob', 'bob-eur'),
  contact('c-3', 'Bob', 'bob-usd'),
  contact('c-4', 'same', 'same'),
  contact('c-5', `${long}5`, null),
  contact('c-6', `${long}6`, null),
  contact('1001', 'Eve', '1002'),
  contact('1002', 'Fay', '1001'),
  contact('1003', '1003', null),
])
const read = (text: string, how = find) => parsePayoutFile(Buffer.from(text), how)

test.each([
  ['ada', 'c-1'],
  ['Ada Ltd', 'c-1'],
  ['bob-usd', 'c-3'],
  ['same', 'c-4'],
  ['1003', '1003'],
  [`${long}6`, 'c-6'],
])('the only contact with the label %s has its id in the row', (label, contactId) => {
  const row = { id: 'a', asset: 'EUR', amount: '1' }
  const expected = [expect.objectContaining({ ...row, contactId, contactReference: label })]
  expect(read(`id,contactReference,asset,amount\na,${label},EUR,1`)).toMatchObject({ rows: expected, findings: [] })
  expect(read(JSON.stringify({ ...row, contactReference: label }))).toMatchObject({ rows: expected, findings: [] })
})

test.each([
  ['1001', /that is no contact's id; 1001 is that of 1002, and the id of another contact: give the contactId$/],
  ['c-1', /that is no contact's id; c-1 is the id of a contact: give the contactId$/],
  ['Bob', /; 2 have Bob: give the contactId, such as c-2 or c-3$/],
  ['ADA', /; none has ADA; did you mean ada\?$/],
  ['nobody at all', /; none has nobody at all: contacts are made in the dashboard$/],
])('the label %s is refused with its line', (label, says) => {
  const { rows, findings } = read(`id,contactReference,asset,amount\nx,ada,EUR,1\na,${label},EUR,0`)
  expect(rows).toHaveLength(1)
  expect(findings).toEqual([
    { line: 3, says: expect.stringMatching(says) },
    { line: 3, says: expect.stringMatching(/^amount: expected more than zero/) },
  ])
})

test('a file of unknown labels is refused row by row in a moment, among as many contacts as are read', () => {
  const among = payeesAmong(
    Array.from({ length: 10_000 }, (_, at) => contact(`c-${at}`, `Supplier ${at}`, `ref-${at}`)),
  )
  const rows = Array.from({ length: 2_000 }, (_, at) => `r${at},Suplier number ${at},EUR,1`)
  expect(read(['id,contactReference,asset,amount', ...rows].join('\n'), among).findings).toHaveLength(2_000)
})

test('an id beside the label stands as it is, and is asked for where no label may decide', () => {
  const text = 'id,contactId,contactReference,asset,amount\na,c-9,ada,EUR,1\nb,,ada,EUR,1\nc,c-1,,EUR,1\nd,,,EUR,1'
  const { rows, findings } = read(text, needsId)
  expect(rows.map(({ contactId, contactReference }) => [contactId, contactReference])).toEqual([
    ['c-9', 'ada'],
    ['c-1', undefined],
  ])
  expect(findings).toMatchObject([
    {
      line: 3,
      says: expect.stringMatching(/^contactId: expected the id of the contact beside its contactReference, as/),
    },
    { line: 5, says: expect.stringMatching(/^contactId: expected/) },
  ])
})

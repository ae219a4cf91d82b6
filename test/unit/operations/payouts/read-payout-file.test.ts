// A payout file at stage live: a label alone names no contact, and no service is asked for one.
import { expect, test } from 'vitest'
import { parseForPolicy } from '../../../../operations/payouts/read-payout-file.ts'

/** Reading anything else of it would throw. */
const live = { treasury: { service: { stage: 'live' } } } as Parameters<typeof parseForPolicy>[1]

test('a label needs the id of its contact beside it at stage live, without a question to the service', async () => {
  const text = 'id,contactId,contactReference,asset,amount\na,,ada,EUR,1\nb,c-1,ada,EUR,1'
  const { rows, findings } = await parseForPolicy(Buffer.from(text), live)
  expect(rows).toMatchObject([{ line: 3, contactId: 'c-1', contactReference: 'ada' }])
  expect(findings).toMatchObject([
    { line: 2, says: expect.stringMatching(/^contactId: expected the id of the contact/) },
  ])
})

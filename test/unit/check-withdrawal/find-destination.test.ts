// The contact that a request pays, although somebody with the bearer secret of a key with contacts:write can rename
// contacts.
import { expect, test } from 'vitest'
import { Stage } from '../../../core/contract/service-settings.ts'
import type { WithdrawRequest } from '../../../core/contract/withdraw.ts'
import { Refused } from '../../../core/errors.ts'
import { payeeOf, type ShownContact } from '../../../core/movements/withdrawal/payee.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { findDestination } from '../../../functions/check-withdrawal/settle-terms.ts'
import { withdrawalTerms } from '../../../functions/runtime/withdrawal-ports.ts'

/** The thief has given the payroll's reference to a contact of his, and another reference to the payroll. */
const CONTACTS: readonly ShownContact[] = [
  { id: 'payroll', type: 'INTERNAL', alias: 'Payroll', reference: 'old-payroll', updatedAt: '2026-02-01' },
  { id: 'thief', type: 'INTERNAL', alias: 'Thief', reference: 'payroll', updatedAt: '2026-02-01' },
]

const terms = {
  async contact(id: string) {
    const found = CONTACTS.find((each) => each.id === id)
    if (found === undefined) throw new Refused('no such contact')
    return payeeOf(found)
  },
  async findContact(named: string) {
    const found = CONTACTS.find(({ alias, reference }) => named === reference || named === alias)
    return found && payeeOf(found)
  },
}

/** The id of the paid contact, or the reason for the refusal. */
async function paid(named: Partial<WithdrawRequest>, stage: Stage) {
  const request: WithdrawRequest = { assetSymbol: 'USDC', amount: '100', ...named }
  return findDestination(request, stage, terms).then(
    ({ contactId }) => contactId,
    (error: Error) => error.message,
  )
}

const NEEDS_ID = 'input.contactId: expected the id of the contact, as the stage is live'
const ANOTHER_LABEL = 'input.contactReference: expected the reference or alias of contact payroll; got payroll'
const CASES = {
  'by the reference alone': [{ contactReference: 'payroll' }, NEEDS_ID],
  'by the id': [{ contactId: 'payroll' }, 'payroll'],
  'by the id, with the reference that it had': [{ contactId: 'payroll', contactReference: 'payroll' }, ANOTHER_LABEL],
  'by the id, with the reference that it has': [{ contactId: 'payroll', contactReference: 'old-payroll' }, 'payroll'],
  'by the id, with its alias': [{ contactId: 'payroll', contactReference: 'Payroll' }, 'payroll'],
} as const satisfies Readonly<Record<string, readonly [Partial<WithdrawRequest>, string]>>

test.each(Object.entries(CASES))(
  'a live request %s pays the one that is meant, or nobody',
  async (_how, [named, expected]) => {
    expect(await paid(named, Stage.Live)).toContain(expected)
  },
)

test('a request of the stage test uses the reference, wherever it is now', async () => {
  expect(await paid({ contactReference: 'payroll' }, Stage.Test)).toBe('thief')
})

test('a label that is the id of another contact is refused, as nobody can say which of the two is meant', async () => {
  const { findContact } = withdrawalTerms({ contacts: async () => CONTACTS } as unknown as ServiceClient)
  await expect(findContact('payroll')).rejects.toThrow('input.contactReference: it is the id of another contact')
  expect(await findContact('old-payroll')).toMatchObject({ contactId: 'payroll' })
})

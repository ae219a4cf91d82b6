// The part of a contact that a plan freezes: enough to know who is paid, and bounded, because others write the labels.
import { expect, test } from 'vitest'
import { payeeFacts } from '../../../../core/contract/payee.ts'
import { payeeOf, type ShownContact } from '../../../../core/movements/withdrawal/payee.ts'

const contact: ShownContact = {
  ...{ id: 'c-1', type: 'INTERNAL', alias: 'Team', reference: null, updatedAt: '2026-01-01T00:00:00Z' },
}
const bank = {
  assetSymbol: 'EUR',
  bankId: 'HOUSE',
  bankName: 'House Bank',
  bankAccountNumber: 'ES9121000418450200051332',
}

test('an address is identified by its asset and its network', () => {
  const crypto = { assetSymbol: 'USDC', networkId: 'POLYGON' }
  expect(payeeOf({ ...contact, type: 'EXTERNAL_CRYPTO', reference: 'cold', crypto })).toEqual({
    ...{ contactId: 'c-1', alias: 'Team', reference: 'cold', type: 'EXTERNAL_CRYPTO', assetSymbol: 'USDC' },
    ...{ networkId: 'POLYGON', bank: null, updatedAt: '2026-01-01T00:00:00Z' },
  })
})

test.each([
  [bank, 'House Bank, account …1332'],
  [{ ...bank, bankName: null }, 'HOUSE, account …1332'],
  [{ ...bank, bankAccountNumber: null }, 'House Bank'],
  [{ ...bank, bankAccountNumber: '12' }, 'House Bank'],
  [{ ...bank, bankName: null, bankId: null, bankAccountNumber: null }, null],
])('an account is identified by its bank and the end of its number: %j', (given, told) => {
  expect(payeeOf({ ...contact, type: 'BANK_ACCOUNT', bank: given })).toMatchObject({ assetSymbol: 'EUR', bank: told })
})

test('labels of any length fit: two hundred payees leave room in the record of a run', () => {
  const long = 'ü'.repeat(10_000)
  const payee = payeeOf({ ...contact, alias: long, reference: long, bank: { ...bank, bankName: long } })
  expect(Buffer.byteLength(JSON.stringify(payee))).toBeLessThan(700)
  expect(payee.alias?.endsWith('…')).toBe(true)
  expect(payeeFacts.safeParse(payee).success).toBe(true)
})

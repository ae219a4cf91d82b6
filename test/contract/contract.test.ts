// Runs the contract suite: every endpoint of the given service, through the client. The suite knows no asset, market or
// contact by name, and looks for them.
import { afterAll, beforeAll, describe } from 'vitest'
import { describeContacts } from './contacts.ts'
import { describeConversions } from './conversions.ts'
import { describeMoney } from './money.ts'
import { describeReferenceData } from './reference-data.ts'
import { openTarget, type Target } from './target.ts'
import { describeWithdrawals } from './withdrawals.ts'

let target: Target
beforeAll(async () => {
  target = await openTarget(process.env)
})
afterAll(async () => {
  for (const client of [target.read, target.trade, target.transfer]) client.close()
  await target.close()
})

// In this order, because later reads need the movements, if those are allowed.
describe('reference data', () => describeReferenceData(() => target))
describe('contacts', () => describeContacts(() => target))
describe('conversions', () => describeConversions(() => target))
describe('withdrawals', () => describeWithdrawals(() => target))
describe('balances and movements', () => describeMoney(() => target))

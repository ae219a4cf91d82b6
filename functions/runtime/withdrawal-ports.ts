// Reduces the service client to the reads that withdrawal decisions need.
import { Refused } from '../../core/errors.ts'
import { payeeOf, withLabel } from '../../core/movements/withdrawal/payee.ts'
import type { WithdrawalReads, WithdrawalTerms } from '../../core/movements/withdrawal/ports.ts'
import { bookingReads } from '../../core/service/booking-reads.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'

export function withdrawalTerms(client: ServiceClient): WithdrawalTerms {
  return {
    clock: client.clock,
    keyInUse: client.keyInUse,
    accountOfKey: client.accountOfKey,
    forgetKeys: client.forgetKeys,
    asset: (assetSymbol) => client.asset(assetSymbol),
    findPrice: client.findPrice,
    contact: async (contactId) => payeeOf(await client.contact(contactId)),
    async findContact(reference) {
      const contacts = await client.contacts()
      const found = withLabel(contacts, reference)
      if (contacts.some(({ id }) => id === reference && id !== found[0]?.id))
        throw new Refused('input.contactReference: it is the id of another contact; give the contactId')
      if (found.length > 1)
        throw new Refused(`input.contactReference: ${found.length} contacts have it; give the contactId`)
      return found[0] && payeeOf(found[0])
    },
    async balance(assetSymbol) {
      const held = (await client.balances()).find((balance) => balance.assetSymbol === assetSymbol)
      // A negative balance covers nothing.
      return held === undefined || held.balance.startsWith('-') ? '0' : held.balance
    },
  }
}

export function withdrawalReads(client: ServiceClient): WithdrawalReads {
  return {
    clock: client.clock,
    keyInUse: client.keyInUse,
    accountOfKey: client.accountOfKey,
    forgetKeys: client.forgetKeys,
    listWithdrawals: (filter, limit) => client.listWithdrawals(filter, limit),
    findWithdrawal: (withdrawalId) => client.findWithdrawal(withdrawalId),
    findOrder: (orderId) => client.findOrder(orderId),
    asset: (assetSymbol) => client.asset(assetSymbol),
    contact: async (contactId) => payeeOf(await client.contact(contactId)),
    findPrice: client.findPrice,
    ...bookingReads(client),
  }
}

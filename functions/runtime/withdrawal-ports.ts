// Turns the service client into the ports of the withdrawal decisions: the few questions that they ask.
import { type LedgerSource, ledgerSourceOf } from '../../core/contract/ledger-source.ts'
import { Refused } from '../../core/errors.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import { payeeOf } from '../../core/movements/withdrawal/payee.ts'
import type { WithdrawalReads, WithdrawalTerms } from '../../core/movements/withdrawal/ports.ts'
import type { Contact } from '../../core/service/contacts.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'

const OF_WITHDRAWALS: ReadonlySet<LedgerSource> = new Set(['withdrawal', 'unknown'])
/** Ledger entries of one withdrawal: a debit, and what undoes or completes it. */
const MOST_ENTRIES = 50

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
      const found = (await client.contacts()).filter((contact) => isNamed(contact, reference))
      if (found.length > 1)
        throw new Refused(`input.contactReference: ${found.length} contacts have it; give the contactId`)
      return found[0] && payeeOf(found[0])
    },
    async balance(assetSymbol) {
      const held = (await client.balances()).find((balance) => balance.assetSymbol === assetSymbol)
      // A position of less than nothing covers nothing.
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
    contact: async (contactId) => payeeOf(await client.contact(contactId)),
    balances: () => client.balances(),
    /**
     * The first entry of a withdrawal is its debit; one of another type over the same total gives it
     * back. The description names neither types nor order, so only a second entry of that size counts.
     */
    async bookingOf({ id, total }) {
      const whole = parseDecimal(total, 'total')
      const types = new Set<string>()
      let entries = 0
      for await (const entry of client.walkLedger({ sourceId: id }, { maxItems: MOST_ENTRIES })) {
        // A fill may have the same id.
        if (!OF_WITHDRAWALS.has(ledgerSourceOf(entry.source?.type ?? ''))) continue
        entries += 1
        if (entry.amount !== null && parseDecimal(entry.amount, 'amount') === whole) types.add(entry.type ?? '')
      }
      if (types.size > 1) return 'refunded'
      return entries === 0 ? 'none' : 'debited'
    },
  }
}

function isNamed({ reference, alias }: Contact, name: string): boolean {
  return reference === name || alias === name
}

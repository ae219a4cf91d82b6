// Reduces the service client to the reads that withdrawal decisions need.
import { ledgerSourceOf, OF_WITHDRAWALS } from '../../core/contract/ledger-source.ts'
import { Refused } from '../../core/errors.ts'
import { parseDecimal, ZERO } from '../../core/money/decimal.ts'
import type { BookedEntry } from '../../core/movements/withdrawal/booking.ts'
import { payeeOf } from '../../core/movements/withdrawal/payee.ts'
import type { WithdrawalReads, WithdrawalTerms } from '../../core/movements/withdrawal/ports.ts'
import type { Contact } from '../../core/service/contacts.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'

/** Maximum number of ledger entries of one withdrawal: a debit with its legs, and entries that undo or complete it. */
const MOST_ENTRIES = 50
const COMPLETED = 'COMPLETED'
/**
 * Maximum number of completed rows that are compared, one page. Without a similar row among them there is no
 * comparison.
 */
const MOST_COMPLETED = 100

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
    balances: () => client.balances(),
    async ledgerOf({ id }) {
      const entries: BookedEntry[] = []
      for await (const { type, amount, source } of client.walkLedger({ sourceId: id }, { maxItems: MOST_ENTRIES })) {
        // The service may ignore the filter. An entry without a source may belong to another movement, so it proves
        // nothing.
        if (source === null) entries.push({ type: `${type ?? ''} `, amount: null })
        // A fill may have the same id.
        else if (source.id === id && OF_WITHDRAWALS.has(ledgerSourceOf(source.type)))
          entries.push({ type: `${type ?? ''} ${source.type}`, amount })
      }
      return entries
    },
    walkLedger: () => client.walkLedger(),
    async findCompletedLike({ id, subType, fee, createdAt }, assetSymbol) {
      const hasFee = parseDecimal(fee, 'fee') > ZERO
      let compared = 0
      for await (const row of client.walkWithdrawals({ assetSymbol, subType, status: COMPLETED })) {
        const isLike = row.id !== id && row.status === COMPLETED && row.subType === subType
        const isOlder = Date.parse(row.createdAt) < Date.parse(createdAt)
        if (isLike && isOlder && parseDecimal(row.fee, 'fee') > ZERO === hasFee) return row
        compared += 1
        if (compared === MOST_COMPLETED) break
      }
      return undefined
    },
  }
}

function isNamed({ reference, alias }: Contact, name: string): boolean {
  return reference === name || alias === name
}

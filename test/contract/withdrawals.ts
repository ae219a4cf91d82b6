// Tests withdrawals, read in every way. The smallest withdrawal to a contact of each type is sent only if moves are
// allowed.
import { expect, it } from 'vitest'
import { amountTextOf, quantiseAmountDown, type SettledAmount, settledAmount } from '../../core/money/amount.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../../core/money/decimal.ts'
import type { Asset } from '../../core/service/assets.ts'
import type { Contact } from '../../core/service/contacts.ts'
import { isAnswered, type Target, take, VISIBLE_WITHIN_MS } from './target.ts'

export function describeWithdrawals(target: () => Target): void {
  it.for(['INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT'])(
    'the smallest to a contact of the type %s, where it is allowed, is accepted and can be read',
    async (type, test) => {
      const { transfer, mayMove } = target()
      if (!mayMove) return target().lacks('leave to move money', test)
      const found = await smallestTo(type, target())
      if (found === undefined)
        return target().lacks(`${type} contact, or balance for the smallest withdrawal to one`, test)
      const { contact, amount } = found
      const prepared = await transfer.prepareWithdrawal({ amount, feeMode: 'deduct', contactId: contact.id }, 30)
      const list = () => transfer.listWithdrawals({ assetSymbol: amount.asset }, 10_000)
      const known = (await list()).map(({ id }) => id)
      const answer = await prepared.send()
      const told = isAnswered(answer) && answer.kind === 'accepted' ? answer.withdrawal.id : undefined
      const isOwn = ({ id }: { id: string }) => (told === undefined ? !known.includes(id) : id === told)
      await expect.poll(async () => (await list()).some(isOwn), { timeout: VISIBLE_WITHIN_MS }).toBe(true)
      const { id, total, assetSymbol } = (await list()).find(isOwn) ?? {}
      expect(assetSymbol).toBe(amount.asset)
      expect(parseDecimal(total ?? '', 'total')).toBe(amount.value)
      expect(await transfer.findWithdrawal(id ?? '')).toMatchObject({ id, total })
    },
  )

  it('are filtered, and read one by one, settled and rebased, and amount and fee make the total', async (test) => {
    const { read } = target()
    const withdrawals = await take(3, read.walkWithdrawals({}, { pageLimit: 2 }))
    if (withdrawals.length === 0) return target().lacks('withdrawal', test)
    for (const withdrawal of withdrawals) {
      const { id, status, subType, assetSymbol, amount, fee, total, createdAt } = withdrawal
      const sum = parseDecimal(amount, 'amount') + parseDecimal(fee, 'fee')
      expect(formatDecimal(sum as Decimal)).toBe(formatDecimal(parseDecimal(total, 'total')))
      expect(await read.withdrawal(id)).toMatchObject({ id, total })
      expect(await read.rebased.withdrawal(id)).toMatchObject({ id, total })
      const asset = assetSymbol === null ? {} : { assetSymbol }
      const alike = await take(50, read.walkWithdrawals({ status, subType, ...asset, startDate: createdAt }))
      expect(alike.every((each) => each.subType === subType && each.assetSymbol === assetSymbol)).toBe(true)
    }
    expect(await take(1, read.rebased.walkWithdrawals({ endDate: '2020-01-01T00:00:00Z' }))).toEqual([])
  })

  it('that do not exist are not found', async () => {
    expect(await target().read.findWithdrawal(crypto.randomUUID())).toBeUndefined()
  })
}

/** A contact of the type, and the least amount for it under `deduct`, if the account holds that. */
async function smallestTo(
  type: string,
  { read }: Target,
): Promise<{ readonly contact: Contact; readonly amount: SettledAmount } | undefined> {
  const balances = await read.balances()
  for (const contact of await read.contacts({ type })) {
    const own = contact.crypto?.assetSymbol ?? contact.bank?.assetSymbol
    for (const { assetSymbol, balance, balanceFrozen } of balances) {
      if ((own !== null && own !== undefined && own !== assetSymbol) || balance.startsWith('-')) continue
      const amount = leastOf(await read.asset(assetSymbol), contact)
      const free = parseDecimal(balance, 'balance') - parseDecimal(balanceFrozen, 'balanceFrozen')
      if (amount !== undefined && amount.value <= free) return { contact, amount }
    }
  }
  return undefined
}

function leastOf(asset: Asset, contact: Contact): SettledAmount | undefined {
  const network = asset.networks.find(({ networkId }) => networkId === contact.crypto?.networkId)
  if (contact.type === 'EXTERNAL_CRYPTO' && network === undefined) return undefined
  const floor = contact.type === 'INTERNAL' ? asset.minimumInternalWithdrawal : asset.minimumWithdrawal
  const increment = parseDecimal(asset.amountIncrement, 'amountIncrement')
  const least = parseDecimal(network?.minimumWithdrawal ?? floor, 'minimum')
  // The fee of the contact's network, plus one increment so that a minimum of zero is an amount.
  const total = least + parseDecimal(network?.withdrawalFee ?? '0', 'fee') + increment
  const amount = settledAmount(asset.assetSymbol, formatDecimal(total as Decimal), 'amount')
  const quantised = quantiseAmountDown(amount, increment)
  return amountTextOf(quantised) === '0' ? undefined : quantised
}

// Computes from the sandbox's double-entry ledger what each order and each withdrawal moved: the net change of the accounts,
// by asset. It does not use the amounts that a movement itself reports. Pure.
import * as z from 'zod/mini'
import type { MovedOrder, MovedWithdrawal, Movement } from '../../core/audit/tie-out.ts'
import { total } from '../../views/runs/figures.ts'

/** The part of the sandbox's oracle that this file reads. */
export const oracle = z.object({
  movements: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('order'), id: z.string(), nonce: z.string(), market: z.string(), side: z.string() }),
      z.object({ kind: z.literal('withdrawal'), id: z.string(), nonce: z.string(), assetSymbol: z.string() }),
    ]),
  ),
  ledger: z.array(
    z.object({
      source: z.object({ type: z.string(), id: z.string() }),
      orderId: z.optional(z.string()),
      asset: z.string(),
      from: z.string(),
      to: z.string(),
      amount: z.string(),
    }),
  ),
  invariants: z.object({ ok: z.boolean(), violations: z.array(z.unknown()) }),
})
export type Oracle = z.infer<typeof oracle>
type Entry = Oracle['ledger'][number]
type Asked = Oracle['movements'][number]

const CUSTOMER_ACCOUNTS: ReadonlySet<string> = new Set(['available', 'frozen', 'pending'])

/** A movement for each order and each withdrawal, even if it is only in the ledger and nobody asked for it. */
export function bookedMovements({ movements, ledger }: Pick<Oracle, 'movements' | 'ledger'>): Movement[] {
  // Ids are unique only within their kind.
  const known = (kind: Asked['kind']) => new Set(movements.filter((asked) => asked.kind === kind).map(({ id }) => id))
  return [
    ...movements.map((asked) => booked(asked, ledger)),
    ...idsIn(ledger, orderOf, known('order')).map(unaskedOrder),
    ...idsIn(ledger, withdrawalOf, known('withdrawal')).map((id) => booked(unaskedWithdrawal(id), ledger)),
  ]
}

function booked(asked: Asked, ledger: readonly Entry[]): Movement {
  return asked.kind === 'order' ? bookedOrder(asked, ledger) : bookedWithdrawal(asked, ledger)
}

function bookedOrder(asked: Extract<Asked, { kind: 'order' }>, ledger: readonly Entry[]): MovedOrder {
  const [base = '', quote = ''] = asked.market.split('-')
  const entries = ledger.filter((entry) => orderOf(entry) === asked.id)
  // An order that was booked in reverse gives a negative amount, which no result has.
  const [baseNet, quoteNet] = asked.side === 'BUY' ? [gainedBy, lostBy] : [lostBy, gainedBy]
  return {
    ...asked,
    baseAmount: baseNet(isCustomers, entries, base),
    quoteAmount: quoteNet(isCustomers, entries, quote),
  }
}

function bookedWithdrawal(asked: Extract<Asked, { kind: 'withdrawal' }>, ledger: readonly Entry[]): MovedWithdrawal {
  const { assetSymbol } = asked
  const entries = ledger.filter((entry) => withdrawalOf(entry) === asked.id)
  return {
    ...asked,
    amount: gainedBy((account) => account === 'outside', entries, assetSymbol),
    fee: gainedBy((account) => account === 'fees', entries, assetSymbol),
    total: lostBy(isCustomers, entries, assetSymbol),
  }
}

function unaskedOrder(id: string): MovedOrder {
  return { kind: 'order', id, nonce: '', market: '', side: '', baseAmount: '', quoteAmount: '' }
}

function unaskedWithdrawal(id: string): Extract<Asked, { kind: 'withdrawal' }> {
  return { kind: 'withdrawal', id, nonce: '', assetSymbol: '' }
}

function idsIn(
  ledger: readonly Entry[],
  idOf: (entry: Entry) => string | undefined,
  known: ReadonlySet<string>,
): string[] {
  return [...new Set(ledger.flatMap((entry) => idOf(entry) ?? []))].filter((id) => !known.has(id))
}

function orderOf({ orderId }: Entry): string | undefined {
  return orderId
}

function withdrawalOf({ source }: Entry): string | undefined {
  return source.type === 'withdrawal' ? source.id : undefined
}

function isCustomers(account: string): boolean {
  return CUSTOMER_ACCOUNTS.has(account)
}

type Net = (isTheirs: (account: string) => boolean, entries: readonly Entry[], asset: string) => string

/** The amount that entered those accounts, minus the amount that left them. */
const gainedBy: Net = (isTheirs, entries, asset) =>
  total(
    entries
      .filter((entry) => entry.asset === asset)
      .flatMap(({ from, to, amount }) => [
        ...(isTheirs(to) ? [amount] : []),
        ...(isTheirs(from) ? [`-${amount}`] : []),
      ]),
  )

/** The amount that left those accounts, minus the amount that entered them. */
const lostBy: Net = (isTheirs, entries, asset) =>
  gainedBy(
    isTheirs,
    entries.map((entry) => ({ ...entry, from: entry.to, to: entry.from })),
    asset,
  )

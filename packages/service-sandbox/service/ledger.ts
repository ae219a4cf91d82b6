// Keeps the double-entry ledger. Every transfer moves an amount of one asset from one account to another and names its
// cause; balances are the sums of the transfers. Owns two invariants: the accounts of an asset sum to zero, and no
// account of the customer is negative.

import { type Amount, ZERO } from './amount.ts'

/** Accounts of the customer. The dealer has promised `pending`; the customer cannot use it yet. */
const CUSTOMER_ACCOUNTS = ['available', 'frozen', 'pending'] as const
/** Accounts on the other side. Negative where the account has given more than it received. */
const COUNTER_ACCOUNTS = ['dealer', 'outside', 'transit', 'fees', 'opening'] as const
export type CustomerAccount = (typeof CUSTOMER_ACCOUNTS)[number]
export type Account = CustomerAccount | (typeof COUNTER_ACCOUNTS)[number]
const ACCOUNTS = [...CUSTOMER_ACCOUNTS, ...COUNTER_ACCOUNTS]

export interface Source {
  readonly type: 'fill' | 'order' | 'withdrawal' | 'deposit' | 'adjustment' | 'opening'
  readonly id: string
}

export interface Transfer {
  /** The type from the customer's side. */
  readonly type: string
  readonly source: Source
  /** The order that caused the transfer, if any. */
  readonly orderId?: string
  readonly atMs: number
  /** Settled code. */
  readonly asset: string
  readonly from: Account
  readonly to: Account
  /** Settled units, above zero. */
  readonly amount: Amount
}

export interface Entry extends Transfer {
  /** Counts from 1, in the order of posting. */
  readonly sequence: number
}

export type Position = Readonly<Record<Account, Amount>>

/** The accounts that make up the customer's balance. A transfer between these two is neither a debit nor a credit. */
const IN_BALANCE: ReadonlySet<Account> = new Set<Account>(['available', 'frozen'])

export class Ledger {
  readonly entries: Entry[] = []
  /** The entries that changed the customer's balance. */
  readonly statement: Entry[] = []
  readonly #positions = new Map<string, Record<Account, Amount>>()
  readonly #dateOf: (atMs: number) => number

  /** @param dateOf how entries are dated */
  constructor(dateOf: (atMs: number) => number = (atMs) => atMs) {
    this.#dateOf = dateOf
  }

  /** Posts all transfers, or throws and posts nothing when one is impossible. A zero amount leaves no entry. */
  post(transfers: readonly Transfer[]): void {
    const moving = transfers.filter((transfer) => !transfer.amount.isZero())
    const touched = new Map<string, Record<Account, Amount>>()
    for (const { asset, from, to, amount, type } of moving) {
      if (amount.lt(ZERO)) throw new Error(`a transfer of a negative amount: ${type}`)
      const position = touched.get(asset) ?? { ...this.position(asset) }
      position[from] = position[from].minus(amount)
      position[to] = position[to].plus(amount)
      touched.set(asset, position)
    }
    for (const [asset, position] of touched) {
      const violation = findViolation(asset, position)
      if (violation !== undefined) throw new Error(violation)
    }
    for (const [asset, position] of touched) this.#positions.set(asset, position)
    for (const transfer of moving) {
      const entry = { ...transfer, atMs: this.#dateOf(transfer.atMs), sequence: this.entries.length + 1 }
      this.entries.push(entry)
      if (IN_BALANCE.has(entry.from) !== IN_BALANCE.has(entry.to)) this.statement.push(entry)
    }
  }

  position(asset: string): Position {
    return this.#positions.get(asset) ?? EMPTY
  }

  /** Returns the change of the customer's balance by an entry of the statement. */
  static balanceChange(entry: Entry): Amount {
    return IN_BALANCE.has(entry.to) ? entry.amount : entry.amount.neg()
  }

  /** Whether anything of the asset has ever moved. */
  isHeld(asset: string): boolean {
    return this.#positions.has(asset)
  }

  /** Checks the positions as they are. Cheap, so it runs after every request. */
  violations(): string[] {
    const found: string[] = []
    for (const [asset, position] of this.#positions) {
      const violation = findViolation(asset, position)
      if (violation !== undefined) found.push(violation)
    }
    return found
  }

  /** Computes the positions again from every entry and compares them with the kept positions. Thorough, and slower. */
  audit(): string[] {
    const rebuilt = new Map<string, Record<Account, Amount>>()
    for (const { asset, from, to, amount } of this.entries) {
      const position = rebuilt.get(asset) ?? { ...EMPTY }
      position[from] = position[from].minus(amount)
      position[to] = position[to].plus(amount)
      rebuilt.set(asset, position)
    }
    const found = this.violations()
    for (const asset of new Set([...rebuilt.keys(), ...this.#positions.keys()])) {
      const fromEntries = rebuilt.get(asset) ?? EMPTY
      for (const account of ACCOUNTS) {
        if (!fromEntries[account].eq(this.position(asset)[account])) {
          found.push(`${asset} ${account}: the entries do not add up to the position`)
        }
      }
    }
    return found
  }
}

const EMPTY: Position = {
  available: ZERO,
  frozen: ZERO,
  pending: ZERO,
  dealer: ZERO,
  outside: ZERO,
  transit: ZERO,
  fees: ZERO,
  opening: ZERO,
}

function findViolation(asset: string, position: Position): string | undefined {
  let sum = ZERO
  for (const account of ACCOUNTS) sum = sum.plus(position[account])
  if (!sum.isZero()) return `${asset}: the accounts sum to ${sum}, not to zero`
  const negative = CUSTOMER_ACCOUNTS.find((account) => position[account].lt(ZERO))
  return negative && `${asset}: the customer's ${negative} amount is below zero`
}

// Defines facts: every change of the account and the markets, as values that can be written down. Applying the same facts in
// the same order to the same opening gives the same world. Only counts of requests change without a fact.
import { type Amount, amountOfUnits, isAmount, unitsOf } from './amount.ts'
import type { Manners } from './manners/manners.ts'
import type { AcceptedWithdrawal, Deposit, Fill, PlacedOrder, Quote, WithdrawalStep } from './records.ts'

/** Requests allowed in one window. */
export interface Limits {
  readonly perKey: number
  readonly perAccount: number
  /** Length of the window; 60 when absent. */
  readonly windowSeconds?: number
}

/** How an asset is listed: with prices, without prices, or not at all. */
export type Listing = 'full' | 'unpriced' | 'unlisted'

export type Fact =
  | { readonly kind: 'clock.moved'; readonly offsetMs: number }
  | { readonly kind: 'nonce.used'; readonly keyName: string; readonly nonce: string; readonly keepUntilMs: number }
  | { readonly kind: 'quote.made'; readonly quote: Quote }
  | { readonly kind: 'order.placed'; readonly order: PlacedOrder; readonly fill?: Fill }
  | { readonly kind: 'order.filled'; readonly fill: Fill }
  | { readonly kind: 'order.failed'; readonly orderId: string; readonly atMs: number }
  | { readonly kind: 'deposit.credited'; readonly deposit: Deposit }
  | {
      readonly kind: 'balance.lowered'
      readonly id: string
      readonly assetSymbol: string
      readonly amount: Amount
      readonly atMs: number
    }
  | { readonly kind: 'price.fixed'; readonly marketId: string; readonly mid: Amount | null }
  | { readonly kind: 'listing.set'; readonly assetSymbol: string; readonly listing: Listing }
  | { readonly kind: 'multiplier.set'; readonly assetSymbol: string; readonly multiplier: Amount }
  /** The withdrawal fee on this network from now on. */
  | { readonly kind: 'fee.set'; readonly assetSymbol: string; readonly networkId: string; readonly fee: Amount }
  | { readonly kind: 'capacity.set'; readonly assetSymbol: string; readonly total: Amount }
  | { readonly kind: 'withdrawal.accepted'; readonly withdrawal: AcceptedWithdrawal }
  | { readonly kind: 'withdrawal.moved'; readonly withdrawalId: string; readonly step: WithdrawalStep }
  | {
      readonly kind: 'contact.labelled'
      readonly contactId: string
      readonly reference: string | null
      readonly alias: string
      readonly atMs: number
    }
  | {
      readonly kind: 'contact.moved'
      readonly contactId: string
      readonly destination: string
      readonly networkId: string | null
      readonly alias: string
      readonly atMs: number
    }
  | { readonly kind: 'key.rotated'; readonly keyName: string; readonly secret: string; readonly atMs: number }
  | { readonly kind: 'key.revoked'; readonly keyName: string }
  | { readonly kind: 'key.addresses-set'; readonly keyName: string; readonly allowedIps: readonly string[] | null }
  | { readonly kind: 'signing-key.added'; readonly keyName: string; readonly publicKeyPem: string }
  | { readonly kind: 'signing-key.revoked'; readonly keyName: string; readonly signingKeyId: string }
  | { readonly kind: 'account.set'; readonly apiAccess: boolean; readonly twoFactor: boolean }
  | { readonly kind: 'maintenance.set'; readonly on: boolean }
  | { readonly kind: 'limits.set'; readonly limits: Limits }
  /** `profile`: the profile that the manners came with, if any. */
  | { readonly kind: 'manners.set'; readonly manners: Manners; readonly profile?: string }

/** Returns one line of JSON. JSON has no type for amounts, so they are written as {"units": "…"}. */
export function encodeFact(fact: Fact): string {
  return JSON.stringify(fact, function (this: Readonly<Record<string, unknown>>, name, value: unknown) {
    // An amount has already turned itself into text here. Its holder still has the amount itself.
    const held = this[name]
    return isAmount(held) ? { units: unitsOf(held) } : value
  })
}

/** Throws SyntaxError for text that is not JSON. */
export function decodeFact(line: string): Fact {
  return JSON.parse(line, (_name, value: unknown) => (isUnits(value) ? amountOfUnits(value.units) : value)) as Fact
}

function isUnits(value: unknown): value is { readonly units: string } {
  return typeof value === 'object' && value !== null && 'units' in value && typeof value.units === 'string'
}

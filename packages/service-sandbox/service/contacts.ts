// Holds reference data: the saved destinations of the seeded account, of every type and of the chains that tests need.
// The API never creates contacts; it changes only their label.
import { seededText, seededUuid } from './seeded.ts'

export interface Contact {
  readonly id: string
  readonly type: 'INTERNAL' | 'EXTERNAL_CRYPTO' | 'BANK_ACCOUNT'
  /** The caller's label. */
  readonly reference: string | null
  readonly alias: string
  /** Settled code; null for INTERNAL, which takes any asset. */
  readonly assetSymbol: string | null
  /** Canonical chain key; null off chain. */
  readonly networkId: string | null
  /** On chain, the address; for a bank, the account number. */
  readonly destination: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

const ROWS: readonly (readonly [
  type: Contact['type'],
  reference: string | null,
  alias: string,
  assetSymbol: string | null,
  networkId: string | null,
])[] = [
  ['EXTERNAL_CRYPTO', 'cold-usdc-polygon', 'Cold storage USDC', 'USDC', 'POLYGON'],
  ['EXTERNAL_CRYPTO', 'exchange-usdc-eth', 'Exchange USDC', 'USDC', 'ETH'],
  ['EXTERNAL_CRYPTO', 'supplier-usdt-tron', 'Supplier USDT', 'USDT', 'TRON'],
  ['EXTERNAL_CRYPTO', 'cold-btc', 'Cold storage BTC', 'BTC', 'BITCOIN'],
  ['EXTERNAL_CRYPTO', 'cold-eth', 'Cold storage ETH', 'ETH', 'ETH'],
  ['EXTERNAL_CRYPTO', 'equity-vault', 'Equity vault', 'AAPLSPV', 'SOLANA'],
  ['EXTERNAL_CRYPTO', null, 'Spending wallet', 'USDC', 'SOLANA'],
  ['BANK_ACCOUNT', 'house-bank-usd', 'House bank USD', 'USD', null],
  ['BANK_ACCOUNT', 'house-bank-eur', 'House bank EUR', 'EUR', null],
  ['BANK_ACCOUNT', 'instant-clp', 'Instant transfer CLP', 'CLP', null],
  ['INTERNAL', 'subsidiary', 'Subsidiary', null, null],
]

/** Returns the contacts of a world. Their ids follow from the seed alone, so configurations may name them. */
export function seededContacts(seed: string, openedAtMs: number): Contact[] {
  return ROWS.map(([type, reference, alias, assetSymbol, networkId], index) => ({
    id: seededUuid(seed, `contact ${index}`),
    type,
    reference,
    alias,
    assetSymbol,
    networkId,
    destination: seededText(seed, `destination ${index}`, type === 'BANK_ACCOUNT' ? 12 : 34),
    createdAtMs: openedAtMs,
    updatedAtMs: openedAtMs,
  }))
}

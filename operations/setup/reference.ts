// Reads the service's data that a policy may name. Reads only.
import type { Asset } from '../../core/service/assets.ts'
import type { Contact } from '../../core/service/contacts.ts'
import type { Market } from '../../core/service/markets.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'

export interface Reference {
  readonly assets: readonly Pick<Asset, 'assetSymbol' | 'rebasedSymbol'>[]
  readonly markets: readonly Pick<Market, 'baseAsset' | 'quoteAsset'>[]
  readonly contacts: readonly (Pick<Contact, 'id'> & {
    readonly reference: string | null
    readonly asset: string | null
  })[]
  /** The balances of the account that are not zero, in settled units. Absent where they were not read. */
  readonly held?: readonly { readonly assetSymbol: string; readonly amount: string }[]
  /** Names of the policies that the file has already. */
  readonly policies?: readonly string[]
}

/** @throws Refused, Transient, Defect */
export async function readReference(client: ServiceClient): Promise<Reference> {
  const [assets, markets, contacts, balances] = await Promise.all([
    client.assets(),
    client.markets(),
    client.contacts(),
    client.balances(),
  ])
  return {
    assets,
    held: balances
      .filter(({ balance }) => /[1-9]/.test(balance))
      .map(({ assetSymbol, balance }) => ({ assetSymbol, amount: balance })),
    markets,
    contacts: contacts.map(({ id, reference, crypto, bank }) => ({
      id,
      reference: reference ?? null,
      asset: crypto?.assetSymbol ?? bank?.assetSymbol ?? null,
    })),
  }
}

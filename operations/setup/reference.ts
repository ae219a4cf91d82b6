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
}

/** @throws Refused, Transient, Defect */
export async function readReference(client: ServiceClient): Promise<Reference> {
  const [assets, markets, contacts] = await Promise.all([client.assets(), client.markets(), client.contacts()])
  return {
    assets,
    markets,
    contacts: contacts.map(({ id, reference, crypto, bank }) => ({
      id,
      reference: reference ?? null,
      asset: crypto?.assetSymbol ?? bank?.assetSymbol ?? null,
    })),
  }
}

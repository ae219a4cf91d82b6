// Changes the assets that the service lists, and where contacts lead, as the operator or the account's owner would do
// it outside the API.
import * as z from 'zod/mini'
import { assetOf, findAsset } from '../assets.ts'
import { assetCode, oneOf, optional, text } from '../fields.ts'
import { invalid, notFound } from '../problem.ts'
import { readFields } from '../read-fields.ts'
import { showContact } from '../resources/contact-resource.ts'
import type { World } from '../world.ts'

const listingFields = z.strictObject({ assetSymbol: assetCode, listing: oneOf('full', 'unpriced', 'unlisted') })

/**
 * `unpriced`: the asset's markets are listed but not quoted. `unlisted`: the asset is in no list, and balances of it
 * stay.
 */
export function changeListing(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, listing } = readFields(listingFields, body)
  const asset = findAsset(assetSymbol)
  if (asset === undefined) throw notFound('asset')
  world.commit({ kind: 'listing.set', assetSymbol: asset.symbol, listing })
  return { assetSymbol: asset.symbol, listing }
}

const contactFields = z.strictObject({
  destination: optional(text(128)),
  networkId: optional(text(64)),
  alias: optional(text(128)),
})

/** Sets another address, network or alias. Each counts as a change of the contact. */
export function changeContact(world: World, id: string, body: Record<string, unknown>): unknown {
  const contact = world.contacts.get(id)
  if (contact === undefined) throw notFound('contact')
  const given = readFields(contactFields, body)
  const { destination = contact.destination, networkId = contact.networkId, alias = contact.alias } = given
  if (networkId !== contact.networkId && !leadsThere(contact.assetSymbol, networkId))
    throw invalid('Field networkId: expected a network of the asset of the contact.')
  world.commit({ kind: 'contact.moved', contactId: id, destination, networkId, alias, atMs: world.nowMs() })
  return showContact(world.contacts.get(id) ?? contact)
}

function leadsThere(assetSymbol: string | null, networkId: string | null): boolean {
  return assetSymbol !== null && assetOf(assetSymbol).networks.some((network) => network.networkId === networkId)
}

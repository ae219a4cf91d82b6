// ContactResource (description, "Resources and their fields"): the type decides which details a contact has.
// `networkSymbol` is an old stored value, not a key.
import { assetOf } from '../assets.ts'
import type { Contact } from '../contacts.ts'
import { showTime } from '../representation.ts'

export function showContact(contact: Contact): Record<string, unknown> {
  return {
    id: contact.id,
    reference: contact.reference,
    type: contact.type,
    alias: contact.alias,
    createdAt: showTime(contact.createdAtMs),
    updatedAt: showTime(contact.updatedAtMs),
    ...(contact.type === 'EXTERNAL_CRYPTO' && { crypto: showCrypto(contact) }),
    ...(contact.type === 'BANK_ACCOUNT' && { bank: showBank(contact) }),
  }
}

function showCrypto(contact: Contact): Record<string, unknown> {
  const asset = assetOf(contact.assetSymbol ?? '')
  const network = asset.networks.find(({ networkId }) => networkId === contact.networkId)
  return {
    assetSymbol: asset.symbol,
    assetName: asset.name,
    networkSymbol: network === undefined ? null : `${network.networkName.toUpperCase()} MAINNET`,
    networkName: network?.networkName ?? null,
    networkId: contact.networkId,
    address: contact.destination,
  }
}

function showBank(contact: Contact): Record<string, unknown> {
  return {
    assetSymbol: contact.assetSymbol,
    nationalId: null,
    bankId: contact.assetSymbol === 'CLP' ? 'REDPAY' : 'HOUSE',
    bankName: contact.assetSymbol === 'CLP' ? 'Instant transfer network' : 'House Bank',
    accountTypeId: 'CHECKING',
    bankAccountType: 'Current account',
    bankAccountNumber: contact.destination,
    accountEmail: 'treasury@sandbox.example',
  }
}

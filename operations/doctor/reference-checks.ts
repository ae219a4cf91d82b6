// Checks whether the named contacts, assets and markets exist at the service and fit each other, and their smallest
// amounts. Reads only; amounts are settled.

import { formatDecimal, parseDecimal, plus, quantiseDown } from '../../core/money/decimal.ts'
import type { Asset, Network } from '../../core/service/assets.ts'
import type { Contact } from '../../core/service/contacts.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { advice } from '../../place/next-step.ts'
import { remedyAfter } from '../../place/service/service-failure.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok, warn } from './check.ts'
import type { ContactReference, References } from './references.ts'

export async function referenceChecks(references: References, client: ServiceClient): Promise<Check[]> {
  const { contacts, assets, markets } = references
  const checks: Check[] = []
  for (const code of assets) checks.push(await checked(`asset ${code}`, () => assetCheck(code, client)))
  for (const id of markets) checks.push(await checked(`market ${id}`, () => marketCheck(id, client)))
  for (const contact of contacts)
    checks.push(await checked(`contact ${contact.id}`, () => contactCheck(contact, client)))
  return checks
}

/** A failed read is reported under the name that was read. */
async function checked(name: string, look: () => Promise<Check>): Promise<Check> {
  try {
    return await look()
  } catch (error) {
    const code = problemOf(error)?.code ?? ''
    if (code !== 'not_found') return fail(name, messageOf(error), remedyAfter(error))
    const [kind = ''] = name.split(' ', 1)
    return fail(name, 'does not exist', `sluice ${kind}s lists those that do`)
  }
}

async function assetCheck(code: string, client: ServiceClient): Promise<Check> {
  const asset = await client.asset(code)
  const { amountIncrement, assetClass, assetSymbol, rebasedSymbol } = asset
  const spelled = assetSymbol === rebasedSymbol ? assetSymbol : `${assetSymbol} (${rebasedSymbol})`
  return ok(`asset ${code}`, `${spelled}, ${assetClass}, in steps of ${amountIncrement}`)
}

async function marketCheck(id: string, client: ServiceClient): Promise<Check> {
  const market = await client.market(id)
  const base = await client.asset(market.baseAsset)
  const quote = await client.asset(market.quoteAsset)
  const name = `market ${id}`
  const minimums = [
    { asset: base, least: market.minBaseAmount },
    { asset: quote, least: market.minQuoteAmount },
  ]
  const detail = `${market.id}, ${minimums.map(({ asset, least }) => `at least ${least} ${asset.assetSymbol} in steps of ${asset.amountIncrement}`).join(', ')}`
  const odd = minimums.find(({ asset, least }) => !isMultiple(least, asset.amountIncrement))
  if (odd === undefined) return ok(name, detail)
  const next = `ask for the next larger multiple of ${odd.asset.amountIncrement} ${odd.asset.assetSymbol}`
  return warn(name, `${detail}: a minimum is no multiple of its step`, next)
}

async function contactCheck(reference: ContactReference, client: ServiceClient): Promise<Check> {
  const name = `contact ${reference.id}`
  const asset = await client.asset(reference.asset)
  return judgeContact(name, reference, asset, await client.contact(reference.id))
}

/** Whether the contact takes the asset, from which size on, and at what fee. */
export function judgeContact(name: string, reference: ContactReference, asset: Asset, contact: Contact): Check {
  return findMismatch(name, reference, asset, contact) ?? destinationCheck(name, asset, contact)
}

function findMismatch(name: string, reference: ContactReference, asset: Asset, contact: Contact): Check | undefined {
  if (reference.asset !== asset.assetSymbol) {
    const detail = `${reference.asset} is not the settled code, which is ${asset.assetSymbol}`
    return fail(name, detail, `withdrawals take the settled code only: name ${asset.assetSymbol}`)
  }
  const itsAsset = contact.crypto?.assetSymbol ?? contact.bank?.assetSymbol ?? null
  if (contact.type !== 'INTERNAL' && itsAsset !== asset.assetSymbol && itsAsset !== asset.rebasedSymbol) {
    const detail = `"${contact.alias}" is for ${itsAsset ?? 'an unknown asset'}, not for ${asset.assetSymbol}`
    return fail(name, detail, advice`name a contact of that asset: ${{ do: 'query', query: 'contacts' }} lists them`)
  }
  const itsNetwork = contact.crypto?.networkId ?? null
  if (reference.network === undefined || reference.network === itsNetwork) return undefined
  const detail = `"${contact.alias}" is on ${itsNetwork ?? 'no network'}, not on ${reference.network}`
  return fail(name, detail, 'name a contact on that network: the chain is always the contact’s')
}

/** The smallest withdrawal to it, and its cost (description, "NetworkResource"). */
function destinationCheck(name: string, asset: Asset, contact: Contact): Check {
  const { assetSymbol, minimumInternalWithdrawal, minimumWithdrawal } = asset
  if (contact.type === 'INTERNAL')
    return ok(name, `"${contact.alias}", INTERNAL: at least ${minimumInternalWithdrawal} ${assetSymbol}, no fee`)
  if (contact.type !== 'EXTERNAL_CRYPTO')
    return ok(name, `"${contact.alias}", ${contact.type}: at least ${minimumWithdrawal} ${assetSymbol}, no fee`)
  const network = asset.networks.find(({ networkId }) => networkId !== null && networkId === contact.crypto?.networkId)
  if (network === undefined) {
    const detail = `"${contact.alias}" is on ${contact.crypto?.networkId ?? 'no network'}, where ${assetSymbol} is not withdrawn to`
    return fail(name, detail, 'its fee and minimum are unknown: name a contact on one of the networks of the asset')
  }
  return networkCheck(name, asset, contact, network)
}

function networkCheck(name: string, asset: Asset, contact: Contact, network: Network): Check {
  const { minimumWithdrawal, withdrawalFee, networkId } = network
  // The minimum is the amount that arrives. If the fee is deducted, it is added to the minimum.
  const smallest = sumOf(minimumWithdrawal, withdrawalFee)
  const detail = `"${contact.alias}", ${asset.assetSymbol} on ${networkId}: fee ${withdrawalFee}, at least ${minimumWithdrawal}, and ${smallest} where the fee is deducted`
  if (isMultiple(smallest, asset.amountIncrement)) return ok(name, detail)
  return warn(
    name,
    `${detail}: no multiple of the step ${asset.amountIncrement}`,
    `withdraw the next larger multiple of ${asset.amountIncrement}`,
  )
}

function sumOf(left: string, right: string): string {
  return formatDecimal(plus(parseDecimal(left, 'minimum'), parseDecimal(right, 'fee')))
}

function isMultiple(amount: string, increment: string): boolean {
  const value = parseDecimal(amount, 'amount')
  return quantiseDown(value, parseDecimal(increment, 'increment')) === value
}

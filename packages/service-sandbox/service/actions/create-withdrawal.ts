// POST /v2/withdrawals: sends an asset to a saved destination. Signed, settled units only. A rejection moves nothing,
// because every check comes before the only commit.

import { type Amount, formatAmount, truncateTo, ZERO } from '../amount.ts'
import { type Asset, findAsset, type Network } from '../assets.ts'
import type { Contact } from '../contacts.ts'
import { action, type Circumstances, movementRequest } from '../exchange.ts'
import { assetCode, oneOf, opaqueId, optional, positiveAmount, text, withDefault } from '../fields.ts'
import { unnamedSteps } from '../manners/bodies.ts'
import { doneAt } from '../manners/manners.ts'
import { invalid, Problem, unprocessable } from '../problem.ts'
import type { AcceptedWithdrawal, WithdrawalStep, WithdrawalSubType } from '../records.ts'
import { showWithdrawal } from '../resources.ts'
import { seededText } from '../seeded.ts'
import type { World } from '../world.ts'

export const createWithdrawal = action({
  method: 'POST',
  path: '/v2/withdrawals',
  summary: 'Sends an asset to a contact',
  access: { tier: 'signed', scope: 'transfers:write' },
  query: {},
  body: {
    assetSymbol: assetCode,
    amount: positiveAmount,
    feeMode: withDefault(oneOf('deduct', 'add'), 'deduct'),
    contactId: optional(opaqueId),
    contactReference: optional(text(128)),
  },
  answers: { 201: 'Withdrawal' },
  answer: ({ world, nowMs, body, caller, circumstances }) => {
    const asset = settledAsset(world, body.assetSymbol)
    const contact = destination(world, body)
    const network = requireMatch(asset, contact)
    const { amount, fee } = split(
      truncateTo(body.amount, asset.increment),
      body.feeMode,
      network?.withdrawalFee ?? ZERO,
    )
    requireMinimum(asset, contact, network, amount)
    if (world.ledger.position(asset.symbol).available.lt(amount.plus(fee))) {
      throw unprocessable(`The available balance of ${asset.symbol} is not enough.`)
    }
    const doneAtMs = doneAt(world, nowMs)
    const isSlow = doneAtMs > nowMs
    const steps = stepsOf(world, contact, circumstances, doneAtMs)
    const withdrawal: AcceptedWithdrawal = {
      id: world.newId('withdrawal'),
      subType: subTypeOf(contact),
      assetSymbol: asset.symbol,
      amount,
      fee,
      multiplier: world.multiplier(asset.symbol),
      contactId: contact.id,
      networkId: network?.networkId ?? null,
      createdAtMs: world.rowDate('withdrawal', doneAtMs),
      visibleAtMs: Math.max(doneAtMs, nowMs + (circumstances.lateVisibilityMs ?? 0)),
      asked: movementRequest(caller, nowMs, doneAtMs),
      steps: isSlow ? [{ atMs: doneAtMs, status: 'PENDING' }, ...steps] : steps,
      ...(world.manners.books === 'completion' ? { booksAt: 'COMPLETED' } : isSlow && { booksAt: 'PENDING' }),
    }
    world.commit({ kind: 'withdrawal.accepted', withdrawal })
    world.settleDue(nowMs)
    const show = () => {
      const accepted = world.withdrawals.find(withdrawal.id)
      if (accepted === undefined) throw new Error('the accepted withdrawal does not exist')
      return showWithdrawal(accepted, 'base')
    }
    return isSlow ? { status: 201, readyAtMs: doneAtMs, bodyThen: show } : { status: 201, body: show() }
  },
})

/** Throws validation_error. For a rebased ticker the error shows the settled code to send. */
function settledAsset(world: World, code: string): Asset {
  const asset = findAsset(code)
  if (asset === undefined) throw invalid('Field assetSymbol: expected the settled code of a supported asset.')
  if (code.toUpperCase() === asset.symbol) return world.asset(asset.symbol)
  const multiplier = formatAmount(world.multiplier(asset.symbol))
  throw new Problem(
    'validation_error',
    `Field assetSymbol: withdrawals take the settled code ${asset.symbol} and settled amounts. ` +
      `Settled amount = ${asset.rebasedSymbol} amount / ${multiplier}.`,
    { extensions: { assetSymbol: asset.symbol, rebasedSymbol: asset.rebasedSymbol, multiplier } },
  )
}

function destination(
  world: World,
  { contactId, contactReference }: { readonly contactId?: string; readonly contactReference?: string },
): Contact {
  if ((contactId === undefined) === (contactReference === undefined)) {
    throw invalid('Give either contactId or contactReference.')
  }
  const contacts = [...world.contacts.values()]
  const found = contacts.filter((contact) =>
    contactId === undefined
      ? contact.reference === contactReference || contact.alias === contactReference
      : contact.id === contactId,
  )
  const [contact] = found
  if (contact === undefined) throw unprocessable('There is no such contact.')
  if (found.length > 1) throw unprocessable('More than one contact has this reference or alias.')
  return contact
}

/** Returns the contact's network, if it has one. Throws unprocessable when asset and contact do not match. */
function requireMatch(asset: Asset, contact: Contact): Network | undefined {
  if (contact.assetSymbol !== null && contact.assetSymbol !== asset.symbol) {
    throw unprocessable('The contact is registered for another asset.')
  }
  if (contact.networkId === null) return undefined
  const network = asset.networks.find(({ networkId }) => networkId === contact.networkId)
  if (network === undefined) throw unprocessable('The asset cannot be withdrawn on the network of the contact.')
  return network
}

/**
 * Returns the amount that arrives and the fee. `given` is the total under deduct, and the arriving amount under add.
 */
function split(given: Amount, feeMode: 'deduct' | 'add', fee: Amount): { amount: Amount; fee: Amount } {
  return { amount: feeMode === 'deduct' ? given.minus(fee) : given, fee }
}

/** The minimum applies to the amount sent, so under deduct the fee comes on top. */
function requireMinimum(asset: Asset, contact: Contact, network: Network | undefined, sent: Amount): void {
  const floor = contact.type === 'INTERNAL' ? asset.minimumInternalWithdrawal : asset.minimumWithdrawal
  const minimum = network?.minimumWithdrawal ?? floor
  if (sent.lt(minimum)) {
    throw unprocessable(
      `The amount that would arrive is below the minimum of ${formatAmount(minimum)} ${asset.symbol}.`,
    )
  }
}

function subTypeOf(contact: Contact): WithdrawalSubType {
  if (contact.type === 'BANK_ACCOUNT') {
    return contact.assetSymbol === 'CLP' ? 'EXTERNAL_FIAT_REDPAY' : 'EXTERNAL_FIAT_BANK'
  }
  return contact.type
}

/** Returns the future steps of a withdrawal. An internal one completes at once; others take time or fail. */
function stepsOf(world: World, contact: Contact, circumstances: Circumstances, nowMs: number): WithdrawalStep[] {
  const steps = namedStepsOf(world, contact, circumstances, nowMs)
  return [...unnamedSteps(world.manners, nowMs, steps), ...steps]
}

function namedStepsOf(world: World, contact: Contact, circumstances: Circumstances, nowMs: number): WithdrawalStep[] {
  if (circumstances.failLater !== undefined) {
    const { afterMs, refund } = circumstances.failLater
    return [{ atMs: nowMs + afterMs, status: 'FAILED', ...(!refund && { keepsTotal: true }) }]
  }
  const { broadcastMs, completeMs } = world.pace
  if (contact.type === 'INTERNAL') return [{ atMs: nowMs, status: 'COMPLETED' }]
  if (contact.type === 'BANK_ACCOUNT') {
    const bankReference = seededText(world.newHex('bank reference'), 'bank reference', 12)
    return [{ atMs: nowMs + completeMs, status: 'COMPLETED', bankReference }]
  }
  return [
    { atMs: nowMs + broadcastMs, status: 'PROCESSING', transactionHash: world.newHex('transaction') },
    { atMs: nowMs + completeMs, status: 'COMPLETED' },
  ]
}

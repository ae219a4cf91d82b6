// Adds and removes money by control calls, sets how much the account may owe, and moves a withdrawal to a later
// status. Everything is booked, so the ledger still sums to zero.
import * as z from 'zod/mini'
import { type Amount, formatAmount, truncateTo, ZERO } from '../amount.ts'
import { type Asset, findAsset } from '../assets.ts'
import { amountOrZero, assetCode, oneOf, optional, positiveAmount, text } from '../fields.ts'
import { invalid, notFound, unprocessable } from '../problem.ts'
import { readFields } from '../read-fields.ts'
import type { Withdrawal, WithdrawalStep } from '../records.ts'
import { showWithdrawal } from '../resources.ts'
import { isFinal } from '../withdrawal-book.ts'
import type { World } from '../world.ts'

const balanceFields = z.strictObject({
  assetSymbol: assetCode,
  credit: optional(positiveAmount),
  balance: optional(amountOrZero),
})
const feeFields = z.strictObject({ assetSymbol: assetCode, networkId: text(64), fee: amountOrZero })
const capacityFields = z.strictObject({ assetSymbol: assetCode, total: amountOrZero })

/** `credit` adds a deposit. `balance` sets the available amount, by a deposit or an adjustment of the difference. */
export function changeBalance(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, credit, balance } = readFields(balanceFields, body)
  const asset = assetNamed(assetSymbol)
  if ((credit === undefined) === (balance === undefined)) throw invalid('Give either credit or balance.')
  const { available } = world.ledger.position(asset.symbol)
  const target = truncateTo(balance ?? available.plus(credit ?? ZERO), asset.increment)
  if (target.gt(available)) deposit(world, asset, target.minus(available))
  if (target.lt(available)) {
    const about = { assetSymbol: asset.symbol, amount: available.minus(target), atMs: world.nowMs() }
    world.commit({ kind: 'balance.lowered', id: world.newId('adjustment'), ...about })
  }
  // New funds pay orders on credit.
  world.settleDue(world.nowMs())
  return { assetSymbol: asset.symbol, available: formatAmount(world.ledger.position(asset.symbol).available) }
}

function deposit(world: World, asset: Asset, amount: Amount): void {
  if (amount.lt(asset.minimumDeposit)) {
    throw unprocessable(`The deposit is below the minimum of ${formatAmount(asset.minimumDeposit)} ${asset.symbol}.`)
  }
  const multiplier = world.multiplier(asset.symbol)
  const about = { assetSymbol: asset.symbol, amount, multiplier, createdAtMs: world.rowDate('deposit', world.nowMs()) }
  world.commit({ kind: 'deposit.credited', deposit: { id: world.newId('deposit'), ...about } })
}

/** Sets how much of an asset the account may owe, in settled units. */
export function setCapacity(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, total } = readFields(capacityFields, body)
  const asset = assetNamed(assetSymbol)
  world.commit({ kind: 'capacity.set', assetSymbol: asset.symbol, total: truncateTo(total, asset.increment) })
  const capacity = world.credit.capacity(asset.symbol)
  return { assetSymbol: asset.symbol, total: formatAmount(capacity?.total ?? ZERO) }
}

/** Sets the fee of withdrawals of an asset on a network, from now on. */
export function setFee(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, networkId, fee } = readFields(feeFields, body)
  const asset = assetNamed(assetSymbol)
  if (!asset.networks.some((network) => network.networkId === networkId))
    throw invalid('Field networkId: expected a network of the asset.')
  world.commit({ kind: 'fee.set', assetSymbol: asset.symbol, networkId, fee: truncateTo(fee, asset.increment) })
  return { assetSymbol: asset.symbol, networkId, fee: formatAmount(fee) }
}

/** Throws not_found. */
export function assetNamed(code: string): Asset {
  const asset = findAsset(code)
  if (asset === undefined) throw notFound('asset')
  return asset
}

const fields = z.strictObject({ status: oneOf('PROCESSING', 'COMPLETED', 'FAILED') })

export function moveWithdrawal(world: World, id: string, body: Record<string, unknown>): unknown {
  const { status } = readFields(fields, body)
  const withdrawal = world.withdrawals.find(id)
  if (withdrawal === undefined) throw notFound('withdrawal')
  if (isFinal(withdrawal.status) || withdrawal.status === status) {
    throw unprocessable(`The withdrawal is ${withdrawal.status} already.`)
  }
  // Facts of the skipped steps become known now.
  const skipped =
    status === 'FAILED' ? [] : withdrawal.steps.slice(withdrawal.stepsDone, lastStepTo(withdrawal, status))
  const known: Omit<WithdrawalStep, 'atMs' | 'status'> = Object.assign({}, ...skipped.map(revealed))
  world.commit({ kind: 'withdrawal.moved', withdrawalId: id, step: { ...known, status, atMs: world.nowMs() } })
  return showWithdrawal(withdrawal, 'base')
}

/** Returns the number of planned steps up to a status. */
function lastStepTo({ steps }: Withdrawal, status: WithdrawalStep['status']): number {
  return steps.findIndex((step) => step.status === status) + 1
}

function revealed({ transactionHash, bankReference }: WithdrawalStep): Omit<WithdrawalStep, 'atMs' | 'status'> {
  return { ...(transactionHash && { transactionHash }), ...(bankReference && { bankReference }) }
}

// What one environment of a function sees of the service's withdrawals, over a network that loses,
// delays and doubles. Lists are walked, and rows read, by the client's own code; their pages shift
// while they are walked. Service time is the product's own.
import { amountTextOf } from '../../functions/shared/money/amount.ts'
import type { PreparedWithdrawal, WithdrawalAnswer, WithdrawalSender } from '../../functions/shared/service/ports.ts'
import type { Reader } from '../../functions/shared/service/reader.ts'
import { createServiceClock } from '../../functions/shared/service/service-clock.ts'
import { listWithdrawals, settledWithdrawals } from '../../functions/shared/service/withdrawals.ts'
import type { WithdrawalReads, WithdrawalTerms } from '../../functions/shared/withdrawal/ports.ts'
import type { Machine } from './machine.ts'
import { deliver } from './network.ts'
import { type Read, reading, timeOf } from './service-time.ts'
import { ASSET, CONTACT, type Movement, type SignedWithdrawal, type WithdrawalModel } from './withdrawal-model.ts'

/** Small, so that few rows are many pages; a service may give fewer than were asked for. */
const ROWS_A_PAGE = 2

/** Each call pauses, and may go wrong as the schedule says. */
export function connectWithdrawals(
  model: WithdrawalModel,
  machine: Machine,
): WithdrawalReads & WithdrawalSender & WithdrawalTerms {
  const clock = createServiceClock(timeOf(model, machine), machine)
  const read = reading(model, machine)
  const reader = pagesOf(model, read)
  machine.memory.keyNumber = model.keyNumber
  return {
    clock,
    accountId: () => read(() => 'account-1', 'looks'),
    asset: () =>
      read(() => ({
        assetSymbol: ASSET.assetSymbol,
        rebasedSymbol: ASSET.rebasedSymbol,
        amountIncrement: '0.000001',
        minimumWithdrawal: '10',
        minimumInternalWithdrawal: '1',
        networks: [{ networkId: CONTACT.networkId, withdrawalFee: model.fee, minimumWithdrawal: '10' }],
      })),
    contact: (id) => read(() => ({ ...CONTACT, id }), 'looks'),
    findContact: () => read(() => CONTACT, 'looks'),
    findPrice: (base, quote, side) => read(() => model.prices[`${base}-${quote} ${side}`]),
    balance: () => read(() => model.balance),
    listWithdrawals: (filter, limit) => listWithdrawals(reader, filter, limit),
    async findWithdrawal(id) {
      const row = await read(() => model.findRow(id))
      return row && settledWithdrawals.show(rawRow(model, row, settledWithdrawals.assetFormat === 'base') as never)
    },
    isRefunded: (row) => read(() => model.isRefunded(row.id)),
    async prepareWithdrawal({ amount, feeMode, contactId }, tokenLifeSeconds): Promise<PreparedWithdrawal> {
      machine.trace.note('prepare')
      await machine.pause('looks')
      machine.memory.keyNumber ??= model.keyNumber
      const iat = Math.floor(clock.nowMs() / 1000)
      const order = { amount: amountTextOf(amount), feeMode, contactId }
      const nonce = machine.scheduler.newName('nonce')
      const copy: SignedWithdrawal = { order, nonce, exp: iat + tokenLifeSeconds, keyNumber: machine.memory.keyNumber }
      machine.trace.note(copy)
      return {
        facts: { nonce, kid: 'svc_test_0123456789ab', iat, exp: copy.exp, bodySha256: '0'.repeat(64) },
        send: () => sendOnce(model, machine, copy),
      }
    },
    forgetKeys: () => {
      machine.memory.keyNumber = undefined
    },
  }
}

/** GET /v2/withdrawals, a page at a time: what comes in meanwhile shifts the rest. */
function pagesOf(model: WithdrawalModel, read: Read): Reader {
  const readPage = ({ target }: { readonly target: string }): Promise<never> => {
    const page = Number(/[?&]page=(\d+)/.exec(target)?.[1] ?? 1)
    const isSettled = target.includes('assetFormat=base')
    return read(() => {
      const rows = model.visibleRows()
      const from = (page - 1) * ROWS_A_PAGE
      const data = rows.slice(from, from + ROWS_A_PAGE).map((row) => rawRow(model, row, isSettled))
      return { data, pagination: { page, totalItems: rows.length } } as never
    })
  }
  return { read: readPage, readOpenly: readPage, write: readPage }
}

/** As the wire has it: top-level figures in the units asked for, settled ones always beside them. */
function rawRow(model: WithdrawalModel, row: Movement, isSettled: boolean): object {
  const { amount, fee, total, assetSymbol, networkId, contactId: _, nonce: _nonce, atMs: _at, ...facts } = row
  const settled = { amount, fee, total }
  const top = isSettled ? settled : { amount: doubled(amount), fee: doubled(fee), total: doubled(total) }
  return {
    ...facts,
    ...top,
    assetSymbol: isSettled ? assetSymbol : ASSET.rebasedSymbol,
    status: model.statusOf(row),
    multiplier: ASSET.multiplier,
    base: { asset: assetSymbol, ...settled },
    withdrawalData: { networkId, networkName: null, networkNativeAsset: null, evmChainId: null, assetType: null },
  }
}

/** By the asset's factor; figures here have one decimal at most. */
function doubled(figure: string): string {
  return String(Number(figure) * Number(ASSET.multiplier))
}

/** The network between a send and the service. */
async function sendOnce(model: WithdrawalModel, machine: Machine, copy: SignedWithdrawal): Promise<WithdrawalAnswer> {
  machine.trace.note('send')
  await machine.pause()
  model.noteSend(copy.nonce)
  return deliver<WithdrawalAnswer>(machine, copy, {
    accept: () => model.accept(copy),
    spendOnly: () => model.spend(copy.nonce),
    revokeKey: () => model.revokeKey(),
  })
}

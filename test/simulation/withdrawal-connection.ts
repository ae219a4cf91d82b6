// What one environment of a function sees of the service's withdrawals, over a network that loses,
// delays and doubles, and in lists whose pages shift while they are walked. Its service time is the
// product's own.

import { Transient } from '../../functions/shared/errors.ts'
import { amountTextOf } from '../../functions/shared/money/amount.ts'
import type {
  PreparedWithdrawal,
  WithdrawalAnswer,
  WithdrawalSender,
  WithdrawalState,
} from '../../functions/shared/service/ports.ts'
import { createServiceClock } from '../../functions/shared/service/service-clock.ts'
import type { WithdrawalReads, WithdrawalTerms } from '../../functions/shared/withdrawal/ports.ts'
import type { Machine } from './machine.ts'
import { deliver } from './network.ts'
import { timeOf } from './service-time.ts'
import { type SignedWithdrawal, unproven, type WithdrawalModel } from './withdrawal-model.ts'

/** Small, so that few rows are many pages. */
const ROWS_A_PAGE = 2

/** Each call pauses, and may go wrong as the schedule says. */
export function connectWithdrawals(
  model: WithdrawalModel,
  machine: Machine,
): WithdrawalReads & WithdrawalSender & WithdrawalTerms {
  const { scheduler } = machine
  const clock = createServiceClock(timeOf(model, machine), machine)

  async function read<T>(look: () => T): Promise<T> {
    await machine.pause()
    if (model.isDown || scheduler.takeFault(0.05)) throw new Transient('503 on a read')
    const seen = look()
    await machine.pause()
    return seen
  }

  /** As the client walks: page by page until one is not full; what comes in meanwhile shifts the rest. */
  async function listWithdrawals(): Promise<WithdrawalState[]> {
    const rows = new Map<string, WithdrawalState>()
    for (let page = 0; ; page += 1) {
      const from = page * ROWS_A_PAGE
      const listed = await read(() => model.visibleRows().slice(from, from + ROWS_A_PAGE))
      for (const row of listed) rows.set(row.id, row)
      if (listed.length < ROWS_A_PAGE) return [...rows.values()]
    }
  }

  return {
    clock,
    accountId: () => read(() => 'account-1'),
    asset: () =>
      read(() => ({
        assetSymbol: 'USDC',
        amountIncrement: '0.000001',
        minimumWithdrawal: '10',
        minimumInternalWithdrawal: '1',
        networks: [{ networkId: 'ETH', withdrawalFee: model.fee, minimumWithdrawal: '10' }],
      })),
    contact: (id) => read(() => ({ id, type: 'EXTERNAL_CRYPTO', assetSymbol: 'USDC', networkId: 'ETH' })),
    findContact: () => read(() => undefined),
    balance: () => read(() => model.balance),
    listWithdrawals,
    findWithdrawal: (id) => read(() => model.findRow(id)),
    isRefunded: (row) => read(() => model.isRefunded(row.id)),
    async prepareWithdrawal({ amount, feeMode, contactId }, tokenLifeSeconds): Promise<PreparedWithdrawal> {
      await machine.pause()
      const iat = Math.floor(clock.nowMs() / 1000)
      const order = { amount: amountTextOf(amount), feeMode, contactId }
      const copy = { order, nonce: `nonce-${scheduler.random()}`, exp: iat + tokenLifeSeconds }
      return {
        facts: { nonce: copy.nonce, kid: 'svc_test_0123456789ab', iat, exp: copy.exp, bodySha256: '0'.repeat(64) },
        send: () => sendOnce(model, machine, copy),
      }
    },
    forgetKeys: () => undefined,
  }
}

/** The network between a send and the service. */
async function sendOnce(model: WithdrawalModel, machine: Machine, copy: SignedWithdrawal): Promise<WithdrawalAnswer> {
  await machine.pause()
  model.noteSend(copy.nonce)
  return deliver(machine, () => model.accept(copy), unproven)
}

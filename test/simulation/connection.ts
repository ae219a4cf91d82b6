// Connects one function environment to the service, over a network that loses, delays and doubles requests. The
// product's own code keeps service time, and the client's own code walks lists and reads rows.

import type { ServiceKey } from '../../core/keys/key-source.ts'
import { amountTextOf } from '../../core/money/amount.ts'
import { formatDecimal, parseDecimal, plus } from '../../core/money/decimal.ts'
import type { WithdrawalReads, WithdrawalTerms } from '../../core/movements/withdrawal/ports.ts'
import { createKeyAccount } from '../../core/service/account.ts'
import type {
  ConversionService,
  KeyReads,
  OrderSender,
  Prepared,
  SendAnswer,
  WithdrawalAnswer,
  WithdrawalSender,
} from '../../core/service/ports.ts'
import { errorOf } from '../../core/service/problem.ts'
import type { Reader } from '../../core/service/reader.ts'
import { createServiceClock } from '../../core/service/service-clock.ts'
import { listWithdrawals, settledWithdrawals } from '../../core/service/withdrawals.ts'
import { INDICATIVE_RATE, LEGS, TICKER } from './deals.ts'
import { CONVERTED } from './given-up.ts'
import { OWN_ACCOUNT } from './keys.ts'
import type { Machine } from './machine.ts'
import { deliver, type Work } from './network.ts'
import type { SignedOrder } from './order-model.ts'
import { pagesOf, rawRow } from './row-pages.ts'
import type { ServiceModel } from './service-model.ts'
import { asSeenBy, hasRightClock, keyOf, type Read, reading, timeOf } from './service-time.ts'
import type { SignedCopy } from './signed-service.ts'
import { ASSET, CONTACT, type SignedWithdrawal } from './withdrawal-model.ts'

type Connection = ConversionService & OrderSender & WithdrawalReads & WithdrawalSender & WithdrawalTerms

/** Each call pauses, and may fail as the schedule says. The key is read once, because the product caches it. */
export function connect(service: ServiceModel, machine: Machine): Connection {
  const { orders, withdrawals } = service
  const clock = createServiceClock(timeOf(service, machine), machine)
  const read = reading(service, machine)
  const reader = pagesOf(withdrawals, (look) => read(asSeenBy(service, machine, look)))
  machine.memory.keyNumber = service.keys.current()
  machine.memory.keyReadMs = service.scheduler.nowMs

  /** Signs in service time with the present key. `send` sends once. */
  async function prepare<Copy extends SignedCopy, Answer>(
    content: Omit<Copy, keyof SignedCopy>,
    tokenLifeSeconds: number,
    send: (copy: Copy) => Promise<Answer>,
  ): Promise<Prepared<Answer>> {
    machine.trace.note('prepare')
    await machine.pause('looks')
    const keyNumber = keyOf(service, machine)
    const iat = Math.floor(clock.nowMs() / 1000)
    const nonce = machine.scheduler.newName('nonce')
    const copy = { ...content, nonce, exp: iat + tokenLifeSeconds, keyNumber } as Copy
    machine.trace.note(copy)
    const { kid, account } = service.keys.issued(keyNumber)
    // In this moment the right key can make another key's signature look right.
    if (account !== OWN_ACCOUNT) service.keys.mayBeReplaced(0.6)
    return {
      facts: { nonce, kid, iat, exp: copy.exp, bodySha256: '0'.repeat(64) },
      send: () => send(copy),
    }
  }

  /** The network between a send and the service. */
  async function sendOnce<Copy extends SignedCopy, Answer>(
    copy: Copy,
    { noteSend, accept }: { noteSend(nonce: string): void; accept(copy: Copy, isHeard: boolean): Work<Answer> },
  ) {
    machine.trace.note('send')
    if (hasRightClock(service, machine)) service.witness.judgeTime(copy.nonce)
    await machine.pause()
    noteSend(copy.nonce)
    return deliver<Answer>(machine, copy, {
      accept: (isHeard = false) => accept(copy, isHeard),
      spendOnly: () => service.spend(copy.nonce),
      revokeKey: () => service.keys.revoke(),
      noteHeard: () => service.witness.noteHeard(copy.nonce),
    })
  }

  return {
    clock,
    ...keyReads(service, machine, read),
    knownAsset: (code) => read(() => convertedTerms(service, code), 'looks'),
    asset: (assetSymbol) => read(() => (isEquity(assetSymbol) ? equityTerms(service) : plainTerms(assetSymbol))),
    contact: (contactId) => read(() => withdrawals.contact(contactId), 'looks'),
    findContact: () => read(() => withdrawals.contact(CONTACT.id), 'looks'),
    balance: () => read((account) => (account === OWN_ACCOUNT ? withdrawals.balance : PLENTY)),
    async balances() {
      service.keys.noteBalance()
      return read((account) => balancesOf(service, account))
    },
    findPrice: (base, quote, side) => read(() => service.prices[`${base}-${quote} ${side}`]),
    indicativeRate: () => read(() => INDICATIVE_RATE),
    createQuote: () =>
      read((account) => {
        const terms = orders.addQuote(account)
        service.keys.noteQuote()
        service.witness.noteQuote(terms.orderId, machine.intentId, account)
        return terms
      }),
    findOrder: (orderId) => read(asSeenBy(service, machine, (account) => orders.findOrder(orderId, account))),
    fillsOf: (orderId) => read((account) => orders.fillsOf(orderId, account)),
    async prepareOrder(orderId, tokenLifeSeconds) {
      const prepared = await prepare<SignedOrder, SendAnswer>({ orderId }, tokenLifeSeconds, (copy) =>
        sendOnce<SignedOrder, SendAnswer>(copy, {
          noteSend: (nonce) => service.noteSend(nonce),
          accept: (arrived, isHeard) => orders.accept(arrived, isHeard),
        }),
      )
      service.keys.noteSigned()
      return prepared
    },
    listWithdrawals: (filter, limit) => listWithdrawals(reader, filter, limit),
    async findWithdrawal(id) {
      const row = await read((account) => withdrawals.findRow(id, account))
      return (
        row && settledWithdrawals.show(rawRow(withdrawals, row, settledWithdrawals.assetFormat === 'base') as never)
      )
    },
    ledgerOf: ({ id }) => read(() => withdrawals.ledgerOf(id)),
    async *walkLedger() {
      yield* await read((account) => withdrawals.wholeLedger(account))
    },
    balanceBefore: (_asset, ms) =>
      read((account) => (account === OWN_ACCOUNT ? withdrawals.balanceBefore(account, ms) : PLENTY)),
    findCompletedLike: ({ id }) => read((account) => withdrawals.findCompletedLike(id, account)),
    prepareWithdrawal({ amount, feeMode, contactId }, tokenLifeSeconds) {
      const order = { amount: amountTextOf(amount), feeMode, contactId }
      return prepare<SignedWithdrawal, WithdrawalAnswer>({ order }, tokenLifeSeconds, (copy) =>
        sendOnce<SignedWithdrawal, WithdrawalAnswer>(copy, {
          noteSend: (nonce) => withdrawals.noteSend(nonce),
          accept: (arrived, isHeard) => withdrawals.accept(arrived, isHeard),
        }),
      )
    },
  }
}

/** The account of the present key, found by the product's own code. */
function keyReads(service: ServiceModel, machine: Machine, read: Read): KeyReads {
  const kid = () => service.keys.issued(keyOf(service, machine)).kid
  const current = async () => ({ prefix: kid() }) as ServiceKey
  const readAccount = () =>
    read(() => {
      const { mayReadAccount, saysAccount } = service.keys.issued(keyOf(service, machine))
      if (mayReadAccount) return { id: saysAccount }
      throw errorOf('KeyFault', NO_SCOPE)
    }, 'looks')
  const forget = () => {
    machine.memory.keyNumber = undefined
    machine.memory.keyInHand = undefined
  }
  return createKeyAccount({ current, forget }, { read: readAccount as Reader['read'] }, machine.memory.accounts)
}

const NO_SCOPE = {
  ...{ endpoint: 'GET /v2/account', status: 403, code: 'insufficient_scope', isDocument: true },
  ...{ retryable: false, extensions: {} },
}

/** Balance of the other account in every asset: above each of our floors. */
const PLENTY = '10000000'

function balancesOf({ orders, withdrawals, truth }: ServiceModel, account: string) {
  const { assetSymbol } = CONVERTED[orders.truth.side]
  const { frozen = '0' } = truth
  const balanceOf = (free: string) =>
    account === OWN_ACCOUNT
      ? {
          balance: formatDecimal(plus(parseDecimal(free, 'free'), parseDecimal(frozen, 'frozen'))),
          balanceFrozen: frozen,
        }
      : { balance: PLENTY, balanceFrozen: '0' }
  const withdrawn = { assetSymbol: ASSET.assetSymbol, ...balanceOf(withdrawals.balance) }
  return orders.truth.sellsWithdrawn ? [withdrawn] : [withdrawn, { assetSymbol, ...balanceOf(orders.balance) }]
}

function isEquity(assetSymbol: string): boolean {
  return assetSymbol === ASSET.assetSymbol
}

export function equityTerms({ withdrawals }: ServiceModel) {
  return {
    assetSymbol: ASSET.assetSymbol,
    rebasedSymbol: ASSET.rebasedSymbol as string,
    amountIncrement: withdrawals.increment,
    minimumWithdrawal: '10',
    minimumInternalWithdrawal: '1',
    networks: [{ networkId: CONTACT.networkId, withdrawalFee: withdrawals.fee, minimumWithdrawal: '10' }],
  }
}

/** Accepts the settled code in any case, or the ticker if the asset has one. */
function convertedTerms({ orders }: ServiceModel, asked: string) {
  const assetSymbol = asked.toUpperCase() === TICKER ? LEGS.baseAsset : asked.toUpperCase()
  const isRebased = orders.truth.spells === 'by a ticker' && assetSymbol === LEGS.baseAsset
  return { assetSymbol, rebasedSymbol: isRebased ? TICKER : assetSymbol, amountIncrement: '0.00000001' }
}

export function plainTerms(assetSymbol: string) {
  const minimums = { amountIncrement: '0.00000001', minimumWithdrawal: '0', minimumInternalWithdrawal: '0' }
  return { assetSymbol, rebasedSymbol: assetSymbol, ...minimums, networks: [] }
}

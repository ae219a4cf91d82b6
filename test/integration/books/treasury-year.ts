// A year of a treasury, on a virtual clock: a sandbox as the service, and a journal in memory that claims what its intents moved.
// Each month converts and pays. Some months have what books find hard: a movement of others, a refund, a corporate action, and
// an order on credit that fills in parts. One payout is booked after midnight.
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { FOREIGN, IntentKind } from '../../../core/contract/records.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { doneMove } from '../../../core/journal/moves.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { settledAmount } from '../../../core/money/amount.ts'
import { createServiceClient, type ServiceClient } from '../../../core/service/service-client.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { type ManualClock, manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'
import { STRANGE_ORDER, withStrangeAssets } from './strange-assets.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const YEAR = 2026
export const monthMs = (month: number) => Date.UTC(YEAR, month, 1)

export interface Treasury {
  readonly sandbox: Sandbox
  readonly client: ServiceClient
  readonly clock: ManualClock
  readonly journal: Journal
  readonly store: MemoryStore
  /** Moves the clock to a moment of the year. */
  readonly goTo: (ms: number) => Promise<void>
  readonly convert: (id: string | undefined, order: Conversion) => Promise<string>
  readonly pay: (id: string | undefined, payout: Payout) => Promise<string>
  readonly stop: () => Promise<void>
}

interface Conversion {
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly side: 'BUY' | 'SELL'
  readonly amountAsset: string
  readonly amount: string
}

interface Payout {
  readonly asset: string
  readonly amount: string
  /** Reference of the contact. */
  readonly to: string
}

const TOKEN_LIFE_SECONDS = 30

export async function openTreasury(atMs: number): Promise<Treasury> {
  const clock = manualClock(atMs)
  const sandbox = await startSandbox({ seed: 'a year of books', clock })
  const key = staticKeySource(parseKeyMaterial(JSON.stringify(sandbox.keys.full), { stage: 'test', role: 'trade' }))
  let ids = 0
  const newId = () => `id-${++ids}`
  const client = withStrangeAssets(createServiceClient({ baseUrl: sandbox.baseUrl, key, clock, newId }))
  const store = createMemoryStore()
  const journal = createJournal(store, newId)
  const times = (id: string) => ({
    intentId: id,
    createdAt: new Date(clock.nowMs()).toISOString(),
    notAfter: new Date(clock.nowMs() + HOUR_MS).toISOString(),
  })

  const convert: Treasury['convert'] = async (id, order) => {
    const { orderId } = await client.createQuote(order)
    const answer = await (await client.prepareOrder(orderId, TOKEN_LIFE_SECONDS)).send()
    if (answer.kind !== 'accepted') throw new TypeError(answer.said.text)
    return id === undefined ? orderId : own(id, order, orderId)
  }
  /** Records an order of the service as the movement of an intent. */
  const own = async (id: string, order: Conversion, orderId: string) => {
    const opened = await journal.open({ ...CONVERSION, params: order, ...times(id) })
    const sent = await journal.advance(opened, armed(opened, orderId))
    await journal.advance(sent, doneMove(sent, orderId))
    await journal.claim(IntentKind.Convert, orderId, id)
    return orderId
  }
  await own('strange', SELL_1INCH, STRANGE_ORDER)
  const pay: Treasury['pay'] = async (id, { asset, amount, to }) => {
    const contact = sandbox.contacts.find(({ reference }) => reference === to)
    if (contact === undefined) throw new TypeError(`no contact ${to}`)
    const request = { amount: settledAmount(asset, amount, 'amount'), feeMode: 'add' as const, contactId: contact.id }
    const answer = await (await client.prepareWithdrawal(request, TOKEN_LIFE_SECONDS)).send()
    if (answer.kind !== 'accepted') throw new TypeError(answer.said.text)
    const { id: withdrawalId } = answer.withdrawal
    if (id === undefined) return withdrawalId
    const payee = { ...WITHDRAWAL.frozen.payee, contactId: contact.id, reference: to, alias: to }
    const frozen = { ...WITHDRAWAL.frozen, assetSymbol: asset, amount, contactId: contact.id, payee }
    const params = { assetSymbol: asset, amount, contactReference: to }
    const opened = await journal.open({ kind: IntentKind.Withdraw, frozen, params, ...times(id) })
    const sent = await journal.advance(opened, armed(opened, withdrawalId))
    await journal.advance(sent, doneMove(sent, withdrawalId))
    await journal.claim(IntentKind.Withdraw, withdrawalId, id)
    return withdrawalId
  }
  return {
    ...{ sandbox, client, clock, journal, store, convert, pay },
    goTo: async (ms) => {
      clock.advance(ms - clock.nowMs())
      // A request makes everything happen that is due.
      await client.health()
    },
    stop: async () => {
      client.close()
      await sandbox.stop()
    },
  }
}

const SELL_1INCH = {
  baseAsset: '1INCH',
  quoteAsset: 'X.1INCH.X',
  side: 'SELL',
  amountAsset: '1INCH',
  amount: '0.000000000000000003',
} as const
const BUY_BTC = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '1234.56' } as const
const SELL_ETH = {
  baseAsset: 'ETH',
  quoteAsset: 'USDC',
  side: 'SELL',
  amountAsset: 'ETH',
  amount: '0.123456789',
} as const
const BUY_SHARES = {
  baseAsset: 'NVDASPV',
  quoteAsset: 'USD',
  side: 'BUY',
  amountAsset: 'USD',
  amount: '777.77',
} as const
const SELL_GBP = { baseAsset: 'GBP', quoteAsset: 'USD', side: 'SELL', amountAsset: 'GBP', amount: '100' } as const

/** Months, from 0, in which something happens that books find hard. */
export const HARD = { others: 1, refund: 2, action: 4, credit: 6, midnight: 8 } as const

/** Plays the year, and leaves the clock on the second day after it. */
export async function playYear(): Promise<Treasury> {
  const treasury = await openTreasury(monthMs(0) - DAY_MS)
  const { convert, goTo, pay, sandbox } = treasury
  for (let month = 0; month < 12; month += 1) {
    await goTo(monthMs(month) + 3 * DAY_MS + 9 * HOUR_MS)
    sandbox.control('POST', '/balance', { assetSymbol: 'USDC', credit: `${2000 + month}.25` })
    await convert(`buy-${month}`, BUY_BTC)
    await goTo(monthMs(month) + 12 * DAY_MS + 10 * HOUR_MS)
    await convert(`sell-${month}`, SELL_ETH)
    await convert(`shares-${month}`, BUY_SHARES)
    await pay(`supplier-${month}`, { asset: 'USDC', amount: '100.5', to: 'exchange-usdc-eth' })
    await playHard(month, treasury)
    await goTo(monthMs(month) + 20 * DAY_MS)
    await pay(`house-${month}`, { asset: 'EUR', amount: '12.34', to: 'house-bank-eur' })
    if (month !== HARD.midnight) continue
    // The ledger books it when it completes, five seconds later: in the next month.
    sandbox.control('POST', '/manners', { books: 'completion' })
    await goTo(monthMs(month + 1) - 2_000)
    await pay('midnight', { asset: 'USDC', amount: '55.55', to: 'exchange-usdc-eth' })
    await goTo(monthMs(month + 1) + 60_000)
    sandbox.control('POST', '/manners', { books: 'acceptance' })
  }
  await goTo(monthMs(12) + DAY_MS)
  return treasury
}

async function playHard(month: number, { clock, convert, goTo, journal, pay, sandbox }: Treasury): Promise<void> {
  if (month === HARD.others) {
    const orderId = await convert(undefined, BUY_BTC)
    await journal.claim(IntentKind.Convert, orderId, FOREIGN)
    await pay(undefined, { asset: 'USDC', amount: '33.1', to: 'exchange-usdc-eth' })
  }
  if (month === HARD.refund) {
    sandbox.control('POST', '/rules', {
      match: { method: 'POST', path: '/v2/withdrawals' },
      fault: { kind: 'failLater', afterMs: 60_000 },
    })
    await pay('refunded', { asset: 'USDC', amount: '70', to: 'exchange-usdc-eth' })
    await goTo(clock.nowMs() + HOUR_MS)
  }
  if (month === HARD.action) {
    sandbox.control('POST', '/multiplier', { assetSymbol: 'NVDASPV', multiplier: '20' })
    await convert('shares-after', BUY_SHARES)
  }
  if (month === HARD.credit) {
    sandbox.control('POST', '/balance', { assetSymbol: 'GBP', balance: '40' })
    sandbox.control('POST', '/capacity', { assetSymbol: 'GBP', total: '1000' })
    await convert('credit', SELL_GBP)
    await goTo(clock.nowMs() + DAY_MS)
    sandbox.control('POST', '/balance', { assetSymbol: 'GBP', credit: '25' })
    await goTo(clock.nowMs() + DAY_MS)
    sandbox.control('POST', '/balance', { assetSymbol: 'GBP', credit: '60' })
  }
}

// The tour counts as moved what the sandbox has booked, and not what was asked for.
import { expect, test } from 'vitest'
import { bookedMovements, type Oracle } from '../../../../cli/start/booked-movements.ts'

const asked = (id: string, side: string) => ({
  kind: 'order' as const,
  id,
  nonce: `nonce-${id}`,
  market: 'BTC-USDC',
  side,
})
const entry = (orderId: string, asset: string, from: string, to: string, amount: string): Oracle['ledger'][number] => ({
  source: { type: 'order', id: orderId },
  orderId,
  asset,
  from,
  to,
  amount,
})

test("an order moved the net of its entries on the customer's accounts", () => {
  const ledger = [
    entry('a', 'USDC', 'available', 'frozen', '16000.5'),
    entry('a', 'USDC', 'frozen', 'dealer', '16000.5'),
    entry('a', 'BTC', 'dealer', 'pending', '0.25'),
    entry('a', 'BTC', 'pending', 'available', '0.25'),
    entry('b', 'BTC', 'available', 'dealer', '0.1'),
    entry('b', 'USDC', 'dealer', 'available', '6400'),
  ]
  expect(bookedMovements({ movements: [asked('a', 'BUY'), asked('b', 'SELL')], ledger })).toEqual([
    { ...asked('a', 'BUY'), baseAmount: '0.25', quoteAmount: '16000.5' },
    { ...asked('b', 'SELL'), baseAmount: '0.1', quoteAmount: '6400' },
  ])
})

test('an order that was booked twice shows twice its amounts', () => {
  const ledger = [1, 2].flatMap(() => [
    entry('a', 'USDC', 'available', 'dealer', '16000.5'),
    entry('a', 'BTC', 'dealer', 'available', '0.25'),
  ])
  expect(bookedMovements({ movements: [asked('a', 'BUY')], ledger })).toMatchObject([
    { baseAmount: '0.5', quoteAmount: '32001' },
  ])
})

test('an order that was booked in reverse shows negative amounts', () => {
  const ledger = [entry('a', 'BTC', 'available', 'dealer', '0.25'), entry('a', 'USDC', 'dealer', 'available', '16000')]
  expect(bookedMovements({ movements: [asked('a', 'BUY')], ledger })).toMatchObject([
    { baseAmount: '-0.25', quoteAmount: '-16000' },
  ])
})

test('an order that was asked for and not booked moved nothing', () => {
  expect(bookedMovements({ movements: [asked('a', 'BUY')], ledger: [] })).toMatchObject([
    { baseAmount: '0', quoteAmount: '0' },
  ])
})

test('an order that is booked and was not asked for is a movement of its own', () => {
  const ledger = [entry('x', 'BTC', 'dealer', 'available', '0.25')]
  expect(bookedMovements({ movements: [], ledger }).map(({ id }) => id)).toEqual(['x'])
})

const sending = { kind: 'withdrawal' as const, id: 'w', nonce: 'nonce-w', assetSymbol: 'USDC' }
const sent = (from: string, to: string, amount: string): Oracle['ledger'][number] => ({
  source: { type: 'withdrawal', id: 'w' },
  ...{ asset: 'USDC', from, to, amount },
})
const accepted = sent('available', 'transit', '100')

test('a withdrawal moved what reached the outside, and cost what reached the fees', () => {
  const ledger = [accepted, sent('transit', 'outside', '99.2'), sent('transit', 'fees', '0.8')]
  expect(bookedMovements({ movements: [sending], ledger })).toEqual([
    { ...sending, amount: '99.2', fee: '0.8', total: '100' },
  ])
})

test('a withdrawal that came back moved nothing, and a withdrawal under way has moved no amount yet', () => {
  const refunded = [accepted, sent('transit', 'available', '100')]
  expect(bookedMovements({ movements: [sending], ledger: refunded })).toMatchObject([
    { amount: '0', fee: '0', total: '0' },
  ])
  expect(bookedMovements({ movements: [sending], ledger: [accepted] })).toMatchObject([{ amount: '0', total: '100' }])
})

test('a withdrawal that is booked and was not asked for is a movement of its own', () => {
  expect(bookedMovements({ movements: [], ledger: [accepted] })).toMatchObject([{ kind: 'withdrawal', id: 'w' }])
})

test('an order and a withdrawal of one id are two movements, even where only one was requested', () => {
  const ledger = [accepted, entry('w', 'BTC', 'dealer', 'available', '0.25')]
  const [order] = [asked('w', 'BUY')]
  const both = bookedMovements({ movements: [order, sending], ledger })
  expect(both).toMatchObject([
    { kind: 'order', baseAmount: '0.25' },
    { kind: 'withdrawal', total: '100' },
  ])
  expect(bookedMovements({ movements: [order], ledger }).map(({ kind }) => kind)).toEqual(['order', 'withdrawal'])
})

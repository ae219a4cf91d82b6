// The movement that a person means by an id: a withdrawal and an order may have the same id.
import { expect, test } from 'vitest'
import { assertIndexHasCaughtUp, findMovement } from '../../../../core/movements/withdrawal/examine-foreign.ts'

const row = { id: '1000001' } as never
const details = { side: 'BUY', createdAt: '2026-02-01T12:00:05Z' }
const order = { id: '1000001', ...details, market: 'BTC-USDC' } as never
const service = (has: { readonly row?: boolean; readonly order?: boolean }) => ({
  findWithdrawal: async () => (has.row ? row : undefined),
  findOrder: async () => (has.order ? order : undefined),
})
const both = service({ row: true, order: true })

test('an id of both a withdrawal and an order is refused without its kind', async () => {
  await expect(findMovement('1000001', undefined, both)).rejects.toThrow('with --kind withdrawal or --kind order')
  expect(await findMovement('1000001', 'withdraw', both)).toEqual({ kind: 'withdraw', id: '1000001', row })
  expect(await findMovement('1000001', 'convert', both)).toEqual({ kind: 'convert', id: '1000001', order: details })
})

test('an id of one kind needs no kind, and is not found under the other kind', async () => {
  expect(await findMovement('1000001', undefined, service({ row: true }))).toEqual({
    kind: 'withdraw',
    id: '1000001',
    row,
  })
  expect(await findMovement('1000001', undefined, service({ order: true }))).toEqual({
    kind: 'convert',
    id: '1000001',
    order: details,
  })
  await expect(findMovement('1000001', 'convert', service({ row: true }))).rejects.toThrow('the service has no order')
  await expect(findMovement('1000001', undefined, service({}))).rejects.toThrow('no withdrawal and no order 1000001')
})

test('on AWS a movement of this moment is not declared foreign, because its own intent may not be listed yet', () => {
  const madeMs = Date.parse(details.createdAt)
  const movement = { kind: 'convert', id: '1000001', order: details } as const
  expect(() => assertIndexHasCaughtUp(movement, madeMs + 299_999)).toThrow(
    'repeat the command from 2026-02-01T12:05:05.000Z on',
  )
  expect(() => assertIndexHasCaughtUp(movement, madeMs + 300_000)).not.toThrow()
})

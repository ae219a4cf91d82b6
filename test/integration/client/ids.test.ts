// Ids are opaque: the service must receive each id unchanged, and an id that could be read as another path must not
// leave. Covers every call of the client that takes an id.
import { describe, expect, it } from 'vitest'
import { settledAmount } from '../../../core/money/amount.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient, withTime } from '../../helpers/client-setup.ts'
import { type Arrived, answerProblem } from '../../helpers/local-server.ts'

type Call = (client: ServiceClient, id: string) => Promise<unknown>

const first = (walk: AsyncGenerator<unknown>) => walk.next()
const amount = settledAmount('BTC', '1', 'amount')
const send = async (prepared: Promise<{ send(): Promise<unknown> }>) => (await prepared).send()

/** Ids that are one segment of a path, with the parts around them. */
const inPath: Readonly<Record<string, readonly [before: string, after: string, call: Call]>> = {
  asset: ['/v2/assets/', '', (client, id) => client.asset(id)],
  knownAsset: ['/v2/assets/', '', (client, id) => client.knownAsset(id)],
  market: ['/v2/markets/', '', (client, id) => client.market(id)],
  price: ['/v2/markets/', '/price', (client, id) => client.price(id, { side: 'BUY' })],
  'rebased.price': ['/v2/markets/', '/price', (client, id) => client.rebased.price(id, { side: 'BUY' })],
  order: ['/v2/orders/', '', (client, id) => client.order(id)],
  'rebased.order': ['/v2/orders/', '', (client, id) => client.rebased.order(id)],
  fillsOf: ['/v2/orders/', '/fills', (client, id) => client.fillsOf(id, 10)],
  walkFillsOf: ['/v2/orders/', '/fills', (client, id) => first(client.walkFillsOf(id))],
  'rebased.walkFillsOf': ['/v2/orders/', '/fills', (client, id) => first(client.rebased.walkFillsOf(id))],
  walkBalanceHistory: ['/v2/balances/', '/history', (client, id) => first(client.walkBalanceHistory(id))],
  withdrawal: ['/v2/withdrawals/', '', (client, id) => client.withdrawal(id)],
  'rebased.withdrawal': ['/v2/withdrawals/', '', (client, id) => client.rebased.withdrawal(id)],
  contact: ['/v2/contacts/', '', (client, id) => client.contact(id)],
  renameContact: ['/v2/contacts/', '', (client, id) => client.renameContact(id, { alias: 'x' })],
}
const inQuery: Readonly<Record<string, readonly [parameter: string, call: Call]>> = {
  fills: ['orderId', (client, id) => client.fills({ orderId: id }, 10)],
  walkFills: ['orderId', (client, id) => first(client.walkFills({ orderId: id }))],
  'rebased.walkFills': ['orderId', (client, id) => first(client.rebased.walkFills({ orderId: id }))],
  'walkLedger, order': ['orderId', (client, id) => first(client.walkLedger({ orderId: id }))],
  'walkLedger, source': ['sourceId', (client, id) => first(client.walkLedger({ sourceId: id }))],
}
const inBody: Readonly<Record<string, readonly [field: string, call: Call]>> = {
  prepareOrder: ['orderId', (client, id) => send(client.prepareOrder(id, 30))],
  prepareWithdrawal: [
    'contactId',
    (client, id) => send(client.prepareWithdrawal({ amount, feeMode: 'deduct', contactId: id }, 30)),
  ],
}

async function arrivedOf(call: Call, id: string): Promise<{ error: unknown; arrived: readonly Arrived[] }> {
  const { server, client } = await setUpClient(
    withTime((_request, response) => answerProblem(response, 404, 'not_found')),
  )
  const error = await call(client, id).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error, arrived: server.arrived.filter(({ target }) => target !== '/v2/time') }
}

const odd = ['a/b', 'a b', '1+1', '100%', 'a?b=c&d', 'a#b', '%2F', '...', 'ü€😀', '"\\', 'x'.repeat(256)]

describe('an id with a slash, a space, +, %, ? and the like', () => {
  it.each(Object.entries(inPath))('is one segment of the path of %s', async (_name, [before, after, call]) => {
    for (const id of odd) {
      const { arrived } = await arrivedOf(call, id)
      const path = arrived[0]?.target.split('?', 1)[0] ?? ''
      expect(path.startsWith(before) && path.endsWith(after)).toBe(true)
      const segment = path.slice(before.length, path.length - after.length)
      expect(segment).not.toContain('/')
      expect(decodeURIComponent(segment)).toBe(id)
    }
  })

  it.each(Object.entries(inQuery))('is one parameter of %s', async (_name, [parameter, call]) => {
    for (const id of odd) {
      const { arrived } = await arrivedOf(call, id)
      expect(new URL(`http://x${arrived[0]?.target}`).searchParams.getAll(parameter)).toEqual([id])
    }
  })

  it.each(Object.entries(inBody))('is in the body of %s as it is', async (_name, [field, call]) => {
    for (const id of odd) {
      const { arrived } = await arrivedOf(call, id)
      expect(JSON.parse(arrived[0]?.body.toString() ?? '')).toMatchObject({ [field]: id })
    }
  })
})

const refused = ['', '.', '..', 'a/../b', '%2e%2e', '.%2E', '%252e%252e', 'a\\..', 'a\r\nb', '\u0000', '\u0085']
const calls = Object.entries({ ...inPath, ...inQuery, ...inBody }).map(
  ([name, row]) => [name, row.at(-1) as Call] as const,
)

describe('an id that is empty, a dot segment, too long, or holds control characters', () => {
  it.each(calls)('never leaves in %s', async (_name, call) => {
    for (const id of [...refused, 'a\ud800', 'x'.repeat(257)]) {
      const { error, arrived } = await arrivedOf(call, id)
      expect(error).toMatchObject({ name: 'Refused', message: expect.stringMatching(/^id: expected /) })
      expect(arrived).toHaveLength(0)
    }
  })
})

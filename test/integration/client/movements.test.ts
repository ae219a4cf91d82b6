// Withdrawals, deposits, ledger, history, contacts and webhook keys: what is read of an answer,
// what must be in it, and how it is asked for. Rebased reads of all that have them.
import { describe, expect, it } from 'vitest'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { answerJson } from '../../helpers/local-server.ts'
import {
  BALANCE,
  BANK_CONTACT,
  CONTACT,
  cursorPage,
  DEPOSIT,
  ENTRY,
  FILL,
  HISTORY,
  JWKS,
  ORDER,
  offsetPage,
  WITHDRAWAL,
} from './movement-answers.ts'

async function all<Item>(walk: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of walk) items.push(item)
  return items
}

async function asking(json: unknown, ask: (client: ServiceClient) => Promise<unknown>) {
  const { server, client } = await setUpClient((_request, response) => answerJson(response, 200, json))
  const outcome = await ask(client).then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  return { ...outcome, sent: server.arrived[0] }
}

interface Promised {
  readonly endpoint: string
  readonly ask: (client: ServiceClient) => Promise<unknown>
  readonly json: unknown
  /** Leaves without which the answer is as good. */
  readonly spared?: RegExp
  readonly target: string
}

const ofPage = /^pagination\.(limit|totalPages|count)$/
const promised: readonly Promised[] = [
  {
    endpoint: 'GET /v2/withdrawals/{id}',
    ask: (client) => client.rebased.withdrawal('w-1'),
    json: WITHDRAWAL,
    spared: /^type$/,
    target: '/v2/withdrawals/w-1?assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/withdrawals',
    ask: (client) => all(client.rebased.walkWithdrawals({ status: 'PENDING', subType: 'INTERNAL' })),
    json: offsetPage(WITHDRAWAL),
    spared: /\.type$/,
    target: '/v2/withdrawals?page=1&limit=100&status=PENDING&subType=INTERNAL&assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/orders/{id}',
    ask: (client) => client.rebased.order('o-1'),
    json: ORDER,
    target: '/v2/orders/o-1?assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/orders',
    ask: (client) => all(client.rebased.walkOrders({ side: 'BUY' }, { pageLimit: 7 })),
    json: offsetPage(ORDER),
    target: '/v2/orders?page=1&limit=7&side=BUY&assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/fills',
    ask: (client) => all(client.rebased.walkFills({ orderId: 'o/1', assetSymbol: 'AAPLX' })),
    json: cursorPage(FILL),
    target: '/v2/fills?limit=100&orderId=o%2F1&assetSymbol=AAPLX&assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/orders/{id}/fills',
    ask: (client) => all(client.rebased.walkFillsOf('o-1')),
    json: cursorPage(FILL),
    target: '/v2/orders/o-1/fills?limit=100&assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/balances',
    ask: (client) => client.rebased.balances(),
    json: [BALANCE],
    spared: /Capacity/,
    target: '/v2/balances?assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/deposits',
    ask: (client) => all(client.rebased.walkDeposits({ assetSymbol: 'AAPLX' })),
    json: offsetPage(DEPOSIT),
    spared: /\.(id|status|createdAt|amount|assetSymbol)$/,
    target: '/v2/deposits?page=1&limit=100&assetSymbol=AAPLX&assetFormat=rebased',
  },
  {
    endpoint: 'GET /v2/ledger',
    ask: (client) => all(client.walkLedger({ assetSymbol: 'AAPLX', orderId: 'o-1', sourceId: 'f 1' })),
    json: offsetPage(ENTRY),
    spared: /^data\.0\./,
    target: '/v2/ledger?page=1&limit=100&assetSymbol=AAPLX&orderId=o-1&sourceId=f%201',
  },
  {
    endpoint: 'GET /v2/balances/{assetSymbol}/history',
    ask: (client) => all(client.walkBalanceHistory('AAPLX', { granularity: 'week', startDate: '2026-01-01' })),
    json: HISTORY,
    target: '/v2/balances/AAPLX/history?page=1&limit=100&startDate=2026-01-01&granularity=week',
  },
  {
    endpoint: 'GET /v2/contacts/{contactId}',
    ask: (client) => client.contact('c-1'),
    json: CONTACT,
    target: '/v2/contacts/c-1',
  },
  {
    endpoint: 'GET /v2/contacts',
    ask: (client) => client.contacts({ type: 'BANK_ACCOUNT' }),
    json: offsetPage(BANK_CONTACT),
    target: '/v2/contacts?page=1&limit=100&type=BANK_ACCOUNT',
  },
  {
    endpoint: 'GET /v2/.well-known/webhook-jwks.json',
    ask: (client) => client.webhookKeys(),
    json: JWKS,
    spared: /\.(use|crv|x)$/,
    target: '/v2/.well-known/webhook-jwks.json',
  },
]

/** The paths of all fields that hold a value of their own: `base.amount`, `data.0.id`. */
function leavesOf(json: unknown, path = ''): string[] {
  if (typeof json !== 'object' || json === null) return json === undefined ? [] : [path]
  return Object.entries(json).flatMap(([name, value]) => leavesOf(value, path === '' ? name : `${path}.${name}`))
}

function without(json: unknown, path: string): unknown {
  const copy = structuredClone(json)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  delete steps.reduce((at, step) => at[step] as Record<string, unknown>, copy as Record<string, unknown>)[last]
  return copy
}

const spelled = (path: string) => path.replace(/(^|\.)(\d+)/g, '[$2]')

describe.each(promised)('$endpoint', ({ endpoint, ask, json, spared = /^$/, target }) => {
  it('is asked for by its parameters, and needs nothing else', async () => {
    const { error, sent } = await asking(json, ask)
    expect(error).toBeUndefined()
    expect(sent?.target).toBe(target)
  })

  it('without a promised field is a Defect that names it; without any other it is as good', async () => {
    for (const path of leavesOf(json)) {
      if (spared.test(path) || ofPage.test(path)) continue
      const { error } = await asking(without(json, path), ask)
      expect(error, path).toMatchObject({ name: 'Defect' })
      expect(String(error)).toContain(`${endpoint}: ${spelled(path)} is missing`)
    }
    for (const path of leavesOf(json).filter((leaf) => spared.test(leaf)))
      expect((await asking(without(json, path), ask)).error, path).toBeUndefined()
  })
})

describe('a rebased read', () => {
  const cases: readonly [string, unknown, (client: ServiceClient) => Promise<unknown>, unknown, unknown][] = [
    [
      'a withdrawal',
      WITHDRAWAL,
      (client) => client.rebased.withdrawal('w-1'),
      { assetSymbol: 'AAPLSPV', amount: '2', fee: '0.1', total: '2.1', networkId: 'SOLANA' },
      { assetSymbol: 'AAPLX', amount: '4', fee: '0.2', total: '4.2' },
    ],
    [
      'an order',
      ORDER,
      (client) => client.rebased.order('o-1'),
      { baseAsset: 'AAPLSPV', baseAmount: '2', rate: '100' },
      {
        baseAsset: 'AAPLX',
        quoteAsset: 'USD',
        baseAmount: '4',
        filledBaseAmount: '4',
        quoteAmount: '200',
        filledQuoteAmount: '200',
        rate: '50',
      },
    ],
    [
      'a fill',
      cursorPage(FILL),
      async (client) => (await all(client.rebased.walkFills()))[0],
      { baseAsset: 'AAPLSPV', baseAmount: '2', rate: '100', order: { status: 'FILLED', filledBaseAmount: '2' } },
      {
        baseAsset: 'AAPLX',
        quoteAsset: 'USD',
        baseAmount: '4',
        quoteAmount: '200',
        rate: '50',
        filledBaseAmount: '4',
        filledQuoteAmount: '200',
      },
    ],
    [
      'a balance',
      [BALANCE],
      async (client) => (await client.rebased.balances())[0],
      { assetSymbol: 'AAPLSPV', balance: '2', balanceFrozen: '1' },
      {
        assetSymbol: 'AAPLX',
        balance: '4',
        balanceFrozen: '2',
        balancePending: '0',
        balanceCapacityTotal: '10',
        balanceCapacityAvailable: '8',
        balanceCapacitySpent: '2',
      },
    ],
    [
      'a deposit',
      offsetPage(DEPOSIT),
      async (client) => (await all(client.rebased.walkDeposits()))[0],
      { assetSymbol: 'AAPLSPV', amount: '2', multiplier: '2' },
      { assetSymbol: 'AAPLX', amount: '4' },
    ],
  ]

  it.each(cases)('of %s keeps the settled figures where they are, and the others apart', async (...row) => {
    const [, json, ask, settled, rebased] = row
    const { result } = await asking(json, ask)
    expect(result).toMatchObject(settled as object)
    expect((result as { rebased: unknown }).rebased).toEqual(rebased)
  })

  it('that is answered in other units is a Defect', async () => {
    const { error } = await asking({ ...ORDER, assetFormat: 'base' }, (client) => client.rebased.order('o-1'))
    expect(error).toMatchObject({ name: 'Defect', message: expect.stringContaining('assetFormat is not as promised') })
  })
})

describe('a settled read', () => {
  it('of withdrawals and deposits takes the base block', async () => {
    const settled = { assetSymbol: 'AAPLSPV', amount: '2', fee: '0.1', total: '2.1', multiplier: '2' }
    const one = await asking(WITHDRAWAL, (client) => client.findWithdrawal('w-1'))
    expect(one.result).toMatchObject(settled)
    expect(one.sent?.target).toBe('/v2/withdrawals/w-1?assetFormat=base')
    const list = await asking(offsetPage(WITHDRAWAL), (client) =>
      client.listWithdrawals({ assetSymbol: 'AAPLSPV' }, 10),
    )
    expect(list.result).toMatchObject([settled])
    expect(list.sent?.target).toBe('/v2/withdrawals?page=1&limit=100&assetSymbol=AAPLSPV&assetFormat=base')
    const deposits = await asking(offsetPage(DEPOSIT), (client) => all(client.walkDeposits()))
    expect(deposits.result).toMatchObject([{ assetSymbol: 'AAPLSPV', amount: '2' }])
  })

  it.each(['1e3', '-1', '1,5', 'NaN', '9'.repeat(31), 2])(
    'is a Defect with the total %j, whose value it does not repeat',
    async (total) => {
      const broken = { ...WITHDRAWAL, base: { ...WITHDRAWAL.base, total } }
      const { error } = await asking(broken, (client) => client.findWithdrawal('w-1'))
      expect(error).toMatchObject({ name: 'Defect' })
      expect(String(error)).toContain('base.total is not as promised')
      if (String(total).length > 3) expect(String(error)).not.toContain(String(total))
    },
  )

  it('of a withdrawal without a readable time is a Defect, as rows are told from earlier ones by it', async () => {
    for (const createdAt of ['yesterday', '2026-01-31', '2026-01-31T09:00:00'])
      expect((await asking({ ...WITHDRAWAL, createdAt }, (c) => c.withdrawal('w-1'))).error).toMatchObject({
        name: 'Defect',
        message: expect.stringContaining('createdAt is not as promised'),
      })
  })

  it('may tell of a status, a sub-type or a kind of contact that is newer than this client', async () => {
    const { result } = await asking({ ...WITHDRAWAL, status: 'HELD', subType: 'CARD' }, (c) => c.withdrawal('w-1'))
    expect(result).toMatchObject({ status: 'HELD', subType: 'CARD' })
    const contact = await asking({ ...CONTACT, type: 'CARD', crypto: undefined }, (c) => c.contact('c-1'))
    expect(contact.result).toMatchObject({ type: 'CARD' })
  })

  it('of a withdrawal off chain tells null for the network that nobody promised', async () => {
    const { result } = await asking(
      { ...WITHDRAWAL, subType: 'EXTERNAL_FIAT_BANK', bankReference: 'REF-1', withdrawalData: { iban: 'X' } },
      (client) => client.withdrawal('w-1'),
    )
    expect(result).toMatchObject({ networkId: null, evmChainId: null, bankReference: 'REF-1' })
  })

  it('of entries and deposits in shapes that nobody promised gives null for what it cannot read', async () => {
    const odd = { id: 7, amount: 1e99, source: 'FILL', createdAt: null, more: true }
    const ledger = await asking(offsetPage(odd), (client) => all(client.walkLedger()))
    expect(ledger.result).toEqual([
      { id: null, type: null, assetSymbol: null, amount: null, source: null, orderId: null, createdAt: null },
    ])
  })
})

describe('a record that is another than was asked for', () => {
  it.each<[string, unknown, (client: ServiceClient) => Promise<unknown>]>([
    ['withdrawal', WITHDRAWAL, (client) => client.withdrawal('w-2')],
    ['contact', CONTACT, (client) => client.contact('c-2')],
    ['renamed contact', CONTACT, (client) => client.renameContact('c-2', { alias: 'New' })],
    ['fill of an order', cursorPage(FILL), (client) => all(client.walkFillsOf('o-2'))],
  ])('is a Defect: %s', async (_what, json, ask) => {
    expect((await asking(json, ask)).error).toMatchObject({ name: 'Defect' })
  })
})

describe('renaming a contact', () => {
  it('sends the labels that are given, as JSON, with the bearer secret and no signature', async () => {
    const { result, sent } = await asking(CONTACT, (client) => client.renameContact('c-1', { alias: 'Cold ü' }))
    expect(result).toMatchObject({ id: 'c-1', alias: 'Cold storage' })
    expect(sent).toMatchObject({ method: 'PATCH', target: '/v2/contacts/c-1' })
    expect(sent?.body.toString()).toBe('{"alias":"Cold ü"}')
    expect(sent?.headers['x-api-key']).toBeUndefined()
  })

  it.each([{}, { alias: '' }, { alias: 'a\nb' }, { reference: 'x'.repeat(257) }])(
    'to %j is refused before anything leaves',
    async (labels) => {
      const { error, sent } = await asking(CONTACT, (client) => client.renameContact('c-1', labels))
      expect(error).toMatchObject({ name: 'Refused' })
      expect(sent).toBeUndefined()
    },
  )
})

// Each promised field of a movement that is missing is reported by name.
import { describe, expect, it } from 'vitest'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { all, asking } from './asking.ts'
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

interface Promised {
  readonly endpoint: string
  readonly ask: (client: ServiceClient) => Promise<unknown>
  readonly json: unknown
  /** Fields whose absence is allowed. */
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
    // A member of the set without one is skipped.
    spared: /^keys\.0\./,
    target: '/v2/.well-known/webhook-jwks.json',
  },
]

/** The paths of all fields with a value of their own: `base.amount`, `data.0.id`. */
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
  it('is requested with its parameters, and needs nothing else', async () => {
    const { error, sent } = await asking(json, ask)
    expect(error).toBeUndefined()
    expect(sent?.target).toBe(target)
  })

  it('without a promised field is a Defect that names it; without any other field it is accepted', async () => {
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

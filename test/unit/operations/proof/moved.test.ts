// Proofs of one order and of one withdrawal, compared with contradicting evidence.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { FOREIGN, recordKey } from '../../../../core/contract/records.ts'
import type { Part } from '../../../../operations/proof/pack-file.ts'
import { evidenceIn } from '../../../../operations/proof/proof-parts.ts'
import { statementOf } from '../../../../operations/proof/statement.ts'
import { attemptAt } from '../../../helpers/intents.ts'
import { FROM } from '../../cli/proof/from.ts'
import { conversion, fills, order, payment, withdrawal } from '../../reconcile/audited-world.ts'

const AT = '2026-02-01T12:00:00.000Z'
const ATTEMPT = {
  ...{ owner: 'owner-1', nonce: 'nonce-1', kid: 'svc_test_0123456789ab' },
  fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 },
}
const sha256 = (body: object) => createHash('sha256').update(JSON.stringify(body)).digest('hex')

// biome-ignore lint/suspicious/noExplicitAny: parts of JSON, changed at will.
type Loose = any
interface World {
  readonly kind: 'convert' | 'withdraw'
  readonly intent: Loose
  readonly service: Loose
  readonly claims: Record<string, string>
  /** Movements that a person has declared foreign. */
  readonly foreign?: readonly string[]
}

function bought(): World {
  const { orderId, terms, quoteExpiresAt } = {
    ...conversion.attempt,
    terms: { ...attemptAt('').terms, ...conversion.attempt.terms },
  }
  const { iat, exp } = conversion.attempt
  const attempt = { ...ATTEMPT, iat, exp, orderId, terms, quoteExpiresAt, bodySha256: sha256({ orderId }) }
  const ledger = fills.flatMap(({ id, baseAmount, quoteAmount }) =>
    [baseAmount, quoteAmount].map((amount) => ({ amount, source: { type: 'fill', id } })),
  )
  return {
    kind: 'convert',
    intent: { ...conversion, createdAt: AT, attempt },
    service: { orders: [{ id: order.id, row: order }], fills, ledger },
    claims: { [order.id]: conversion.intentId },
  }
}

function paid(): World {
  const { assetSymbol, amount, feeMode, contactId } = payment.frozen
  const attempt = { ...ATTEMPT, ...payment.attempt, bodySha256: sha256({ assetSymbol, amount, feeMode, contactId }) }
  const ledger = [{ amount: withdrawal.total, source: { type: 'withdrawal', id: withdrawal.id } }]
  return {
    kind: 'withdraw',
    intent: { ...payment, createdAt: AT, attempt },
    service: { withdrawal, rows: [withdrawal], ledger },
    claims: { [withdrawal.id]: payment.intentId },
  }
}

/** The codes of the contradictions. The records carry no chains. */
function told(world: World): readonly string[] {
  const { kind, intent, claims, foreign = [], service } = world
  const { intentId } = intent
  const about = { part: 'about', kind, id: intentId, at: AT, from: FROM }
  const record = (pk: string, fields: object) => ({
    part: `record ${pk}`,
    record: { pk, version: 1, format: 1, stamp: 's', ...fields },
  })
  const parts: Part[] = [
    { ...about, readWith: 'k' },
    record(recordKey.intent(kind, intentId), intent),
    ...Object.entries(claims).map(([id, holder]) => record(recordKey.claim(kind, id), { intentId: holder })),
    ...foreign.map((id) => record(recordKey.foreign(kind, id), { by: 'ann', because: 'paid by hand', at: AT })),
    ...(service === null ? [] : [{ part: `service ${intentId}`, readAt: AT, ...service }]),
  ]
  const read: Part[] = JSON.parse(JSON.stringify(parts))
  const { contradictions } = statementOf(evidenceIn(new Map(read.map((part) => [part.part, part]))))
  return contradictions.map(({ code }) => code).filter((code) => code !== 'record_broken')
}

const zero = { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' }
const named = { resolution: { by: 'ann', because: 'seen', at: AT } }
const withOrder = (change: object) => ({ orders: [{ id: order.id, row: { ...order, ...change } }] })
const beside = (change: object) => ({ rows: [withdrawal, { ...withdrawal, id: 'second', ...change }] })

/** Each change of a world that ties out, and the contradictions that follow. */
const WORLDS: Readonly<Record<string, readonly [() => World, (world: World) => Partial<World>, readonly string[]]>> = {
  'an order ties out': [bought, () => ({}), []],
  'a withdrawal ties out': [paid, () => ({}), []],
  'the order is on another market': [
    bought,
    () => ({ service: withOrder({ market: 'BTC-USDT' }) }),
    ['movement_differs'],
  ],
  'the order has filled more than it was of': [
    bought,
    ({ service, intent }) => ({
      service: { ...service, ...withOrder({ quoteAmount: '40' }) },
      intent: { ...intent, attempt: { ...intent.attempt, terms: { ...intent.attempt.terms, quoteAmount: '40' } } },
    }),
    ['figures_differ'],
  ],
  'a person has named another order than was sent': [
    bought,
    ({ intent }) => ({
      intent: {
        ...intent,
        ...named,
        attempt: { ...intent.attempt, orderId: 'another', bodySha256: sha256({ orderId: 'another' }) },
      },
    }),
    ['movement_differs'],
  ],
  'a zero keeps the id of its order': [
    bought,
    ({ intent }) => ({ intent: { ...intent, ...zero } }),
    ['another_movement'],
  ],
  'it is done, and by no movement': [
    paid,
    ({ intent }) => ({ intent: { ...intent, ref: undefined } }),
    ['claim_missing'],
  ],
  'the claim is of another intent': [paid, () => ({ claims: { [withdrawal.id]: 'another' } }), ['claim_missing']],
  'nothing was ever armed': [
    paid,
    ({ intent }) => ({ intent: { ...intent, attempt: undefined } }),
    ['claim_missing', 'movement_differs'],
  ],
  'nothing was ever armed, and the service was not read': [
    paid,
    ({ intent }) => ({ intent: { ...intent, attempt: undefined }, service: null }),
    ['claim_missing'],
  ],
  'a person has named an order, and nothing shows that it is what was asked for': [
    bought,
    ({ intent }) => ({ intent: { ...intent, ...named, attempt: undefined } }),
    ['movement_differs'],
  ],
  'the row was there before the send': [
    paid,
    ({ intent }) => ({ intent: { ...intent, attempt: { ...intent.attempt, known: [{ id: withdrawal.id, at: AT }] } } }),
    ['movement_differs'],
  ],
  'another row has its figure, and names another asset': [
    paid,
    () => ({ service: beside({ assetSymbol: 'EUR' }) }),
    ['another_movement'],
  ],
  'another row has its figure, and a person declared it to be others’': [
    paid,
    ({ claims }) => ({ service: beside({}), claims: { ...claims, second: FOREIGN }, foreign: ['second'] }),
    [],
  ],
  'another row has its figure, and is claimed for others by no word of a person': [
    paid,
    ({ claims }) => ({ service: beside({}), claims: { ...claims, second: FOREIGN } }),
    ['another_movement'],
  ],
  'another row has about as much': [paid, () => ({ service: beside({ amount: '89', total: '90' }) }), []],
  'the rows are left out': [paid, ({ service }) => ({ service: { ...service, rows: undefined } }), ['not_looked_for']],
  'the rows lack one that was known': [
    paid,
    ({ intent }) => ({ intent: { ...intent, attempt: { ...intent.attempt, known: [{ id: 'lacking', at: AT }] } } }),
    ['not_looked_for'],
  ],
}

function changed(name: string): World {
  const [make, change] = WORLDS[name] ?? []
  if (make === undefined || change === undefined) throw new TypeError(`there is no world in which ${name}`)
  const world = make()
  const { service, ...rest } = change(world)
  return { ...world, ...rest, service: service === null ? null : { ...world.service, ...service } }
}

test.each(Object.entries(WORLDS))('if %s, a proof shows it', (name, [, , codes]) => {
  expect(told(changed(name))).toEqual(codes)
})

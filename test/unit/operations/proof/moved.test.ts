// Proofs of one order and of one withdrawal, compared with contradicting evidence. Naive variants miss the
// contradiction.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { FOREIGN, recordKey } from '../../../../core/contract/records.ts'
import type { Part } from '../../../../operations/proof/pack-file.ts'
import { evidenceIn } from '../../../../operations/proof/proof-parts.ts'
import * as product from '../../../../operations/proof/statement.ts'
import { attemptAt } from '../../../helpers/intents.ts'
import { builtVariant } from '../../../mutants/built-variant.ts'
import { type Edit, edit } from '../../../mutants/source-edits.ts'
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
function told(world: World, { statementOf }: Pick<typeof product, 'statementOf'> = product): readonly string[] {
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

const MOVED = 'operations/proof/moved.ts'
const JUDGE = 'core/audit/judge-movement.ts'
const VARIANTS: Readonly<Record<string, readonly [keyof typeof WORLDS, Edit]>> = {
  'goes by the id of an order alone': [
    'the order is on another market',
    edit(JUDGE, '? findOrderDifference(order, intent) :', '? undefined :'),
  ],
  'goes by the terms of an order alone': [
    'a person has named another order than was sent',
    edit(JUDGE, 'return orderId === order.id ?', 'return true ?'),
  ],
  'takes whatever an order has filled': [
    'the order has filled more than it was of',
    edit(MOVED, ' || findOverfill(row) !== undefined', ''),
  ],
  'takes the movement that a zero names for its own': [
    'a zero keeps the id of its order',
    edit(MOVED, 'state === IntentState.Done ? ref : undefined', 'ref'),
  ],
  'asks for a claim only where a movement is named': [
    'it is done, and by no movement',
    edit(MOVED, 'if (findUnproven(intent,', 'if (movementId !== undefined && findUnproven(intent,'),
  ],
  'takes a row without an attempt': [
    'nothing was ever armed',
    edit(JUDGE, "if (attempt === undefined) return 'the intent was never armed'", 'if (attempt === undefined) return'),
  ],
  'takes the word of a person for the terms of an order whose record was lost': [
    'a person has named an order, and nothing shows that it is what was asked for',
    edit(
      JUDGE,
      "if (intent.attempt === undefined) return 'the intent was never armed'",
      'if (intent.attempt === undefined) return',
    ),
  ],
  'takes any record that is DONE for one that was sent': [
    'nothing was ever armed, and the service was not read',
    edit('core/movements/follows.ts', 'if (!hasProof(intent)) return', 'if (false) return'),
  ],
  'takes a row of before the send': [
    'the row was there before the send',
    edit(JUDGE, "if (attempt.known.some(({ id }) => id === row.id)) return 'it was there before the send'", ''),
  ],
  'passes over a row that names another asset': [
    'another row has its figure, and names another asset',
    edit('core/movements/withdrawal/match.ts', '[...exact, ...near]', '[...exact]'),
  ],
  'takes a claim for others for the word of a person': [
    'another row has its figure, and is claimed for others by no word of a person',
    edit(MOVED, "held === 'others, by no word of a person'", 'false'),
  ],
  'takes a row of about as much for a second one': [
    'another row has about as much',
    edit(MOVED, 'isLike(row) && isOpen(row)', 'isOpen(row)'),
  ],
  'asks for rows of zeros alone': [
    'the rows are left out',
    edit(MOVED, 'if (isEnded && attempt !== undefined && !isWhole', 'if (isZero && attempt !== undefined && !isWhole'),
  ],
  'takes any list for whole': [
    'the rows lack one that was known',
    edit(MOVED, ' && (attempt === undefined || findMissing(attempt, rows) === undefined)', ''),
  ],
}

describe('a variant of proofs', () => {
  test.each(Object.entries(VARIANTS))('that %s is caught', async (_about, [name, change]) => {
    const variant = await builtVariant<typeof product>('operations/proof/statement.ts', [change])
    expect(told(changed(name), variant)).not.toEqual(WORLDS[name]?.[2])
  })
})

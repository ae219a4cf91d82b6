// Any id that a person may have at hand leads to its intent or run.
import { expect, test } from 'vitest'
import { idMadeOf } from '../../../../operations/movements/intent-id.ts'
import { findInIntent, findInRun, namedBy } from '../../../../operations/movements/named-ids.ts'

const idsOf = (text: string) => {
  const { intents, runs, kind } = namedBy(text)
  return { intents: intents.map(({ id }) => id), runs: runs.map(({ id }) => id), kind }
}

test("a person's id names an intent of each verb, and may itself be an id of the journal", () => {
  expect(idsOf('invoice-2041')).toEqual({
    intents: [
      'invoice-2041',
      'invoice-2041',
      idMadeOf('convert', 'invoice-2041'),
      idMadeOf('withdraw', 'invoice-2041'),
    ],
    runs: ['invoice-2041', idMadeOf('rebalance', 'invoice-2041'), idMadeOf('sweep', 'invoice-2041')],
    kind: undefined,
  })
  // The journal cannot store it as it is, but a person may still give it.
  expect(idsOf('März 2026/1')).toEqual({
    intents: [idMadeOf('convert', 'März 2026/1'), idMadeOf('withdraw', 'März 2026/1')],
    runs: [idMadeOf('rebalance', 'März 2026/1'), idMadeOf('sweep', 'März 2026/1')],
    kind: undefined,
  })
})

test('an execution is named after its intent or run, and its ARN shows which', () => {
  expect(idsOf('cv-1_12').intents[0]).toBe('cv-1')
  const arn = (machine: string) => `arn:aws:states:eu-west-1:123456789012:execution:${machine}:wd-1_2`
  expect(idsOf(arn('sluice-withdraw'))).toEqual({ intents: ['wd-1'], runs: ['wd-1'], kind: 'withdraw' })
  expect(idsOf(arn('sluice-sweep')).kind).toBe('run')
  expect(idsOf(arn('other-machine')).kind).toBeUndefined()
})

const record = { pk: 'I#convert#cv-1', version: 1, format: 1, stamp: '' }

test.each([
  ['order-1', { attempt: { orderId: 'order-1' } }, 'the order of its last attempt'],
  ['nonce-1', { attempt: { nonce: 'nonce-1' } }, 'the nonce of its last attempt'],
  ['event-1', { params: { requestId: 'event-1' } }, 'the event that asked for it'],
  ['w-1', { evidence: [{ id: 'w-0' }, { id: 'w-1' }] }, 'a candidate'],
  ['0xab', { evidence: [{ transactionHash: '0xab' }] }, 'a candidate'],
  ['w-2', { resolution: { movementId: 'w-2' } }, 'the movement that a person chose'],
  ['other', { attempt: { orderId: 'order-1' }, params: null, evidence: 'text' }, undefined],
])('%s is found in the record of an intent', (id, fields, as) => {
  expect(findInIntent({ ...record, ...fields }, id)).toBe(as)
})

test('a leg is found in the record of its run, by its fills and its transaction', () => {
  const results = {
    'leg-1': { conversion: { orderId: 'order-1', fills: [{ id: 'fill-1' }] } },
    'leg-2': { withdrawal: { withdrawalId: 'w-1', transactionHash: '0xab', bankReference: null } },
  }
  const find = (id: string) => findInRun({ ...record, trigger: { by: 'event', id: 'event-1' }, results }, id)
  expect(find('fill-1')).toEqual({ as: 'a fill of its order', intentId: 'leg-1', kind: 'convert' })
  expect(find('0xab')).toEqual({ as: 'its transaction or bank reference', intentId: 'leg-2', kind: 'withdraw' })
  expect(find('event-1')).toEqual({ as: 'what started it' })
  expect(find('null')).toBeUndefined()
})

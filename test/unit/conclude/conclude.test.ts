// A run that cannot continue ends with a certified zero where nothing was sent, and otherwise asks for a person.
import { describe, expect, test } from 'vitest'
import { type ConcludeInput, concludeInput } from '../../../core/contract/conclude.ts'
import { Transient } from '../../../core/errors.ts'
import { findOpenIntents } from '../../../core/runs/plan/under-way.ts'
import { conclude as concludeIntent } from '../../../functions/conclude/conclude.ts'
import { conversionConclusion, withdrawalConclusion } from '../../../functions/conclude/conclusions.ts'
import { pollOrder } from '../../../functions/poll-order/poll-order.ts'
import { pollWithdrawal } from '../../../functions/poll-withdrawal/poll-withdrawal.ts'
import { quote } from '../../../functions/quote/quote.ts'
import { enterWithdraw, enterOrder as order } from '../../helpers/entered.ts'
import { type FakePorts, fakePorts, START_MS } from '../../helpers/fake-conversion-service.ts'
import { fakeWithdrawalPorts, WITHDRAW_REQUEST } from '../../helpers/fake-withdrawal-service.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'

const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }
const conclude = (input: Omit<ConcludeInput, 'kind'>, ports: FakePorts) =>
  concludeIntent({ ...input, kind: 'convert' }, conversionConclusion, ports)
const start = { execution: 'intent-1', startedAt: new Date(START_MS).toISOString(), request: REQUEST }
const fault = (name: string, errorMessage: string) => ({
  Error: name,
  Cause: JSON.stringify({ errorType: name, errorMessage }),
})
const unanswered = { kind: 'unproven', said: { code: 'no_answer', business: false, text: 'no answer' } } as const

test('an intent that was never armed is closed, and the run ends FAILED with nothing filled', async () => {
  const ports = fakePorts()
  await quote(start, ports)
  expect(await conclude({ ...start, fault: fault('Transient', 'no answer from the service') }, ports)).toMatchObject({
    outcome: 'FAILED',
    baseAmount: '0',
    fills: [],
    why: 'Transient: no answer from the service',
  })
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'EXHAUSTED' })
})

test.each([
  ['Transient', 'FAILED'],
  ['Refused', 'REJECTED'],
])('after %s an intent that was never opened is closed too, so that no later start can move it', async (name, end) => {
  const ports = fakePorts()
  await conclude({ ...start, fault: fault(name, 'no answer') }, ports)
  const input = await quote(start, ports)
  expect(input).toEqual({ intentId: 'intent-1', outcome: 'RECORDED' })
  expect(await order(input, ports)).toMatchObject({ outcome: end })
  expect(ports.fake.sentOrders).toEqual([])
})

test.each(['KeyFault', 'OwnFault', 'States.Permissions'])(
  'if something of ours needs repair (%s), nothing is closed, and the same id continues',
  async (name) => {
    const ports = fakePorts()
    const ours = fault(name, 'the journal did not answer a read (AccessDeniedException)')
    expect(await conclude({ ...start, fault: ours }, ports)).toMatchObject({
      outcome: 'OWN_FAULT',
      goesOn: true,
      attempts: 0,
    })
    expect(await ports.journal.find('intent-1', 'convert')).toBeUndefined()
    const input = await quote(start, ports)
    expect(await conclude({ ...start, fault: ours }, ports)).toMatchObject({
      outcome: 'OWN_FAULT',
      why: expect.stringMatching(/^nothing is sent until that is put right; then the same id goes on: /),
    })
    expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'READY' })
    expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
  },
)

test('a bug closes the unsent legs, and the run ends as a fault of ours', async () => {
  const ports = fakePorts()
  await quote(start, ports)
  expect(await conclude({ ...start, fault: fault('Defect', 'order broke: TypeError') }, ports)).toMatchObject({
    outcome: 'OWN_FAULT',
    why: 'closed, and nothing has moved: Defect: order broke: TypeError',
  })
  expect(await conclude({ ...start, fault: fault('Defect', 'again') }, ports)).not.toHaveProperty('goesOn')
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'EXHAUSTED', outcome: 'OWN_FAULT' })
  expect(ports.fake.sentOrders).toEqual([])
})

test('an invalid request is rejected with its field, and opens nothing', async () => {
  const ports = fakePorts()
  const input = {
    ...start,
    request: { amount: 1 },
    fault: fault('Refused', 'input.amount: expected a plain decimal string'),
  }
  expect(await conclude(input, ports)).toMatchObject({
    outcome: 'REJECTED',
    why: expect.stringContaining('input.amount'),
  })
  expect(await ports.journal.find('intent-1', 'convert')).toBeUndefined()
})

test('a request whose id belongs to another intent is rejected, and that intent is left alone', async () => {
  const ports = fakePorts()
  await quote(start, ports)
  const other = { ...start, request: { ...REQUEST, amount: '0.2' }, fault: fault('Refused', 'already asked for') }
  expect(await conclude(other, ports)).toMatchObject({ outcome: 'REJECTED' })
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'READY' })
})

test('a request that was refused for another of its id, which a write has replaced since, continues under its id', async () => {
  const ports = fakePorts()
  const input = await quote(start, ports)
  const refusal: Error = await quote({ ...start, request: { ...REQUEST, amount: '0.2' } }, ports).catch(
    (error) => error,
  )
  expect(await conclude({ ...start, fault: fault('Refused', refusal.message) }, ports)).toMatchObject({
    outcome: 'OWN_FAULT',
    goesOn: true,
  })
  expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
})

test('an armed intent needs a person, and stays armed so that a later check can still settle it', async () => {
  const ports = fakePorts({ answer: unanswered, orders: [undefined] })
  await order(await quote(start, ports), ports)
  expect(await conclude({ ...start, fault: fault('Transient', '503') }, ports)).toMatchObject({
    outcome: 'NEEDS_ATTENTION',
    orderId: 'order-1',
    why: expect.stringContaining('may have been placed'),
  })
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'ARMED' })
})

test('a proven order whose end could not be read is STUCK, not failed', async () => {
  const ports = fakePorts()
  await order(await quote(start, ports), ports)
  expect(await conclude({ ...start, fault: { Error: 'States.Timeout', Cause: '' } }, ports)).toMatchObject({
    outcome: 'STUCK',
    orderId: 'order-1',
    why: expect.stringContaining('States.Timeout'),
  })
})

test('an intent that has ended keeps its end', async () => {
  const ports = fakePorts()
  const request = { ...REQUEST, worstRate: '1' }
  await quote({ ...start, request }, ports)
  expect(await conclude({ ...start, request, fault: fault('Defect', 'bug') }, ports)).toMatchObject({
    outcome: 'PRICE_REFUSED',
  })
})

test('an intent that another execution armed meanwhile is not reported as a zero, because the journal is read again', async () => {
  const ports = fakePorts({ answer: unanswered, orders: [undefined] })
  const input = await quote(start, ports)
  const { advance } = ports.journal
  ports.journal.advance = async (intent, move) => {
    ports.journal.advance = advance
    await order(input, ports)
    return advance(intent, move)
  }
  const broken = { ...start, fault: fault('Transient', 'no answer') }
  await expect(conclude(broken, ports)).rejects.toThrow(Transient)
  expect(await conclude(broken, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION', orderId: 'order-1' })
})

test('a request that is invalid today is still reported by its intent', async () => {
  const ports = fakePorts()
  const request = { ...REQUEST, formerField: 'x' }
  const ready = await ports.journal.open({
    ...{ intentId: 'intent-1', kind: 'convert', params: request, frozen: CONVERSION.frozen },
    ...{ createdAt: start.startedAt, notAfter: start.startedAt },
  })
  await ports.journal.advance(ready, armed(ready, 'order-1'))
  expect(await conclude({ ...start, request, fault: fault('Transient', '503') }, ports)).toMatchObject({
    outcome: 'NEEDS_ATTENTION',
    orderId: 'order-1',
  })
})

test('an execution whose name cannot be an intent is rejected by its field, and opens nothing', async () => {
  const ports = fakePorts()
  const input = concludeInput.parse({
    ...start,
    kind: 'convert',
    execution: 'daily.1',
    fault: fault('Refused', 'quote.intentId: no'),
  })
  expect(await conclude(input, ports)).toEqual({
    ...{ outcome: 'REJECTED', intentId: 'daily.1', attempts: 0 },
    why: 'Refused: quote.intentId: no',
  })
  expect(await ports.journal.find('daily.1', 'convert')).toBeUndefined()
})

describe('an intent that a step found missing in the journal', () => {
  /** The fault as Step Functions catches it. */
  const faultOf = (error: Error) => fault(error.name, error.message)
  const thrown = (step: Promise<unknown>) =>
    step.then(
      () => expect.unreachable(),
      (error: Error) => error,
    )
  const quoted = { intentId: 'intent-1', outcome: 'QUOTED' }

  test.each([
    ['Order', (ports: FakePorts) => order(quoted, ports)],
    ['PollOrder', (ports: FakePorts) => pollOrder({ intentId: 'intent-1' }, ports)],
  ])(
    'by %s is no zero: it may have moved, a person is asked, and the same id sends nothing any more',
    async (_, step) => {
      const ports = fakePorts()
      const lost = { ...start, fault: faultOf(await thrown(step(ports))) }
      const asksPerson = {
        ...{ outcome: 'NEEDS_ATTENTION', intentId: 'intent-1' },
        why: expect.stringContaining('whether it has moved money is not known'),
      }
      const report = await conclude(lost, ports)
      expect(report).toMatchObject(asksPerson)
      expect(report).not.toHaveProperty('fills')
      expect(await order(await quote(start, ports), ports)).toMatchObject(asksPerson)
      expect(await conclude(lost, ports)).toMatchObject(asksPerson)
      expect(ports.fake.sentOrders).toEqual([])
      expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'ESCALATED' })
    },
  )

  test('by Withdraw or PollWithdrawal is no zero either', async () => {
    const request = WITHDRAW_REQUEST
    for (const step of [enterWithdraw, pollWithdrawal]) {
      const { ports, shared, check, send } = fakeWithdrawalPorts()
      const lost = {
        ...start,
        request,
        fault: faultOf(await thrown(step({ intentId: 'intent-1', waits: 0 }, { ...shared, ...ports }))),
      }
      const concluded = await concludeIntent({ ...lost, kind: 'withdraw' }, withdrawalConclusion, shared)
      expect(concluded).toMatchObject({ outcome: 'NEEDS_ATTENTION', assetSymbol: 'USDC' })
      await check()
      expect(await send()).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
      const { journal } = shared
      expect(await journal.find('intent-1', 'withdraw')).toMatchObject({ state: 'ESCALATED' })
      // Plans do not use figures that it may have changed.
      const open = await findOpenIntents({ journal, index: { list: async () => ['withdraw#intent-1'] } })
      expect([...open.inDoubt.keys(), ...open.onTheirWay.keys()]).toEqual([request.assetSymbol, request.contactId])
    }
  })

  test('by an execution that enters it again is reported so, because its send may be older than that execution', async () => {
    const ports = fakePorts()
    const lost = { ...start, fault: faultOf(await thrown(order(quoted, ports))) }
    await conclude({ ...lost, execution: 'intent-1_2' }, ports)
    await conclude({ ...lost, execution: 'intent-2' }, ports)
    expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ frozen: { isEnteredAgain: true } })
    expect((await ports.journal.find('intent-2', 'convert'))?.frozen).toEqual({ fenceSeconds: 165 })
  })

  test('is closed with the time of that discovery, from which the time for a zero counts, as configured then', async () => {
    const ports = fakePorts({}, { leewaySeconds: 600 })
    const lost = { ...start, fault: faultOf(await thrown(order(quoted, ports))) }
    ports.fake.nowMs = START_MS + 3_600_000
    await conclude(lost, ports)
    expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({
      ...{ createdAt: start.startedAt, notAfter: '2026-01-01T01:00:00.000Z', frozen: { fenceSeconds: 705 } },
    })
  })

  test('and that another run has opened again meanwhile is not sent by that run', async () => {
    const ports = fakePorts()
    const lost = { ...start, fault: faultOf(await thrown(order(quoted, ports))) }
    const another = await quote(start, ports)
    expect(await conclude(lost, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    expect(await order(another, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('is no zero if today’s deployment would refuse its request, or if its id has another request', async () => {
    const ports = fakePorts()
    const lost = { ...start, fault: faultOf(await thrown(order(quoted, ports))) }
    const formerly = { ...lost, request: { ...REQUEST, formerField: 'x' } }
    expect(await conclude(formerly, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    expect(await conclude(lost, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    expect(await conclude(formerly, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
  })
})

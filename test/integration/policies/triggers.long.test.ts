// Tests every kind of policy on one machine, started by its schedule, an event, or a webhook. Whatever AWS and the
// service may deliver twice is delivered twice, and makes one run. The sandbox's books show what moved.

import type { DeliveryHook } from '@sluice/embedded-aws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RequestEvent, ResultEvent } from '../../../core/contract/events.ts'
import { runSummary } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { eventOf, machineOf, policiesOf, ROWS, type Row } from './kinds.ts'
import { type PolicyWorld, startPolicyWorld } from './policy-world.ts'

let world: PolicyWorld
beforeAll(async () => {
  const schedule = { expression: 'cron(0 9 * * ? *)' }
  world = await startPolicyWorld((contactId) => policiesOf(contactId, { schedule }))
})
afterAll(() => world?.stop())

const AT = new Date('2026-12-01T09:00:00Z')
const executions = new Set<string>()

/** Expects one new run of that row, with exactly its legs' movements, announced on the bus. */
async function expectOneRun(row: Row, by: string, legs: readonly string[], known: number, id?: string) {
  const fresh = (await world.ended(machineOf(row))).filter(({ executionArn }) => !executions.has(executionArn))
  for (const { executionArn } of fresh) executions.add(executionArn)
  expect(fresh).toHaveLength(1)
  const { name = '', input = '', output = '' } = fresh[0] ?? {}
  const stem = by === 'event' ? eventOf(row).replace(' Requested', '').toLowerCase() : row.name
  expect(name).toMatch(new RegExp(`^${stem}-[0-9a-f]{26}$`))
  expect(JSON.parse(input)).toMatchObject({ policy: row.name, trigger: { by } })
  const summary = runSummary.parse(JSON.parse(output))
  expect(summary).toMatchObject({ outcome: row.outcome, policy: row.name, runId: name })
  expect(summary.legs.map(({ outcome }) => outcome)).toEqual(legs)

  const report = await world.runs.find(name)
  expect(report).toMatchObject({ outcome: row.outcome, trigger: { by } })
  if (row.nonLeg) expect(report?.plan?.nonLegs).toContainEqual(expect.objectContaining({ code: row.nonLeg }))
  expect((await world.movements()).length - known).toBe(legs.length)

  const [told, ...others] = world.toldOf(ResultEvent.Run, name)
  expect(others).toEqual([])
  expect(told).toEqual({ version: 1, execution: name, endedAt: told?.endedAt, result: summary, ...(id && { id }) })
}

const requested = (DetailType: string, detail: object) => ({
  ...{ EventBusName: 'sluice', Source: 'risk', DetailType },
  Detail: JSON.stringify(detail),
})
const twice: DeliveryHook = ({ sourceArn }) => (sourceArn.includes('sluice-requests') ? 'twice' : undefined)

describe.each(ROWS)('$name', (row) => {
  const laterLegs = row.laterLegs ?? row.legs

  test('its schedule, fired twice for one time, is one run with its movements', async () => {
    await world.give(row.given)
    const known = (await world.movements()).length
    world.aws.schedules.fire(row.name, AT, 2)
    await expectOneRun(row, 'schedule', row.legs, known)
    world.aws.schedules.fire(row.name, AT)
    await world.ended(machineOf(row))
    expect((await world.movements()).length - known).toBe(row.legs.length)
  })

  test('an event, put twice and delivered twice, is one run with its movements', async () => {
    await world.give(row.given)
    const known = (await world.movements()).length
    world.hooks.delivery = twice
    const entry = requested(eventOf(row), { version: 1, id: `ask-${row.name}`, policy: row.name })
    await world.aws.putEvents([entry, entry])
    await world.aws.putEvents([entry])
    await expectOneRun(row, 'event', laterLegs, known, `ask-${row.name}`)
    world.hooks.delivery = () => undefined
    expect(world.aws.queueMessages('sluice-dead-letters')).toEqual([])
  })

  if (row.deposits === undefined) return

  test('a deposit, delivered twice, is one run with its movements; a forged delivery starts no run', async () => {
    await world.give(Object.fromEntries(Object.keys(row.given).map((asset) => [asset, '0'])))
    const known = (await world.movements()).length
    const delivery = await world.deposit(row.given)
    expect(await world.deliver(delivery, ' ')).toBe(401)
    expect(await world.deliver(delivery)).toBe(200)
    expect(await world.deliver(delivery)).toBe(200)
    await expectOneRun(row, 'deposit', laterLegs, known)
  })
})

const request = { assetSymbol: 'SOL', amount: '5', contactReference: 'subsidiary' }

test('a withdrawal requested by an event, put twice and delivered twice, is one movement, and its end is announced', async () => {
  await world.give({ SOL: '20' })
  const known = await world.movements()
  const before = world.aws.listExecutions(StateMachine.Withdraw).length
  world.hooks.delivery = twice
  const entry = requested(RequestEvent.Withdrawal, { version: 1, id: 'payout-1', request })
  await world.aws.putEvents([entry, entry])
  const ended = await world.ended(StateMachine.Withdraw)
  world.hooks.delivery = () => undefined
  expect(ended).toHaveLength(before + 1)
  const run = ended.find(({ name }) => name.startsWith('withdraw-'))
  // The version of its record is for the execution's history, and is not announced.
  const { version: _version, ...result } = JSON.parse(run?.output ?? '{}')
  expect(result).toMatchObject({ outcome: 'COMPLETED', intentId: run?.name })
  expect((await world.movements()).slice(known.length)).toMatchObject([{ kind: 'withdrawal', id: result.withdrawalId }])
  expect(world.toldOf(ResultEvent.Withdrawal, run?.name ?? '')).toMatchObject([{ id: 'payout-1', result }])
})

test.each<[string, RequestEvent, object, string]>([
  ['of another version', RequestEvent.Sweep, { version: 2, id: 'x-2', policy: 'sweep' }, 'detail.version: '],
  ['without an id', RequestEvent.Rebalance, { version: 1, policy: 'rebalance' }, 'detail.id: '],
  ['for an unknown policy', RequestEvent.Sweep, { version: 1, id: 'x-3', policy: 'none' }, 'detail.policy: '],
  [
    'on behalf of an unknown policy',
    RequestEvent.Withdrawal,
    { version: 1, id: 'x-7', request: { ...request, policy: 'swep' } },
    'has no policy swep; did you mean sweep?',
  ],
  ['for the other machine', RequestEvent.Sweep, { version: 1, id: 'x-4', policy: 'fund' }, 'of kind fund'],
  [
    'that brings a policy of its own',
    RequestEvent.Rebalance,
    { version: 1, id: 'x-5', policy: { kind: 'rebalance', weights: { BTC: '1' } } },
    'detail.policy: ',
  ],
  [
    'with an invalid amount',
    RequestEvent.Withdrawal,
    { version: 1, id: 'x-6', request: { ...request, amount: '5 SOL' } },
    'detail.request.amount: ',
  ],
])('an event %s starts nothing, and is kept with its reason', async (_what, detailType, detail, reason) => {
  const machines = Object.values(StateMachine)
  const started = () => machines.flatMap((machine) => world.aws.listExecutions(machine)).length
  const [startedBefore, keptBefore] = [started(), world.aws.queueMessages('sluice-dead-letters').length]
  await world.aws.putEvents([requested(detailType, detail)])
  await world.aws.untilDelivered()
  expect(started()).toBe(startedBefore)
  const kept = world.aws.queueMessages('sluice-dead-letters').slice(keptBefore)
  expect(kept).toHaveLength(1)
  const { requestPayload, responsePayload } = JSON.parse(kept[0]?.body ?? '{}')
  expect(responsePayload).toMatchObject({ errorType: 'Refused', errorMessage: expect.stringContaining(reason) })
  expect(requestPayload.detail).toEqual(detail)
})

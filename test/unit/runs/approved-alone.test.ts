// Amounts that one person alone approved count for 24 hours, over all policies that ask for two people above some
// value.
import { beforeEach, describe, expect, test } from 'vitest'
import { Transient } from '../../../core/errors.ts'
import { decideApproval } from '../../../core/runs/approval/decision.ts'
import { createDecisions } from '../../../core/runs/approval/decisions.ts'
import { planRun } from '../../../core/runs/plan/plan-run.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { POLICY, planning, type RunWorld, runWorld, START, START_MS } from '../../helpers/run-world.ts'

const HOUR_MS = 3_600_000
/** Each run sells 1,000 for A and 1,005 for B, by the planner of this world. */
const APPROVAL = { above: '100', twoAbove: '4500', expiresAfterSeconds: 86_400, priceBoundBps: 100 }
const names = ['first', 'second', 'third']
let world: RunWorld
beforeEach(() => {
  world = runWorld({
    ...Object.fromEntries([...names, 'fourth', 'fifth'].map((name) => [name, { ...POLICY, approval: APPROVAL }])),
    ...Object.fromEntries(
      ['free', 'too'].map((name) => [name, { ...POLICY, approval: { ...APPROVAL, twoAbove: undefined } }]),
    ),
  })
})

async function plan(policy: string, runId: string) {
  return planRun({ execution: runId, startedAt: START, request: { policy } }, planning, world.ports)
}

async function approve(runId: string, by = 'ana', people = world.people) {
  const planHash = (await world.ports.runs.find(runId))?.approval?.planHash ?? ''
  const at = new Date(world.account.nowMs).toISOString()
  const { run } = await decideApproval(runId, { decision: 'approved', planHash, by, because: 'fine', at }, people)
  return run.approval
}

const ALONE = { decision: 'approved' }
const WAITS = { needed: 2, approvals: [{ by: 'ana', secondBecause: expect.stringMatching(/^ana alone approved/) }] }

test("a run that takes one person's approvals above the value for two waits for another person", async () => {
  for (const name of names) await plan(name, `run-${name}`)
  expect(await approve('run-first')).toMatchObject(ALONE)
  expect(await approve('run-second')).toMatchObject(ALONE)
  const third = await approve('run-third')
  expect(third).toMatchObject(WAITS)
  expect(third).not.toHaveProperty('decision')
  expect(third?.approvals?.[0]?.secondBecause).toBe(
    'ana alone approved 4010 USD in the last 24 hours, and with these 2005 it is more than 4500',
  )
  expect(await plan('third', 'run-third_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  expect(await approve('run-third', 'bob')).toMatchObject({ decision: 'approved', needed: 2 })
  expect(await plan('third', 'run-third_3')).toMatchObject({ outcome: 'FIRST' })
})

test('an amount that a second person also approved counts for neither, and reduces nothing', async () => {
  for (const name of names) await plan(name, `run-${name}`)
  await approve('run-first')
  await approve('run-second')
  await approve('run-third')
  await approve('run-third', 'bob')
  world.account.nowMs += HOUR_MS
  await plan('fourth', 'again')
  expect(await approve('again')).toMatchObject(WAITS)
  expect(await approve('again', 'bob')).toMatchObject({ decision: 'approved' })
  await plan('fifth', 'last')
  expect(await approve('last', 'bob')).toMatchObject(ALONE)
})

test('an amount that one person approved counts for 24 hours, to the last moment, and then no more', async () => {
  for (const name of names) await plan(name, `run-${name}`)
  await approve('run-first')
  await approve('run-second')
  world.account.nowMs = START_MS + 24 * HOUR_MS - 1
  await plan('fourth', 'in-time')
  expect(await approve('in-time')).toMatchObject(WAITS)
  world.account.nowMs = START_MS + 24 * HOUR_MS
  await plan('fifth', 'next-day')
  expect(await approve('next-day')).toMatchObject(ALONE)
})

test('two roles of one person count as the same person', async () => {
  for (const name of names) await plan(name, `run-${name}`)
  await approve('run-first', 'arn:aws:sts::1:assumed-role/Op/Ana')
  await approve('run-second', 'arn:aws:iam::1:user/ana')
  expect(await approve('run-third')).toMatchObject({ needed: 2 })
})

test('approvals of a policy without a value for two do not count, and are not held by it', async () => {
  for (const name of ['free', ...names]) await plan(name, `run-${name}`)
  await approve('run-free')
  await approve('run-first')
  expect(await approve('run-second')).toMatchObject(ALONE)
  world.account.nowMs += HOUR_MS
  await plan('too', 'free-again')
  expect(await approve('free-again')).toMatchObject(ALONE)
})

test('a run that ends without a movement still counts', async () => {
  for (const name of names) await plan(name, `run-${name}`)
  await approve('run-first')
  await approve('run-second')
  world.account.balances = { A: '20', B: '0', USD: '5' }
  expect(await plan('first', 'run-first_2')).toMatchObject({ outcome: 'APPROVAL_VOID' })
  expect(await approve('run-third')).toMatchObject({ needed: 2 })
})

test('repeating the decision changes nothing', async () => {
  await plan('first', 'run-first')
  await approve('run-first')
  const before = structuredClone([...world.store.records])
  expect(await approve('run-first')).toMatchObject(ALONE)
  expect([...world.store.records]).toEqual(before)
})

test('two of three plans that one person approves at one moment pass', async () => {
  for (const name of names) await plan(name, `run-${name}`)
  const approvals = await Promise.all(names.map((name) => approve(`run-${name}`)))
  expect(approvals.filter((approval) => approval?.decision === 'approved')).toHaveLength(2)
  expect(approvals.filter((approval) => approval?.needed === 2)).toHaveLength(1)
})

describe('by the record alone', () => {
  const TERMS = { value: '1', asset: 'USD', twoAbove: '1000' }
  const word = (by: string, at = START) => ({ decision: 'approved', by, because: 'fine', at }) as const

  test('a process that ends before the decision is recorded has counted it, and a repeated decision is counted once', async () => {
    let fails = 0
    const store = createMemoryStore()
    let ids = 0
    const dying = createDecisions(
      {
        ...store,
        create: async (record) => {
          if (record.pk === 'D#run-1#hash' && ++fails === 1) throw new Transient('it ended here')
          return store.create(record)
        },
      },
      () => `id-${++ids}`,
      decisionKey,
    )
    const own = { ...TERMS, value: '600' }
    await expect(dying.add('run-1', 'hash', word('ana'), own)).rejects.toThrow(Transient)
    expect(await dying.findWhySecond('run-2', 'hash', word('ana'), own)).toMatch(/^ana alone approved 600 USD/)
    expect((await dying.add('run-1', 'hash', word('ana'), own))[0]).not.toHaveProperty('secondBecause')
    expect(store.records.get('D#(alone)#ana')).toMatchObject({ approved: [{ of: 'run-1 hash', value: '600' }] })
  })

  test('an amount in another asset cannot be added: another person is required', async () => {
    await world.decisions.add('run-1', 'hash', word('ana'), TERMS)
    const [second] = await world.decisions.add('run-2', 'hash', word('ana'), { ...TERMS, asset: 'EUR' })
    expect(second?.secondBecause).toMatch(/^1 EUR cannot be added to the 1 USD that ana alone approved/)
  })

  test('after a hundred approvals in a day another person is required, and the record has no more', async () => {
    for (let run = 0; run < 100; run += 1)
      expect((await world.decisions.add(`run-${run}`, 'hash', word('ana'), TERMS))[0]).not.toHaveProperty(
        'secondBecause',
      )
    const [last] = await world.decisions.add('run-100', 'hash', word('ana'), TERMS)
    expect(last?.secondBecause).toBe('ana alone approved 100 times in the last 24 hours')
    expect(world.store.records.get('D#(alone)#ana')?.approved).toHaveLength(100)
  })

  test('a time in the future, by a clock that was set back since, counts', async () => {
    const later = '2026-01-03T00:00:00.000Z'
    await world.decisions.add('run-1', 'hash', word('ana', later), { ...TERMS, value: '900' })
    expect(await world.decisions.findWhySecond('run-2', 'hash', word('ana'), { ...TERMS, value: '200' })).toMatch(
      /^ana alone approved 900 USD/,
    )
  })
})

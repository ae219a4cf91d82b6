// How a run ends when something stands in its way, in the product's own state machines on one machine. The obstacles
// are another run of the policy, a failing leg, a person who must decide, a halt, the breaker, and maintenance. The
// result and the sandbox's books show what moved.
import { expect, test } from 'vitest'
import { ResultEvent } from '../../../core/contract/events.ts'
import type { RunSummary } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { decideApproval } from '../../../core/runs/approval/decision.ts'
import { end, executionsOf, hold, moving, run, start, stopExecution, useWorld, world } from './run-ends.ts'

useWorld()

test('a second run while one is under way ends ALREADY_RUNNING, and starts when it is entered again', async () => {
  await world.give({ LTC: '20' })
  const { answer, moved } = await moving(async () => {
    const { letGo } = await hold(() => start('busy', 'busy-1'))
    const second = await run('busy', 'busy-2')
    return [await letGo(), second]
  })
  expect(answer).toMatchObject([
    { outcome: 'SETTLED' },
    { outcome: 'ALREADY_RUNNING', why: 'run busy-1 of the policy is under way', legs: [] },
  ])
  expect(moved).toBe(1)
  await world.aws.untilDelivered()
  expect(world.toldOf(ResultEvent.Run, 'busy-2')).toMatchObject([{ result: { outcome: 'ALREADY_RUNNING' } }])
  expect(await run('busy', 'busy-2_2')).toMatchObject({ outcome: 'NOTHING_TO_DO', runId: 'busy-2' })
})

test('deposits during a run wait until it has ended, and are converted once, without a schedule', async () => {
  await world.give({ LTC: '20' })
  const { answer, moved } = await moving(async () => {
    const { letGo } = await hold(() => start('busy', 'busy-3'))
    const known = new Set(executionsOf().map(({ name }) => name))
    const [bothWait, isFree] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let waits = 0
    world.hooks.wait = async (ms) => {
      // A wait other than that of a retry.
      if (ms < 10_000) return
      waits += 1
      if (waits === 2) bothWait.resolve()
      // Time does not run ahead of the work: first the held run ends, then one of the two.
      if (waits <= 2) await isFree.promise
      else await Promise.race(deposited().map(end))
    }
    const deposited = () => executionsOf().filter(({ name }) => !known.has(name))
    expect(await world.deliver(await world.deposit({ LTC: '50' }))).toBe(200)
    expect(await world.deliver(await world.deposit({ LTC: '60' }))).toBe(200)
    await bothWait.promise
    for (const { name } of deposited()) {
      expect(await world.runs.find(name)).toMatchObject({ outcome: 'RUNNING', why: expect.stringContaining('busy-3') })
    }
    const first = await letGo()
    isFree.resolve()
    return { first, others: await Promise.all(deposited().map(end)) }
  })
  world.hooks.wait = async () => undefined
  expect(answer.first).toMatchObject({ outcome: 'SETTLED', legs: [{ outcome: 'FILLED' }] })
  const [idle, other] = answer.others.toSorted((left, right) => left.legs.length - right.legs.length)
  expect(answer.others).toHaveLength(2)
  expect(idle).toMatchObject({ outcome: 'NOTHING_TO_DO', legs: [] })
  expect(other).toMatchObject({ outcome: 'SETTLED', legs: [{ outcome: 'FILLED' }] })
  expect((await world.runs.find(other?.runId ?? ''))?.plan?.legs).toMatchObject([
    { gives: { asset: 'LTC', amount: '40' } },
  ])
  expect(moved).toBe(2)
  expect(await run('busy', 'busy-4')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
})

test('a run whose execution is stopped while it waits for its turn ends, and the holder continues', async () => {
  await world.give({ LTC: '20' })
  const { letGo } = await hold(() => start('busy', 'busy-5'))
  const stopped = Promise.withResolvers<void>()
  const isWaiting = Promise.withResolvers<void>()
  world.hooks.wait = async (ms) => {
    if (ms < 10_000) return
    isWaiting.resolve()
    await stopped.promise
  }
  const input = JSON.stringify({ policy: 'busy', trigger: { by: 'deposit' } })
  const waiting = await world.aws.startExecution({ stateMachine: StateMachine.Rebalance, name: 'busy-6', input })
  await isWaiting.promise
  await stopExecution(waiting)
  stopped.resolve()
  await world.aws.untilDelivered()
  world.hooks.wait = async () => undefined
  expect(await world.runs.find('busy-6')).toMatchObject({
    ...{ outcome: 'FAILED', why: 'its execution ended ABORTED before any leg was planned', phases: [] },
  })
  expect(await letGo()).toMatchObject({ outcome: 'SETTLED' })
})

test('a sweep that waited for its turn starts with its first phase', async () => {
  await world.give({ USDT: '2000' })
  const sweep = (name: string, more = {}) => {
    const input = JSON.stringify({ policy: 'swept', ...more })
    return world.aws.startExecution({ stateMachine: StateMachine.Sweep, name, input })
  }
  const { answer, moved } = await moving(async () => {
    const { letGo } = await hold(() => sweep('swept-1'), 'sluice-withdraw')
    let first: Promise<RunSummary> | undefined
    world.hooks.wait = async (ms) => {
      if (ms < 10_000 || first !== undefined) return
      await world.give({ USDT: '5000' })
      first = letGo()
      await first
    }
    const second = await end(await sweep('swept-2', { trigger: { by: 'deposit' } }))
    world.hooks.wait = async () => undefined
    return [await first, second]
  })
  expect(answer).toMatchObject([
    { outcome: 'SETTLED', legs: [{ outcome: 'COMPLETED' }] },
    { outcome: 'SETTLED', legs: [{ outcome: 'COMPLETED' }] },
  ])
  expect(moved).toBe(2)
})

test('a failing leg leaves the others to be carried out, settled and reported', async () => {
  await world.give({ BTC: '0', ETH: '0', SOL: '0', USD: '100000' })
  await world.control('/rules', {
    match: { method: 'POST', path: '/v2/orders', times: 1 },
    fault: { kind: 'settleLater', afterMs: 100, outcome: 'fail' },
  })
  const { answer, moved } = await moving(() => run('several', 'several-1'))
  expect(answer).toMatchObject({ outcome: 'PARTLY_SETTLED', tiesOut: true })
  const ends = answer.legs.map(({ outcome }) => outcome)
  expect(ends.toSorted()).toEqual(['FAILED', 'FILLED', 'FILLED'])
  // The failing order was accepted first, and moved nothing.
  expect(moved).toBe(3)
  const failed = answer.legs.find(({ outcome }) => outcome === 'FAILED')
  expect(answer.why).toContain(`${failed?.key}: failed`)
  expect(await run('several', 'several-2')).toMatchObject({ outcome: 'SETTLED', legs: [{ outcome: 'FILLED' }] })
})

/** Leaves a run that waits for approval, and returns the hash of its plan. */
async function waiting(name: string): Promise<string> {
  await world.give({ DOGE: '5000' })
  const { answer, moved } = await moving(() => run('approved', name))
  expect(answer).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  expect(moved).toBe(0)
  return (await world.runs.find(name))?.approval?.planHash ?? ''
}

async function decide(runId: string, planHash: string, decision: 'approved' | 'rejected'): Promise<void> {
  const at = new Date(world.nowMs()).toISOString()
  await decideApproval(runId, { planHash, decision, by: 'ada', because: 'as agreed', at }, world)
}

test('a plan above its bound waits; after approval those legs move, and never again', async () => {
  const planHash = await waiting('approved-1')
  expect((await moving(() => run('approved', 'approved-1_2'))).moved).toBe(0)
  await decide('approved-1', planHash, 'approved')
  expect(await moving(() => run('approved', 'approved-1_3'))).toMatchObject({
    moved: 1,
    answer: { outcome: 'SETTLED' },
  })
  expect(await moving(() => run('approved', 'approved-1_4'))).toMatchObject({
    moved: 0,
    answer: { outcome: 'SETTLED' },
  })
})

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['balance', () => world.give({ DOGE: '6000' }), /^the spendable balance of DOGE was 5000 and is 6000$/],
  [
    'price',
    () => world.control('/price', { market: 'DOGE-USDC', mid: '0.2' }),
    /^the indicative rate of .* was .* and is/,
  ],
  ['time', () => world.pass(601_000), /^nobody carried it out until /],
])('an approval is void once the %s has changed, and nothing moves', async (what, change, why) => {
  const runId = `void-${what}`
  const planHash = await waiting(runId)
  await decide(runId, planHash, 'approved')
  await change()
  const { answer, moved } = await moving(() => run('approved', `${runId}_2`))
  expect(answer).toMatchObject({ outcome: 'APPROVAL_VOID', why: expect.stringMatching(why), legs: [] })
  expect(moved).toBe(0)
})

test('a plan that a person rejects moves nothing, and neither does a later entry', async () => {
  const planHash = await waiting('rejected-1')
  await decide('rejected-1', planHash, 'rejected')
  expect(await moving(() => run('approved', 'rejected-1_2'))).toMatchObject({
    moved: 0,
    answer: { outcome: 'DISAPPROVED', why: 'ada said no: as agreed' },
  })
})

test('a halted policy ends HALTED and names the person; after resuming, the same run starts', async () => {
  await world.give({ UNI: '100' })
  const halt = { scope: 'halted', by: 'ada', because: 'audit', at: new Date(world.nowMs()).toISOString() }
  await world.halts.halt(halt)
  expect(await moving(() => run('halted', 'halted-1'))).toMatchObject({
    moved: 0,
    answer: { outcome: 'HALTED', why: expect.stringContaining('audit') },
  })
  await world.halts.resume(halt)
  expect(await moving(() => run('halted', 'halted-1_2'))).toMatchObject({ moved: 1, answer: { outcome: 'SETTLED' } })
})

test('while the service is in maintenance a run ends GUARDED, and starts when it is entered again', async () => {
  await world.give({ UNI: '100' })
  await world.control('/maintenance', { on: true })
  expect(await run('halted', 'maintained-1')).toMatchObject({ outcome: 'GUARDED', legs: [] })
  await world.control('/maintenance', { on: false })
  expect(await run('halted', 'maintained-1_2')).toMatchObject({ outcome: 'SETTLED', legs: [{ outcome: 'FILLED' }] })
})

test('after as many failed runs in a row as its breaker allows, a policy is halted with the reason', async () => {
  await world.give({ XRP: '2000' })
  await world.control('/rules', {
    match: { method: 'POST', path: '/v2/orders', times: 2 },
    fault: { kind: 'settleLater', afterMs: 100, outcome: 'fail' },
  })
  expect(await run('failing', 'failing-1')).toMatchObject({ outcome: 'NOTHING_MOVED', tiesOut: true })
  expect(await world.halts.find('failing')).toBeUndefined()
  expect(await run('failing', 'failing-2')).toMatchObject({ outcome: 'NOTHING_MOVED', tiesOut: true })
  const why = expect.stringMatching(/2 runs in a row did not settle; the last: .*: failed.*\(run failing-2\)/)
  expect(await world.halts.find('failing')).toMatchObject({ by: 'the breaker', because: why })
  // The service would accept orders again, but the breaker does not close by itself.
  expect(await moving(() => run('failing', 'failing-3'))).toMatchObject({
    moved: 0,
    answer: { outcome: 'HALTED', why },
  })
})

test('a fall of the holdings beyond the bound halts a policy before it trades', async () => {
  await world.give({ TRX: '50000', LINK: '300' })
  expect(await run('falling', 'falling-1')).toMatchObject({ outcome: 'SETTLED' })
  await world.control('/price', { market: 'LINK-USD', mid: '8' })
  const { answer, moved } = await moving(() => run('falling', 'falling-2'))
  expect(answer).toMatchObject({
    outcome: 'HALTED',
    why: expect.stringMatching(/what is held fell by .* of .* USD/),
  })
  expect(moved).toBe(0)
})

// Tests a policy that is renamed. Its records under the old name continue under the new name, once, and a halt of the
// old name holds.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Policy, policy as policySchema } from '../../../core/contract/policies.ts'
import { rememberNames } from '../../../core/journal/policy-names.ts'
import { findRequestedPolicy } from '../../../core/runs/record/request.ts'
import { reportOfRun } from '../../../core/runs/record/run-record.ts'
import { findPolicyFaults } from '../../../core/treasury/policy-rules.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { carryOut, POLICY, type RunWorld, runWorld, START, treasuryWith } from '../../helpers/run-world.ts'

let world: RunWorld
beforeEach(() => {
  world = runWorld()
})

function change(policies: Record<string, unknown>): void {
  world.ports = world.portsOver(world.store, treasuryWith(policies))
}

const input = (policy: string, execution: string, more: object = {}) => ({
  ...{ execution, startedAt: START, enteredAt: START, request: { policy } },
  ...more,
})
const plan = (policy: string, execution: string, more: object = {}) =>
  planRebalance(input(policy, execution, more), world.ports)
const settle = (policy: string, execution: string) => settleRun(input(policy, execution), world.ports)
const memory = (policy: string) => world.ports.policies.find(policy)

/** Sells, and ends before it buys. */
async function strand(policy: string, execution: string): Promise<void> {
  for (const leg of (await plan(policy, execution)).legs) await carryOut(leg, world, world.ports)
  await settle(policy, execution)
}

describe('a policy that names its former name', () => {
  test("continues with the old policy's balances on their way, which nobody does twice", async () => {
    await strand('weekly', 'run-1')
    change({ monthly: { ...POLICY, was: 'weekly' } })
    expect((await plan('monthly', 'run-2')).legs).toMatchObject([{ request: { amount: '1000' } }])
    expect((await memory('weekly')).residues).toEqual({})
    expect(await plan('monthly', 'run-2')).toMatchObject({ outcome: 'LAST' })
    expect((await memory('monthly')).residues).toEqual({ USD: '1000' })
    await settle('monthly', 'run-2')
    change({ weekly: POLICY })
    expect(await plan('weekly', 'run-3')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })

  test('has used the day, the unapproved amounts and the cool-down of the old policy', async () => {
    await strand('weekly', 'run-1')
    const old = await memory('weekly')
    change({ monthly: { ...POLICY, was: 'weekly', coolDownSeconds: 3_600 } })
    world.account.balances.A = '10'
    const next = await plan('monthly', 'run-2')
    expect(next).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    const run = await world.ports.runs.find('run-2')
    expect(run && reportOfRun(run).plan?.nonLegs).toContainEqual(expect.objectContaining({ code: 'cooling_down' }))
    const { turnover, unasked, lastTradedAt, lastValue } = await memory('monthly')
    expect({ turnover, unasked, lastTradedAt }).toEqual({
      ...{ turnover: old.turnover, unasked: old.unasked, lastTradedAt: old.lastTradedAt },
    })
    expect(lastValue).toBeDefined()
  })

  test('has a record that fits an item, though both policies remember as many contacts as a record holds', async () => {
    change({ weekly: POLICY, monthly: POLICY })
    await strand('weekly', 'run-1')
    await strand('monthly', 'run-2')
    for (const name of ['weekly', 'monthly']) {
      const numbers = Array.from({ length: 650 }, (_, number) => `${name}-${String(number).padStart(250, '0')}`)
      const contacts = Object.fromEntries(numbers.map((id) => [id, { provenAt: START }]))
      await world.ports.policies.advance(await memory(name), { contacts })
    }
    change({ monthly: { ...POLICY, was: 'weekly' } })
    await plan('monthly', 'run-3')
    const { contacts } = await memory('monthly')
    expect(Object.keys(contacts).filter((id) => id.startsWith('monthly')).length).toBe(650)
    expect(Buffer.byteLength(JSON.stringify(contacts))).toBeLessThan(210_000)
  })

  test('continues the count of failures', async () => {
    for (const run of ['run-1', 'run-2']) {
      await plan('weekly', run)
      await settle('weekly', run)
    }
    change({ monthly: { ...POLICY, was: 'weekly' } })
    await plan('monthly', 'run-3')
    await settle('monthly', 'run-3')
    expect(world.trips).toMatchObject([{ policy: 'monthly', because: expect.stringContaining('3 runs in a row') }])
  })

  test("is measured for a fall by the old policy's value", async () => {
    const breaker = { largestFallBps: 500 }
    change({ weekly: { ...POLICY, breaker } })
    await plan('weekly', 'run-1')
    await settle('weekly', 'run-1')
    change({ monthly: { ...POLICY, breaker, was: 'weekly' } })
    world.account.rates.A = '90'
    expect(await plan('monthly', 'run-2')).toMatchObject({ outcome: 'HALTED', why: expect.stringContaining('fell') })
  })

  test('is halted while the old policy is', async () => {
    await world.halts.halt({ scope: 'weekly', by: 'ana', because: 'audit', at: START })
    change({ monthly: { ...POLICY, was: 'weekly' } })
    const isHalted = { outcome: 'HALTED', why: expect.stringContaining('audit') }
    expect(await plan('monthly', 'run-1')).toMatchObject(isHalted)
    // Also for who asks with the whole policy, without its former name.
    expect(
      await planRebalance(
        { ...input('', 'run-2'), request: { policy: world.ports.treasury.policies.monthly } },
        world.ports,
      ),
    ).toMatchObject(isHalted)
    const { was: _was, ...asked } = world.ports.treasury.policies.monthly as Policy
    expect(await planRebalance({ ...input('', 'run-3'), request: { policy: asked } }, world.ports)).toMatchObject(
      isHalted,
    )
    // A second rename, or a file without the former name, leaves no halt behind once the first file was recorded.
    await rememberNames({ store: world.store, newId: () => 'names' }, world.ports.treasury.policies)
    change({ monthly: POLICY })
    expect(await plan('monthly', 'run-4')).toMatchObject(isHalted)
    change({ yearly: { ...POLICY, was: 'monthly' } })
    expect(await plan('yearly', 'run-5')).toMatchObject(isHalted)
  })

  test('leaves a new policy of its former name the runs and the balances of that', async () => {
    change({ monthly: { ...POLICY, was: 'weekly' } })
    await rememberNames({ store: world.store, newId: () => 'names' }, world.ports.treasury.policies)
    change({ weekly: POLICY, monthly: POLICY })
    await plan('weekly', 'run-1')
    expect(await plan('monthly', 'run-2')).not.toMatchObject({ outcome: 'ALREADY_RUNNING' })
    await settle('monthly', 'run-2')
    await strand('weekly', 'run-1')
    const { residues } = await memory('weekly')
    expect(residues).toEqual({ USD: '1000' })
    await plan('monthly', 'run-3')
    expect((await memory('weekly')).residues).toEqual(residues)
  })

  test('waits for a run of the old policy that is under way', async () => {
    await plan('weekly', 'run-1')
    change({ monthly: { ...POLICY, was: 'weekly' } })
    expect(await plan('monthly', 'run-2')).toMatchObject({
      ...{ outcome: 'ALREADY_RUNNING', why: 'run run-1 of the policy is under way' },
    })
  })

  describe('and was renamed twice since', () => {
    beforeEach(async () => {
      await strand('weekly', 'run-1')
      change({ monthly: { ...POLICY, was: 'weekly' } })
      await rememberNames({ store: world.store, newId: () => 'names' }, world.ports.treasury.policies)
    })
    const renameAgain = (more: object = {}) => change({ yearly: { ...POLICY, was: 'monthly' }, ...more })

    test('continues with the balances of the first name, in a run and in a shadow run', async () => {
      const { turnover, unasked, lastTradedAt } = await memory('weekly')
      change({ yearly: { ...POLICY, was: 'monthly', mode: 'shadow' } })
      await plan('yearly', 'run-2')
      const shadow = await world.ports.runs.find('run-2')
      expect(shadow?.plan?.legs).toMatchObject([{ request: { amount: '1000' } }])
      renameAgain()
      expect((await plan('yearly', 'run-3')).legs).toMatchObject([{ request: { amount: '1000' } }])
      expect(await memory('yearly')).toMatchObject({ residues: { USD: '1000' }, turnover, unasked, lastTradedAt })
      for (const former of ['weekly', 'monthly']) expect((await memory(former)).residues).toEqual({})
    })

    test('waits for a run of the first name, and lets a new policy begin', async () => {
      change({ weekly: POLICY })
      world.account.balances.A = '10'
      expect(await plan('weekly', 'run-2')).toMatchObject({ outcome: 'FIRST' })
      renameAgain({ gas: { kind: 'rebalance', weights: { A: '0.1', B: '0.9' } } })
      const busy = { outcome: 'ALREADY_RUNNING', why: 'run run-2 of the policy is under way' }
      expect(await plan('yearly', 'run-3')).toMatchObject(busy)
      const gas = await plan('gas', 'run-4')
      expect(gas.outcome).not.toBe('GUARDED')
      const { nonLegs = [] } = (await world.ports.runs.find('run-4'))?.plan ?? {}
      expect(nonLegs.filter(({ code }) => code === 'stranded')).toEqual([])
    })
  })

  test('takes up a balance found later, in one piece wherever it was cut off', async () => {
    await strand('weekly', 'run-1')
    world.account.balances.USD = '5000'
    for (const cut of [1, 2, 3]) {
      const { policies } = world.ports
      const old = await policies.find('weekly')
      if (cut > 1) await policies.advance(old, { residues: { USD: '10' } })
      let writes = 0
      const store = {
        ...world.store,
        replace: async (...of: Parameters<typeof world.store.replace>) => {
          if (of[0].pk.startsWith('P#') && ++writes === cut) throw new Error('the process died')
          return world.store.replace(...of)
        },
      }
      change({ monthly: { ...POLICY, was: 'weekly' } })
      const run = input('monthly', `run-cut-${cut}`)
      await planRebalance(run, world.portsOver(store, world.ports.treasury)).catch(() => undefined)
      await planRebalance(run, world.ports)
      await settle('monthly', `run-cut-${cut}`)
      expect((await memory('weekly')).residues).toEqual({})
      expect((await memory('monthly')).residues).toEqual({ USD: String(990 + cut * 10) })
    }
  })

  test('is the same policy as before, for every approval and comparison', () => {
    const { policies } = treasuryWith({ weekly: POLICY, monthly: { ...POLICY, was: 'old' } })
    const hashOf = (policy: string) =>
      findRequestedPolicy({ policy }, { ...world.ports.treasury, policies })?.policyHash
    expect(hashOf('monthly')).toBe(hashOf('weekly'))
  })
})

describe('a new name without a former name in the file', () => {
  async function whole(policy: string, run: string): Promise<void> {
    for (const phase of [1, 2])
      for (const leg of (await plan(policy, run, { phase })).legs) await carryOut(leg, world, world.ports)
    await settle(policy, run)
  }
  const refill = () => {
    world.account.balances.A = '10'
  }

  test('has used up its day if a policy of its kind is gone that moved something within a day', async () => {
    await whole('weekly', 'run-1')
    change({ monthly: POLICY })
    refill()
    const why =
      'policy weekly is gone from treasury.json, and moved something at 2026-01-01T00:00:00.000Z: if monthly is that policy, it says so by "was": "weekly"; else it begins a day later'
    for (const run of ['run-2', 'run-3']) expect(await plan('monthly', run)).toMatchObject({ outcome: 'GUARDED', why })
    expect((await memory('monthly')).failuresInRow).toBe(0)
    world.account.nowMs += 86_400_000
    expect(await plan('monthly', 'run-4')).toMatchObject({ outcome: 'FIRST' })
  })

  test('continues at once if it names its former name', async () => {
    await whole('weekly', 'run-1')
    change({ monthly: { ...POLICY, was: 'weekly' } })
    refill()
    expect(await plan('monthly', 'run-2')).toMatchObject({ outcome: 'FIRST' })
  })

  test('waits for no policy that still exists, nor for one of another kind', async () => {
    await whole('weekly', 'run-1')
    refill()
    change({ weekly: POLICY, monthly: { ...POLICY, weights: { A: '0.1', B: '0.9' } } })
    expect(await plan('monthly', 'run-2')).toMatchObject({ outcome: 'FIRST' })
    await settle('monthly', 'run-2')
    change({ daily: { kind: 'convert-on-arrival', asset: 'A', into: 'USD' } })
    expect(await plan('daily', 'run-3')).toMatchObject({ outcome: 'LAST' })
  })

  test('lets a policy continue that has moved something under that name before', async () => {
    change({ weekly: POLICY, monthly: POLICY })
    await whole('monthly', 'run-1')
    refill()
    await whole('weekly', 'run-2')
    refill()
    change({ monthly: POLICY })
    expect(await plan('monthly', 'run-3')).toMatchObject({ outcome: 'FIRST' })
  })
})

describe('a former name of a policy', () => {
  const faultsOf = (policies: Record<string, object>) =>
    findPolicyFaults({
      guards: world.ports.treasury.guards,
      policies: Object.fromEntries(Object.entries(policies).map(([name, more]) => [name, one(more)])),
    }).filter(({ path }) => path.includes('was'))
  const one = (more: object) => policySchema.parse({ ...POLICY, mode: 'shadow', ...more })

  test('belongs to a policy that the file no longer has, and is not its own name', () => {
    expect(faultsOf({ a: { was: 'b' }, b: {} })).toMatchObject([{ path: ['policies', 'a', 'was'] }])
    expect(faultsOf({ a: { was: 'a' } })).toHaveLength(1)
    expect(faultsOf({ a: { was: 'b' } })).toEqual([])
  })

  test('belongs to one policy alone', () => {
    expect(faultsOf({ a: { was: 'old' }, b: { was: 'old' } })).toMatchObject([{ path: ['policies', 'b', 'was'] }])
  })
})

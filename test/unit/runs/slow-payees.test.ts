// Payout files at a service that answers ten reads a second: the rows and their contacts take longer than figures may be old.
import { expect, test } from 'vitest'
import { planInput, RunStep } from '../../../core/contract/runs.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { payoutWorld, TEXTS } from '../../helpers/payout-world.ts'
import { START } from '../../helpers/run-world.ts'

const ROWS = 100
/** 200 s for all rows, as 2,000 rows take. Figures may be 120 s old. */
const READ_MS = 2_000
/** A call of PlanSweep lives so long. */
const LIFE_MS = 240_000
/** `readMs`: time of one read. */
function slowWorld(readMs = READ_MS) {
  const world = payoutWorld(TEXTS)
  const { account } = world.world
  const { service } = world.ports
  const slow: RunPorts = {
    ...world.ports,
    service: {
      ...service,
      findContact: async (id) => {
        account.nowMs += readMs
        return service.findContact(id)
      },
      findWithdrawal: async (id) => {
        account.nowMs += readMs
        return service.findWithdrawal(id)
      },
    },
  }
  const plan = (execution: string, rows: object[]) =>
    planSweep(
      planInput.parse({ execution, startedAt: START, enteredAt: START, request: { policy: 'pay', rows } }),
      slow,
    )
  return { ...world, account, plan }
}

test('a file of new rows is planned in the life of one call', async () => {
  const { account, plan, rows } = slowWorld()
  const begunMs = account.nowMs
  const { legs, outcome } = await plan('june', rows(ROWS))
  expect({ legs: legs.length, outcome }).toEqual({ legs: ROWS, outcome: RunStep.Withdraw })
  expect(account.nowMs - begunMs).toBeLessThan(LIFE_MS)
})

test('a corrected file, whose other rows are paid, is planned in the life of one call', async () => {
  const { account, pay, plan, ports, rows } = slowWorld()
  const { input } = await pay(ROWS - 1)
  expect(await settleRun({ ...input, enteredAt: START, fault: undefined }, ports)).toMatchObject({
    outcome: 'SETTLED',
  })
  const begunMs = account.nowMs
  const { legs, outcome, why } = await plan('july', rows(ROWS))
  expect({ legs: legs.length, outcome, why }).toEqual({ legs: 1, outcome: RunStep.Withdraw, why: undefined })
  expect(account.nowMs - begunMs).toBeLessThan(LIFE_MS)
})

test.each([
  ['below eight', 2_600],
  ['two', 10_000],
])(
  'where the service answers %s reads a second, a file of new rows is refused early, with the figures that would do',
  async (_rate, readMs) => {
    const { account, plan, ports, rows } = slowWorld(readMs)
    const begunMs = account.nowMs
    const { legs, outcome, why = '' } = await plan('june', rows(ROWS))
    expect({ legs: legs.length, outcome }).toEqual({ legs: 0, outcome: 'GUARDED' })
    expect(account.nowMs - begunMs).toBeLessThan(60_000 + 9 * readMs)
    const [, most = '', rate = ''] =
      /Pay at most (\d+) rows in one file, .* raised to (\d+) reads a second$/.exec(why) ?? []
    // With either figure the file, or its part, is planned.
    const [fewer, faster] = [slowWorld(readMs), slowWorld(1_000 / Number(rate))]
    expect((await fewer.plan('june', fewer.rows(Number(most)))).outcome).toBe(RunStep.Withdraw)
    expect((await faster.plan('june', faster.rows(ROWS))).outcome).toBe(RunStep.Withdraw)
    expect((await ports.runs.find('june'))?.phases).toEqual([])
  },
)

test('a corrected file whose other rows take too long to read is refused early', async () => {
  const { account, pay, plan, ports, rows } = slowWorld(2_600)
  const { input } = await pay(ROWS - 1)
  expect(await settleRun({ ...input, enteredAt: START, fault: undefined }, ports)).toMatchObject({
    outcome: 'SETTLED',
  })
  const begunMs = account.nowMs
  expect(await plan('july', rows(ROWS))).toMatchObject({
    outcome: 'GUARDED',
    why: expect.stringContaining('Pay at most'),
  })
  expect(account.nowMs - begunMs).toBeLessThan(60_000 + 9 * 2_600)
})

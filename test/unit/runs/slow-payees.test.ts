// Payout files at a service that answers ten reads a second: the rows and their contacts take longer than figures may be old.
import { expect, test } from 'vitest'
import { planInput, RunStep } from '../../../core/contract/runs.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { payoutWorld } from '../../helpers/payout-world.ts'
import { START } from '../../helpers/run-world.ts'

const ROWS = 100
/** 200 s for all rows, as 2,000 rows take. Figures may be 120 s old. */
const READ_MS = 2_000
/** A call of PlanSweep lives so long. */
const LIFE_MS = 240_000
const TEXTS = {
  ...{ run: 'june', policy: 'pay', label: 'Ada', reference: 'Salary' },
  idOf: (number: number) => `row-${number}`,
  contactOf: (number: number) => `contact-${number}`,
  withdrawalOf: (intentId: string) => `withdrawal-${intentId}`,
}

function slowWorld() {
  const world = payoutWorld(TEXTS)
  const { account } = world.world
  const { service } = world.ports
  const slow: RunPorts = {
    ...world.ports,
    service: {
      ...service,
      findContact: async (id) => {
        account.nowMs += READ_MS
        return service.findContact(id)
      },
      findWithdrawal: async (id) => {
        account.nowMs += READ_MS
        return service.findWithdrawal(id)
      },
    },
  }
  const plan = (execution: string, rows: object[]) =>
    planSweep(planInput.parse({ execution, startedAt: START, request: { policy: 'pay', rows } }), slow)
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
  expect(await settleRun({ ...input, fault: undefined }, ports)).toMatchObject({ outcome: 'SETTLED' })
  const begunMs = account.nowMs
  const { legs, outcome, why } = await plan('july', rows(ROWS))
  expect({ legs: legs.length, outcome, why }).toEqual({ legs: 1, outcome: RunStep.Withdraw, why: undefined })
  expect(account.nowMs - begunMs).toBeLessThan(LIFE_MS)
})

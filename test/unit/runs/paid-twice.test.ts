// A row of a payout file that was paid twice, by an edited journal or by a defect, is named by whoever looks at it.
import { expect, test } from 'vitest'
import { planInput } from '../../../core/contract/runs.ts'
import { createPaidTwiceFinder, onceOf } from '../../../core/runs/plan/payments.ts'
import { onceIntentId } from '../../../core/runs/record/run-record.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { OTHER_POLICY, payoutWorld, TEXTS as USUAL } from '../../helpers/payout-world.ts'
import { START } from '../../helpers/run-world.ts'

const TEXTS = { ...USUAL, idOf: (number: number) => `Row-00${number}` }
const [FIRST, SECOND] = [1, 2].map((number) => onceIntentId(onceOf(TEXTS.idOf(0), number)))

/** Pays one row in two runs. The second run's record says that the first try moved nothing, as an insider would write it. */
async function paidTwice() {
  const world = payoutWorld(TEXTS)
  const { ports } = world
  const plan = (execution: string, policy: string) =>
    planSweep(
      planInput.parse({ execution, startedAt: START, enteredAt: START, request: { policy, rows: world.rows(1) } }),
      ports,
    )
  const [leg] = (await plan('june', 'pay')).legs
  const [again] = (await plan('again', OTHER_POLICY)).legs
  const run = await ports.runs.find('again')
  const [planned] = run?.plan?.legs ?? []
  if (leg === undefined || again === undefined || planned === undefined || run === undefined || SECOND === undefined)
    throw new TypeError('there is no leg')
  await world.carryOut(leg)
  const forged = { key: planned.key, intentId: SECOND, leg: { ...planned, once: onceOf(TEXTS.idOf(0), 2) } }
  await ports.runs.advance(run, { phases: [{ phase: planned.phase, legs: [forged] }] })
  await world.carryOut({ ...again, name: SECOND })
  const request = { policy: 'pay', rows: world.rows(1) }
  await settleRun({ execution: 'june', startedAt: START, enteredAt: START, request, fault: undefined }, ports)
  const find = async (intentId: string | undefined, over = ports) => {
    const intent = await ports.journal.find(intentId ?? '', 'withdraw')
    return intent && createPaidTwiceFinder(over)(intent)
  }
  return { ...world, find, plan }
}

test('a plan with a row that was paid twice names both withdrawals, and moves nothing', async () => {
  const { plan, ports } = await paidTwice()
  expect(await plan('july', 'pay')).toMatchObject({ legs: [] })
  const { plan: recorded, phases } = (await ports.runs.find('july')) ?? {}
  expect(phases).toEqual([])
  expect(recorded?.nonLegs).toContainEqual(
    expect.objectContaining({
      ...{ code: 'paid_twice', row: TEXTS.idOf(0) },
      reason: expect.stringContaining(`${FIRST} and ${SECOND}`),
    }),
  )
})

test('each of the withdrawals that paid one row names the other', async () => {
  const { find } = await paidTwice()
  expect(await find(FIRST)).toContain(`withdrawal-${SECOND}`)
  expect(await find(SECOND)).toContain(`withdrawal-${FIRST}`)
})

test('a row whose first withdrawal failed was paid once', async () => {
  const { find, ports } = await paidTwice()
  const findWithdrawal: typeof ports.service.findWithdrawal = async (id) => {
    const row = await ports.service.findWithdrawal(id)
    return row && id === `withdrawal-${FIRST}` ? { ...row, status: 'FAILED' } : row
  }
  const over = { ...ports, service: { ...ports.service, findWithdrawal } }
  expect([await find(FIRST, over), await find(SECOND, over)]).toEqual([undefined, undefined])
})

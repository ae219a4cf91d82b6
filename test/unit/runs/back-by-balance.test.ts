// A row whose failed withdrawal came back by the account's balance alone is paid again only once people have said so.
import { expect, test } from 'vitest'
import { planInput } from '../../../core/contract/runs.ts'
import { decideApproval } from '../../../core/runs/approval/decision.ts'
import type { RunService } from '../../../core/runs/ports.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { OTHER_POLICY, payoutWorld, TEXTS } from '../../helpers/payout-world.ts'
import { START, START_MS } from '../../helpers/run-world.ts'

const BALANCE = '99999999999'
const DAY_MS = 86_400_000

/** `types`: of the entries of the failed withdrawal. The balance is as without it. */
async function failedWith(types: readonly string[]) {
  const world = payoutWorld(TEXTS)
  const { account } = world.world
  account.nowMs = START_MS
  const failed = new Map<string, string>()
  const { service } = world.ports
  const entries = (id: string, amount: string) =>
    types.map((type) => ({
      ...{ type, amount, assetSymbol: 'USD', source: { type: 'withdrawal', id }, createdAt: START },
    }))
  const over: Partial<RunService> = {
    balanceBefore: async () => BALANCE,
    async *walkLedger() {
      for (const [id, amount] of failed) yield* entries(id, amount)
    },
    ledgerOf: async ({ id }) => entries(id, failed.get(id) ?? '0'),
    findWithdrawal: async (id) => {
      const row = await service.findWithdrawal(id)
      return row && (failed.has(id) ? { ...row, status: 'FAILED' } : row)
    },
  }
  const ports = { ...world.ports, service: { ...service, ...over } }
  const enter = (execution: string, policy = 'pay', rows: object[] = world.rows(1)) =>
    planSweep(planInput.parse({ execution, startedAt: START, enteredAt: START, request: { policy, rows } }), ports)
  const [leg] = (await enter('june')).legs
  if (leg === undefined) throw new TypeError('there is no leg')
  await world.carryOut(leg)
  const withdrawalId = TEXTS.withdrawalOf(leg.name)
  failed.set(withdrawalId, world.rows(1)[0]?.amount ?? '')
  account.nowMs = START_MS + DAY_MS
  const request = { policy: 'pay', rows: world.rows(1) }
  const settled = await settleRun(
    { execution: 'june', startedAt: START, enteredAt: START, request, fault: undefined },
    ports,
  )
  const approve = async (execution: string) => {
    const { approval } = (await ports.runs.find(execution)) ?? {}
    const said = { decision: 'approved' as const, by: 'ana', because: 'the refund is there', at: START }
    await decideApproval(execution, { ...said, planHash: approval?.planHash ?? '' }, world.world.people)
    return enter(`${execution}_2`)
  }
  return { ...world, account, approve, enter, leg, ports, settled, withdrawalId }
}

test('a row whose refund the ledger names is paid again without a word', async () => {
  const { enter } = await failedWith(['WITHDRAWAL', 'WITHDRAWAL_REFUND'])
  expect(await enter('july')).toMatchObject({ outcome: 'WITHDRAW' })
})

test('a row whose refund only the balance shows waits for people, who are told why', async () => {
  const { approve, enter, leg, ports, withdrawalId } = await failedWith(['DEBIT', 'CREDIT'])
  const why = expect.stringContaining(`only the balance shows that its failed withdrawal ${withdrawalId} came back`)
  expect(await enter('july')).toMatchObject({ outcome: 'AWAITING_APPROVAL', why })
  expect((await ports.runs.find('july'))?.plan?.legs).toMatchObject([{ backByBalance: withdrawalId, reason: why }])
  const again = await approve('july')
  expect(again).toMatchObject({ outcome: 'WITHDRAW' })
  expect(again.legs.map(({ name }) => name)).not.toContain(leg.name)
})

test('the end of the first run says what its refund stands on', async () => {
  const { leg, ports } = await failedWith(['DEBIT', 'CREDIT'])
  const { results = {} } = (await ports.runs.find('june')) ?? {}
  expect(results[leg.name]).toMatchObject({
    ...{ outcome: 'FAILED_REFUNDED', withdrawal: { isByBalance: true } },
    why: expect.stringContaining('the balance alone says that it came back'),
  })
})

test('an approval is void once the balance no longer shows the refund', async () => {
  const { account, approve, enter } = await failedWith(['DEBIT', 'CREDIT'])
  await enter('july')
  account.balances.USD = '99999876542.876544'
  expect(await approve('july')).toMatchObject({
    ...{ outcome: 'APPROVAL_VOID', why: expect.stringContaining('the balance no longer shows that it came back') },
  })
})

test('the same payment under another id waits for people too', async () => {
  const { enter, rows } = await failedWith(['DEBIT', 'CREDIT'])
  const copied = rows(1).map((row) => ({ ...row, id: 'copy' }))
  expect(await enter('july', OTHER_POLICY, copied)).toMatchObject({
    ...{ outcome: 'AWAITING_APPROVAL', why: expect.stringContaining('row-0') },
  })
})

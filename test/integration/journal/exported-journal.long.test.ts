// A journal that is lost after its executions were forgotten: it is rebuilt from an export, and no id of it moves
// again.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { convertRequest } from '../../../core/contract/convert.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { journalTable } from '../../../place/journal/journal-client.ts'
import { frozenOf } from '../../helpers/intents.ts'
import { type OpenDesk, RestoredDesk } from '../../helpers/restored-desk.ts'
import { forgetExecutions, sluiceAt } from './lost-journal.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
const SEND = { assetSymbol: 'USDC', amount: '20', contactReference: 'exchange-usdc-eth' }
const OLD = [
  ['old-filled', StateMachine.Convert, BUY],
  ['old-refused', StateMachine.Convert, { ...BUY, worstRate: '1' }],
  ['old-sent', StateMachine.Withdraw, SEND],
] as const
const UNDER_WAY = 'old-under-way'

/** Leaves the intent as Quote does: nothing is sent yet. */
async function openUnderWay({ aws }: OpenDesk): Promise<void> {
  const table = journalTable(aws)
  const journal = createJournal(createDynamoStore(table.client, table.tableName), randomUUID)
  const times = { createdAt: new Date().toISOString(), notAfter: '2099-01-01T00:00:00.000Z' }
  const params = convertRequest.parse(BUY)
  await journal.open({ intentId: UNDER_WAY, kind: 'convert', params, frozen: frozenOf(params), ...times })
  table.client.destroy()
}

test('a lost journal is rebuilt from an export that is older than its executions, and no id moves again', async () => {
  const desk = new RestoredDesk(inject('assemblyDir'))
  const dir = path.join(desk.stateDir, 'export')
  onTestFinished(() => desk.remove())
  await desk.open(async (open) => {
    for (const [id, machine, input] of OLD) await open.run(machine, id, input)
    await openUnderWay(open)
  })
  expect(await sluiceAt(desk, ['journal', 'export', '--to', dir])).toMatchObject({ exitCode: 0 })
  const { moved, orderId } = await desk.open(async (open) => {
    const filled = (await open.run(StateMachine.Convert, UNDER_WAY, BUY)) as { readonly orderId?: string }
    await open.run(StateMachine.Convert, 'since', BUY)
    return { moved: await open.movements(), orderId: String(filled.orderId) }
  })
  expect(moved).toHaveLength(4)
  expect(forgetExecutions(desk, 'old-')).toBe(OLD.length + 1)
  desk.loseDatabase()

  const write = ['journal', 'rebuild', '--write', '--by', 'ada', '--yes', '--export', dir]
  const rebuilt = await sluiceAt(desk, write)
  expect(rebuilt.stdout).toContain(`I#convert#${UNDER_WAY}  ESCALATED: whether it has moved money is not known`)
  expect(rebuilt.stdout).toContain('since  DONE by')
  expect(rebuilt.stderr).toMatch(/put back from the export unchanged: [1-9]\d* records?/)
  // Nothing is left to do, because the restored records equal the export.
  const again = await sluiceAt(desk, write)
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('0 records written') })
  expect(again.stderr).toContain('put back from the export unchanged: 0 records')

  // Its movement came after the export, and only a person can name its owner.
  const verify = ['journal', 'verify', '--export', dir]
  const said = ['--by', 'ada', '--because', 'its time and amount', '--yes']
  const resolved = await sluiceAt(desk, ['cases', 'resolve', UNDER_WAY, '--movement', orderId, ...said])
  expect(resolved).toMatchObject({ exitCode: 0 })
  expect(await sluiceAt(desk, [...verify, '--accept', ...said])).toMatchObject({ exitCode: 0 })
  expect(await sluiceAt(desk, ['resume', '--by', 'ada'])).toMatchObject({ exitCode: 0 })

  await desk.open(async (open) => {
    const outcomes: string[] = []
    for (const [id, machine, input] of [
      ...OLD,
      [UNDER_WAY, StateMachine.Convert, BUY],
      ['since', StateMachine.Convert, BUY],
    ] as const)
      outcomes.push((await open.run(machine, `${id}_2`, input)).outcome)
    expect(await open.movements()).toEqual(moved)
    // The outcomes at their ends. An intent outside the export is known to have moved, but not with which attempt.
    expect(outcomes.slice(0, OLD.length)).toEqual(['FILLED', 'PRICE_REFUSED', 'COMPLETED'])
  })
})

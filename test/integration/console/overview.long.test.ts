// The overview against a real serve: what the account holds now, also where the service does not answer, and runs
// without the plans that people asked for.
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { recordKey } from '../../../core/contract/records.ts'
import { chained } from '../../../core/journal/record-chain.ts'
import { fieldsOfRun, type RunRecord } from '../../../core/runs/record/run-record.ts'
import { findDesk } from '../../../place/desk/desk-file.ts'
import { journalTable } from '../../../place/journal/journal-client.ts'
import { createRunJournal } from '../../../place/journal/run-journal.ts'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { SERVICE, useCommandsBeside } from '../cli/commands.ts'
import { openTestConsole, type TestConsole } from './opened-console.ts'

const policies = { core: { kind: 'rebalance', weights: { SOL: '0.5', EUR: '0.5' } } }

const { service, file } = useCommandsBeside({ service: { ...SERVICE, shared: true }, policies })
let serving: RunningInProcess
const files = () => ({ state: file('state'), config: file('treasury.json') })
const flags = () => ({ ...files(), service: service.baseUrl, keys: file('keys.json') })
const place = () => Object.entries(flags()).flatMap(([name, value]) => [`--${name}`, value])

beforeAll(async () => {
  serving = startInProcess(['serve', '--jsonl', ...place()])
  await serving.firstLine
})
afterAll(() => serving?.interrupt())

async function textOf({ ask, enter }: TestConsole, page = '/'): Promise<string> {
  const { status, body } = await ask(page, { headers: { cookie: await enter() } })
  expect(status).toBe(200)
  return body.replaceAll('\u202f', ' ')
}

test('without keys the overview says what is missing, and shows everything else', async () => {
  const { keys: _keys, ...keyless } = flags()
  const opened = await openTestConsole(keyless)
  await expect.poll(() => textOf(opened)).toContain('expected the key file of that service')
  expect(await textOf(opened)).toContain('Last runs')
})

test('plans that a person asks for do not push a run out of the last runs, and are on the page of their policy', async () => {
  await runInProcess(['plan', 'core', ...place()])
  const desk = findDesk(files().state)
  if (desk === undefined) throw new TypeError('a serve publishes its desk')
  const table = journalTable(desk)
  try {
    const journal = createRunJournal(table)
    const [plan] = await journal.list(1, Date.now())
    if (plan === undefined) throw new TypeError('the plan has a run')
    const put = async (run: RunRecord) => {
      const record = chained(
        { ...fieldsOfRun(run), pk: recordKey.run(run.runId), format: 1, version: 1, stamp: 'test' },
        undefined,
      )
      const Item = marshall(record, { removeUndefinedValues: true })
      await table.client.send(new PutItemCommand({ TableName: table.tableName, Item }))
    }
    const { shadow: _shadow, ...live } = plan.request
    const at = (minutes: number) => new Date(Date.parse(plan.startedAt) + minutes * 60_000).toISOString()
    await put({ ...plan, runId: 'a-real-run', request: live, startedAt: at(-60) })
    for (let nth = 1; nth <= 30; nth += 1) await put({ ...plan, runId: `a-plan-${nth}`, startedAt: at(-nth) })
    const opened = await openTestConsole(flags())
    const overview = await textOf(opened)
    expect(overview).toContain('/runs/a-real-run"')
    expect(overview).not.toContain('/runs/a-plan-')
    const policy = await textOf(opened, '/policies/core')
    expect(policy).toContain('/runs/a-plan-1"')
    expect(policy).toContain('Plans made on request')
  } finally {
    table.client.destroy()
  }
})

test('the overview shows the balances of now, and the rest of its parts while the service does not answer', async () => {
  let laterMs = 0
  const opened = await openTestConsole(flags(), { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs })
  await expect.poll(() => textOf(opened)).toContain('100 000')
  await service.control('/balance', { assetSymbol: 'USDC', balance: '20123.4' })
  laterMs += 5_000
  // A page that waits too long for the service shows the answer before.
  await expect.poll(() => textOf(opened)).toMatch(/>USDC<\/th><td class="amount"[^>]*>[^<]*20 123\.4/)
  await service.arrange('/v2/balances', { kind: 'badAnswer', how: 'malformed' }, { method: 'GET', times: 50 })
  laterMs += 5_000
  await expect.poll(() => textOf(opened)).toContain('The balances could not be read at')
  const unread = await textOf(opened)
  expect(unread).not.toContain('20 123.4')
  expect(unread).toContain('href="')
  expect(unread).toContain('Last runs')
})

// A journal that was restored to an earlier moment, or lost: every function refuses it, it is rebuilt, and no id moves
// again. One more test has a record that somebody has edited.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { databaseFolder } from '@sluice/embedded-aws'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { journalTable } from '../../../place/journal/journal-client.ts'
import type { RestoredDesk } from '../../helpers/restored-desk.ts'
import { forgetExecutions, loseAndRebuild, type MovedWorld, makeWorld, sluiceAt } from './lost-journal.ts'

/**
 * Six ids are one of each kind before the copy and one after it. `SLUICE_IDS=1000` simulates days of a busy account in
 * some minutes.
 */
const ids = Number(process.env.SLUICE_IDS ?? 6)

let world: MovedWorld
beforeAll(async () => {
  world = await makeWorld(ids)
})
afterAll(() => world?.desk.remove())

/** Conversions of that world: one from before the copy of its database, and one from after it. */
const KEPT = 'lost-2'
const SINCE = `lost-${ids / 2 + 2}`

function movedDesk(): RestoredDesk {
  const desk = world.desk.copy()
  onTestFinished(() => desk.remove())
  return desk
}

test(`a restored journal is rebuilt, and ${ids} ids that are entered again move nothing`, () =>
  loseAndRebuild(world, 'restored'))

test(`a lost journal is rebuilt, and ${ids} ids that are entered again move nothing`, () =>
  loseAndRebuild(world, 'lost'))

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
const SEND = { assetSymbol: 'USDC', amount: '20', contactReference: 'exchange-usdc-eth' }
const STARTED = { execution: 'another', startedAt: '2026-01-01T00:00:00Z' }
const FAULT = { Error: 'Refused', Cause: 'no' }
const REBALANCE = { kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.5' } }
const SWEEP = { kind: 'convert-and-withdraw', from: 'BTC', into: 'USD', contactId: 'contact-1' }

const CALLS = {
  'sluice-quote': { ...STARTED, request: BUY },
  'sluice-order': { request: BUY, said: { intentId: KEPT, outcome: 'RECORDED' } },
  'sluice-poll-order': { intentId: KEPT },
  'sluice-check-withdrawal': { ...STARTED, request: SEND },
  'sluice-withdraw': { request: SEND, said: { intentId: KEPT } },
  'sluice-poll-withdrawal': { intentId: KEPT },
  'sluice-conclude': { ...STARTED, request: BUY, kind: 'convert', fault: FAULT },
  'sluice-reconcile': {},
  'sluice-plan-rebalance': { ...STARTED, request: { policy: REBALANCE } },
  'sluice-plan-sweep': { ...STARTED, request: { policy: SWEEP } },
  'sluice-settle-run': { ...STARTED, enteredAt: STARTED.startedAt, request: { policy: REBALANCE } },
}

test('a restored journal is refused by every function that uses it, and by every command that may move', async () => {
  const desk = movedDesk()
  desk.putBack()
  await desk.open(async ({ aws, movements }) => {
    for (const [name, event] of Object.entries(CALLS)) {
      const call = aws.invokeFunction(name, JSON.stringify(event)).then(
        (answer) => answer,
        (error: unknown) => String(error),
      )
      expect(`${name}: ${await call}`).toMatch(/was restored or replaced/)
    }
    expect(await movements()).toEqual(world.moved)
  })
  const input = path.join(desk.stateDir, 'buy.json')
  writeFileSync(input, JSON.stringify(BUY))
  const run = await sluiceAt(desk, ['run', 'convert', '--id', 'another', '--input', input])
  expect(run).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('restored or replaced') })
  const verified = await sluiceAt(desk, ['journal', 'verify'])
  expect(verified).toMatchObject({ exitCode: 3, stdout: expect.stringContaining(`LOST  I#convert#${SINCE}`) })
  // Its movement belongs to nobody yet.
  expect(verified.stdout).toContain('UNCLAIMED')
  const accept = ['journal', 'verify', '--accept', '--by', 'ada', '--because', 'in a hurry', '--yes']
  expect(await sluiceAt(desk, accept)).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('not accepted') })
})

test('a record that was edited by hand is found by its name, and no other record is', async () => {
  const desk = movedDesk()
  expect(await sluiceAt(desk, ['journal', 'verify'])).toMatchObject({ exitCode: 0 })
  await desk.open(async ({ aws }) => {
    const { client, tableName } = journalTable(aws)
    const key = { pk: { S: `I#convert#${KEPT}` } }
    const { Item = {} } = await client.send(new GetItemCommand({ TableName: tableName, Key: key }))
    const edited = { ...unmarshall(Item), why: 'edited' }
    await client.send(new PutItemCommand({ TableName: tableName, Item: marshall(edited) }))
    client.destroy()
  })
  const found = await sluiceAt(desk, ['journal', 'verify', '--json'])
  expect(found.exitCode).toBe(3)
  const { findings } = JSON.parse(found.stdout) as { readonly findings: readonly object[] }
  expect(findings).toEqual([
    { finding: 'BROKEN_CHAIN', about: `I#convert#${KEPT}`, message: expect.stringContaining('not as it was written') },
  ])
})

test("a journal of another account than the key's is neither verified nor rebuilt", async () => {
  const desk = movedDesk()
  await desk.open(async ({ aws }) => {
    const { client, tableName } = journalTable(aws)
    const store = createDynamoStore(client, tableName)
    const pin = await store.read('A#account')
    if (pin === undefined) throw new TypeError('nothing is pinned')
    await store.replace({ ...pin, account: 'another', version: pin.version + 1, stamp: 'a-test' }, pin.version)
    client.destroy()
  })
  for (const words of [['verify'], ['rebuild'], ['rebuild', '--write', '--by', 'ada', '--yes']]) {
    const refused = { exitCode: 2, stderr: expect.stringContaining('and the journal is of account another (test)') }
    expect(await sluiceAt(desk, ['journal', ...words])).toMatchObject(refused)
  }
  // The attempt to rebuild has closed nothing.
  expect((await sluiceAt(desk, ['cases', 'list'])).stdout).not.toContain('halted')
})

test('a rebuild that was killed while it created the empty table continues when it is run again', async () => {
  const desk = movedDesk()
  desk.loseDatabase()
  // The state at that time: the folder of the database, and no table in it.
  mkdirSync(databaseFolder(desk.awsDir))
  const verified = await sluiceAt(desk, ['journal', 'verify'])
  expect(verified).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('journal rebuild --write --by NAME') })
  const write = ['journal', 'rebuild', '--write', '--by', 'ada', '--yes']
  expect(await sluiceAt(desk, write)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`${KEPT}  DONE by `),
  })
  expect(await sluiceAt(desk, ['journal', 'verify'])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('nothing found'),
  })
})

test('records that an export has and the journal lacks are found, and a damaged export is named and not used', async () => {
  const desk = movedDesk()
  const dir = path.join(desk.stateDir, 'export')
  expect(await sluiceAt(desk, ['journal', 'export', '--to', dir])).toMatchObject({ exitCode: 0 })
  expect(await sluiceAt(desk, ['journal', 'verify', '--export', dir])).toMatchObject({ exitCode: 0 })
  // Run again, the export is whole, and nothing is written.
  const again = await sluiceAt(desk, ['journal', 'export', '--to', dir])
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is whole') })
  expect(forgetExecutions(desk, 'lost-')).toBe(ids)
  desk.putBack()
  const found = await sluiceAt(desk, ['journal', 'verify', '--export', dir])
  expect(found).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining(`LOST  I#convert#${SINCE}: the export of`),
  })

  const part = path.join(dir, 'part-00001.jsonl.gz')
  const bytes = readFileSync(part)
  bytes[40] = (bytes[40] ?? 0) ^ 1
  writeFileSync(part, bytes)
  for (const words of [['verify'], ['rebuild', '--write', '--by', 'ada', '--yes']]) {
    const refused = await sluiceAt(desk, ['journal', ...words, '--export', dir])
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('part-00001.jsonl.gz: its bytes') })
  }
})

// One record of a journal was edited: each command that reads the others still shows them, and names the edited record.
import { randomUUID } from 'node:crypto'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { startEmbeddedJournal } from '@sluice/embedded-aws'
import { beforeAll, expect, test } from 'vitest'
import { JOURNAL_TABLE } from '../../../core/contract/records.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { createConfigurationLog } from '../../../core/people/configurations.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { embeddedClient } from '../../../place/journal/journal-client.ts'
import { readStored } from '../../../place/journal/journal-scan.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { SERVICE, useCommands } from './commands.ts'

const EDITED = 'the record I#convert#edited is broken: its chain is missing'

const { file, write, run } = useCommands()
beforeAll(async () => {
  const treasury = { service: SERVICE }
  write('treasury.json', treasury)
  const { awsDir } = builtInFolder(file('state'))
  await makeKeptJournal(awsDir, async (store) => {
    const journal = createJournal(store, randomUUID)
    const now = Date.now()
    const times = { createdAt: new Date(now).toISOString(), notAfter: new Date(now + 900_000).toISOString() }
    for (const intentId of ['edited', 'whole']) {
      const opened = await journal.open({ intentId, ...CONVERSION, ...times })
      await journal.advance(opened, armed(opened, `order-${intentId}`))
    }
    const halts = createHalts(store, randomUUID)
    const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
    await halts.halt({ scope: '*', by: 'ada', because: 'an audit', at: at(3) })
    await halts.halt({ scope: '*', by: 'bob', because: 'a longer audit', at: at(2) })
    await halts.resume({ scope: '*', by: 'eve', because: 'done', at: at(1) })
    const configurations = createConfigurationLog(store, randomUUID)
    for (const largest of ['1', '2', '3']) {
      const configured = parseTreasury(JSON.stringify({ ...treasury, guards: { total: { largest } } }))
      await configurations.record(
        { treasury: configured, release: '0.9.0', by: 'zoe' },
        now - 600_000 + Number(largest),
      )
    }
  })
  const journal = await startEmbeddedJournal(awsDir)
  if (journal === undefined) throw new TypeError('the journal was just made')
  const table = { client: embeddedClient(journal), tableName: JOURNAL_TABLE }
  const edit = async (key: string, change: object, without: string) => {
    const stored = Object.entries({ ...(await readStored(table, key)), ...change })
    const Item = marshall(Object.fromEntries(stored.filter(([name]) => name !== without)))
    await table.client.send(new PutItemCommand({ TableName: JOURNAL_TABLE, Item }))
  }
  await edit('I#convert#edited', { why: 'edited' }, 'chain')
  await edit('H#*#1', { was: { because: 'no reason' } }, '')
  await edit('Y#configuration#2', { was: { by: 'nobody' } }, '')
  table.client.destroy()
  await journal.stop()
})

test('cases list shows the others, and needs a person for it', async () => {
  const { exitCode, stdout } = await run('cases', 'list', '--json')
  expect(exitCode).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({ intents: [{ intentId: 'whole', state: 'ARMED' }], unreadable: [EDITED] })
})

test('cases list says in words what was asked for, as other lists do', async () => {
  expect((await run('cases', 'list')).stdout).toMatch(/asked +(buy|sell) /)
})

test.each([[[]], [['--outcome', 'ARMED']]])('list %j shows the others, and names it', async (flags) => {
  const { stdout, stderr } = await run('movements', 'list', ...flags)
  expect(stdout).toContain('whole')
  expect(stdout).not.toContain('edited')
  expect(stderr).toContain(EDITED)
})

test('show reports the edit in place of the content, and shows the others', async () => {
  expect(await run('movements', 'show', 'edited')).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining(EDITED),
  })
  expect((await run('movements', 'show', 'whole')).stdout).toContain('ARMED')
})

test('journal verify finds it once, and continues', async () => {
  const { exitCode, stdout } = await run('journal', 'verify', '--json')
  expect(exitCode).toBe(3)
  const { findings, records } = JSON.parse(stdout)
  expect(findings.filter(({ about }: { about: string }) => about === 'I#convert#edited')).toEqual([
    { finding: 'BROKEN_CHAIN', about: 'I#convert#edited', message: 'its chain is missing' },
  ])
  expect(records).toBeGreaterThan(1)
})

test('people list and export name an edited version of a halt and of a configuration, show the other acts, and end with code 5', async () => {
  const message = expect.stringContaining('the record H#*#1 is broken: it is not as it was written')
  const listed = await run('people', 'list', '--json')
  expect(listed.exitCode).toBe(5)
  expect(JSON.parse(listed.stdout)).toMatchObject({
    acts: [
      { by: expect.stringContaining('not recorded: started by StartExecution'), did: 'asked', about: 'whole' },
      { by: 'eve', did: 'resumed' },
      { by: 'bob', did: 'halted' },
      { by: 'zoe', did: 'configured', about: '3' },
      { by: 'zoe', did: 'loosened', about: 'guards.total.largest' },
      { by: 'zoe', did: 'configured', about: '1' },
    ],
    broken: expect.arrayContaining([
      { record: 'H#*#1', message },
      { record: 'Y#configuration#2', message: expect.stringContaining('it is not as it was written') },
      // Nobody signed it, and its name has no mark of a name that nobody verified.
      { record: 'H#*', message: expect.stringContaining('no signed request of eve') },
    ]),
    brokenTotal: 3,
  })
  const exported = await run('people', 'export', '--format', 'jsonl', '--person', 'bob')
  expect(exported).toMatchObject({ exitCode: 5, stderr: message })
  const rows = exported.stdout.trimEnd().split('\n')
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([{ by: 'bob', because: 'a longer audit', record: 'H#*#2' }])
})

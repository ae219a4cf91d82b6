// Stranded balances of policies, from the command line: cases list shows those that no policy carries on, with exit 3, and a
// person releases them. It is a real journal.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { LISTED_KEY, listing } from '../../../core/contract/records.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { createPolicyRecords } from '../../../core/runs/record/policy-record.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { openTestConsole } from '../console/opened-console.ts'
import { useCommands } from './commands.ts'

const rule = { assets: ['BTC'], convertInto: 'USDC', contactId: 'cold' }
const policies = {
  sweeper: { kind: 'sweep', rules: [rule] },
  mix: { kind: 'rebalance', weights: { ETH: '1' }, hubs: ['USDC'], was: 'blend' },
}

const { file, run } = useCommands({ policies })
beforeAll(async () => {
  await makeKeptJournal(builtInFolder(file('state')).awsDir, async (store) => {
    const records = createPolicyRecords(store, randomUUID)
    const leave = async (policy: string, residues: Record<string, string>) =>
      records.advance(await records.find(policy), { residues })
    await leave('sweeper', { 'USDC cold': '40', 'USDC other': '7' })
    await leave('blend', { USDC: '12' })
    await leave('gone', { 'EURC bank': '900' })
    await leave('done', {})
    const halt = { by: 'the breaker', because: 'it fell', at: '2026-01-31T00:00:00Z' }
    await createHalts(store, randomUUID).halt({ scope: 'blend', ...halt })
  })
})

test('a balance that no policy carries on needs a person; one that a next run carries on is reported', async () => {
  const { exitCode, stdout, stderr } = await run('cases', 'list')
  expect(exitCode).toBe(3)
  expect(stdout).toMatch(/gone {2}policy {2}left behind\n +asked +900 EURC\n/)
  expect(stdout).toContain('treasury.json has no policy gone any more')
  expect(stdout).toContain('no run carries on 7 USDC that earlier runs of sweeper were to send to other')
  expect(stderr).toContain('the next run of policy sweeper carries on 40 USDC to cold')
  expect(stderr).toContain('the next run of policy mix carries on 12 USDC')
  const { intents, stranded, carriedOn } = JSON.parse((await run('cases', 'list', '--json')).stdout)
  expect(intents).toEqual([])
  expect(stranded).toMatchObject([
    { policy: 'gone', asset: 'EURC', contactId: 'bank', amount: '900' },
    { policy: 'sweeper', asset: 'USDC', contactId: 'other', amount: '7' },
  ])
  expect(carriedOn).toHaveLength(2)
})

test('an intent with an unreadable record needs a person, and hides no other', async () => {
  const state = file('garbled')
  const times = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
  await makeKeptJournal(builtInFolder(state).awsDir, async (store) => {
    const journal = createJournal(store, randomUUID)
    const opened = await journal.open({ intentId: 'sent', ...CONVERSION, ...times })
    await journal.advance(opened, armed(opened, 'order-1'))
    await store.create({ pk: 'I#convert#garbled', version: 1, stamp: 'a', format: 99, [LISTED_KEY]: listing.open })
  })
  const there = ['--state', state, '--config', file('treasury.json')]
  const { exitCode, stdout } = await runInProcess(['cases', 'list', '--json', ...there])
  expect(exitCode).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({
    intents: [{ intentId: 'sent', state: 'ARMED' }],
    unreadable: [expect.stringContaining('I#convert#garbled has format 99')],
  })
  const { stderr } = await runInProcess(['cases', 'list', ...there])
  expect(stderr).toContain('needs a person, as it cannot be read: the record I#convert#garbled')
})

test('a person releases it, with a reason, after a question', async () => {
  expect(await run('cases', 'release', 'gone', '--by', 'ada', '--because', 'sent by hand')).toMatchObject({
    exitCode: 2,
  })
  const released = await run('cases', 'release', 'gone', '--by', 'ada', '--because', 'sent by hand', '--yes', '--json')
  expect(released.exitCode).toBe(0)
  expect(JSON.parse(released.stdout)).toMatchObject({
    ...{
      policy: 'gone',
      released: { by: 'ada (not verified)', because: 'sent by hand', residues: { 'EURC bank': '900' } },
    },
  })
  const { stranded } = JSON.parse((await run('cases', 'list', '--json')).stdout)
  expect(stranded.map(({ policy }: { policy: string }) => policy)).toEqual(['sweeper'])
  expect(await run('cases', 'release', 'gone', '--by', 'ada', '--because', 'again', '--yes')).toMatchObject({
    exitCode: 1,
  })
})

test('a person releases it on the page of cases, which asks with the amounts first', async () => {
  const opened = await openTestConsole({ state: file('state'), config: file('treasury.json') })
  const cookie = await opened.enter()
  const ask = async (page: string) => (await opened.ask(page, { headers: { cookie } })).body
  const headers = { cookie, origin: opened.origin, 'content-type': 'application/x-www-form-urlencoded' }
  const token = /name="token" value="([^"]*)"/.exec(await ask('/attention'))?.[1] ?? ''
  const release = async (more: object) => {
    const body = new URLSearchParams({ token, by: 'ada', because: 'sent by hand', ...more }).toString()
    const begun = await opened.ask('/policies/sweeper/release', { method: 'POST', headers, body })
    const act = String(begun.headers.location).slice(opened.path.length)
    await expect.poll(() => ask(act)).not.toContain('>under way</span>')
    return ask(act)
  }
  const asks = await release({})
  expect(asks).toContain('release what runs of sweeper left on their way (40 USDC cold, 7 USDC other), for good?')
  const yes = /name="yes" value="([^"]*)"/.exec(asks)?.[1] ?? ''
  expect(await ask('/attention')).toContain('7 USDC of policy sweeper')
  expect(await release({ yes })).toContain('released: what runs of sweeper left stranded')
  expect(JSON.parse((await run('cases', 'list', '--json')).stdout).stranded).toEqual([])
})

test('resuming a renamed policy lifts the halt of the old name', async () => {
  const halted = JSON.parse((await run('policies', '--json')).stdout).policies[1].halted
  expect(halted).toBe('by the breaker since 2026-01-31T00:00:00Z: it fell')
  expect(await run('resume', '--policy', 'mix', '--by', 'ada', '--because', 'looked at')).toMatchObject({ exitCode: 0 })
  const { stdout } = await run('policies', '--json')
  expect(JSON.parse(stdout).policies).toMatchObject([{}, { policy: 'mix', halted: null }])
})

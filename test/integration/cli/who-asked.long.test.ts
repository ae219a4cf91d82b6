// At a desk, the log of people has who asked for a single conversion, and the treasury.json of each start. Lists, exports
// and searches have the id that the person gave. No way to start a run, a plan or a check leaves out who asked.
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { idMadeOf } from '../../../operations/movements/intent-id.ts'
import { readMovements } from '../../../operations/movements/movements.ts'
import { payFileNow } from '../../../operations/payouts/pay-file-now.ts'
import { planPolicy } from '../../../operations/plan/plan-policy.ts'
import { runPolicyNow } from '../../../operations/runs/run-policy-now.ts'
import { ConsentNeeded, consentOf } from '../../../place/consent.ts'
import { policyRunWords } from '../../../views/runs/policy-run-words.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { openTestConsole } from '../console/opened-console.ts'
import { SERVICE, useCommands } from './commands.ts'

const { file, write, place } = useCommands()
const bound = (largest: string) =>
  write('treasury.json', {
    service: SERVICE,
    guards: { total: { largest } },
    policies: {
      core: { kind: 'rebalance', mode: 'shadow', weights: { BTC: '0.5', USDC: '0.5' } },
      salaries: { kind: 'payouts', assets: ['USDC'], mode: 'shadow' },
    },
  })
beforeAll(() => {
  const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  write('buy.json', buy)
  bound('1000')
})

const progress = { line: () => undefined, live: () => undefined, end: () => undefined }
const run = (...words: string[]) => runInProcess([...words, ...place()], { USER: 'zoe' })
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout)
/** The context of an operation at the console. */
const atConsole = () => ({
  ...{ clock: systemClock, stdin: process.stdin, output: { note: () => undefined, service: () => undefined } },
  variables: { SLUICE_STATE: file('state'), SLUICE_CONFIG: file('treasury.json'), USER: 'zoe' },
  catchInterruption: () => new AbortController().signal,
})
const CONVERSION = idMadeOf('convert', 'same')

test('a conversion and a run are asked for under an own id', async () => {
  expect((await run('run', 'convert', file('buy.json'), '--id', 'same', '--by', 'ada')).exitCode).toBe(0)
  expect((await run('run', 'rebalance', 'core', '--id', 'friday')).exitCode).toBe(0)
  // A repeated request changes no record.
  expect((await run('run', 'convert', file('buy.json'), '--id', 'same', '--by', 'bob')).exitCode).toBe(0)
})

test('the log of people has who asked, and the treasury.json of each start', async () => {
  bound('2000')
  await run('run', 'convert', file('buy.json'), '--id', 'more')
  const { acts, broken } = await json('people', 'list')
  expect(broken).toEqual([])
  const rows = acts.map(({ about, by, detail, did }: Record<string, string>) => [did, by, about, detail])
  expect(rows).toEqual([
    ['asked', 'zoe (not verified)', idMadeOf('convert', 'more'), 'under the id more'],
    ['configured', 'zoe (not verified)', '2', expect.stringContaining('1 change of bounds and settings')],
    ['loosened', 'zoe (not verified)', 'guards.total.largest', expect.stringContaining('from 1000 to 2000')],
    ['asked', 'zoe (not verified)', idMadeOf('rebalance', 'friday'), 'under the id friday'],
    ['asked', 'ada (not verified)', CONVERSION, 'under the id same'],
    ['configured', 'zoe (not verified)', '1', expect.stringContaining('the first version that was recorded')],
  ])
})

test('the own id is in the list and the export, and a search for it finds the request', async () => {
  const { asked } = await json('movements', 'list', '--shadow')
  expect(asked.map(({ ownId }: { ownId: string }) => ownId)).toEqual(['more', 'friday', 'same'])
  expect((await run('movements', 'list', '--shadow', '--wide')).stdout).toContain('friday')
  const { stdout } = await run('movements', 'export', '--format', 'jsonl')
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row))
  expect(rows.find(({ id }) => id === CONVERSION)).toMatchObject({ ownId: 'same' })
  expect((await run('movements', 'show', 'same')).stdout).toContain(CONVERSION)
  expect((await run('movements', 'show', CONVERSION)).stdout).toMatch(/\nown id +same\n/)
  expect(await json('movements', 'show', CONVERSION)).toMatchObject({ ownId: 'same' })
  const filters = { kind: '', outcome: '', since: '', before: '', text: 'SAME', shadow: '' }
  const { rows: found } = await readMovements({ flags: {}, context: atConsole() }, filters)
  expect(found).toMatchObject([{ id: CONVERSION, ownId: 'same' }])
})

test('the own id of a run is in the list of runs, and where the run is shown', async () => {
  const { runs } = await json('runs', 'list', '--shadow')
  expect(runs).toMatchObject([{ ownId: 'friday' }])
  expect((await run('runs', 'list', '--shadow')).stdout).toContain('friday')
  const { runId } = runs[0]
  expect((await run('runs', 'show', runId)).stdout).toMatch(/\nown id +friday\n/)
  expect(await json('runs', 'show', runId)).toMatchObject({ ownId: 'friday' })
})

test('a plan, a check, a run and a payment have who asked, from the command line and from the console', async () => {
  const contacts = await json('service', 'contacts')
  const payee = contacts.find(({ reference }: { reference: string }) => reference === 'subsidiary').id
  const rows = `id,contactId,asset,amount,reference\nan-1,${payee},USDC,10,June\n`
  write('june.csv', rows)
  const asked = async () => {
    const { acts } = await json('people', 'list', '--limit', '100')
    return (acts as Record<string, string>[])
      .filter(({ did }) => did === 'asked' || did === 'planned')
      .map(({ by, did, policy }) => `${policy} ${did}: ${by}`)
  }
  const before = (await asked()).length
  await run('plan', 'core')
  await run('payouts', 'check', file('june.csv'), '--policy', 'salaries')
  await run('payouts', 'run', file('june.csv'), '--policy', 'salaries', '--id', 'june')
  const face = { withConsent: consentOf(true), watch: policyRunWords.watch, beginProgress: () => progress }
  await planPolicy('core', {}, { progress, watch: policyRunWords.watch }, atConsole())
  await runPolicyNow('core', { id: 'now', by: 'eve' }, {}, face, atConsole())
  await payFileNow('salaries', { text: rows, id: 'july', by: 'eve' }, {}, face, atConsole())
  const unasked = payFileNow(
    'salaries',
    { text: rows, id: 'may', by: 'eve' },
    {},
    { ...face, withConsent: consentOf('') },
    atConsole(),
  )
  await expect(unasked).rejects.toThrow(ConsentNeeded)
  const [zoe, eve] = ['zoe (not verified)', 'eve (not verified)']
  const late = (await asked()).reverse().slice(before)
  expect(late).toEqual([
    `core planned: ${zoe}`,
    `salaries planned: ${zoe}`,
    `salaries asked: ${zoe}`,
    `core planned: ${zoe}`,
    `core asked: ${eve}`,
    `salaries planned: ${eve}`,
    `salaries asked: ${eve}`,
    `salaries planned: ${eve}`,
  ])
  for (const [did, count] of [
    ['planned', 5],
    ['asked', 6],
  ] as const) {
    const { acts } = await json('people', 'list', '--did', did, '--limit', '100')
    expect(acts.map((act: Record<string, string>) => act.did)).toEqual(Array.from({ length: count }, () => did))
  }
})

test('the console downloads the same log of people, with the same filters', async () => {
  const { ask, enter } = await openTestConsole({ state: file('state'), config: file('treasury.json') })
  const headers = { cookie: await enter() }
  for (const form of ['csv', 'jsonl']) {
    const { body, status } = await ask(`/people.${form}?person=eve&did=`, { headers })
    expect(status).toBe(200)
    expect(body).toBe((await run('people', 'export', '--format', form, '--person', 'eve')).stdout)
  }
  expect(await ask('/people.csv', { headers, method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  expect((await ask('/people', { headers })).body).toMatch(/run <a href="[^"]+">core, \d+ \w+ [\d:]+<\/a>/)
})

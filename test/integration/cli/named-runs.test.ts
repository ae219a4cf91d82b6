// Tests the operand of `run`, and the warning on the stage `live`, up to the point where a service would be asked.
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { answerProblem, startLocalServer } from '../../helpers/local-server.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { useCommands } from './commands.ts'

const { dir, file, write } = useCommands()
const waives = { splitKeys: 'a test', allowedContacts: 'a test', dailyBounds: 'a test', resumedBy: 'a test' }
const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
beforeAll(() => {
  const policies = { 'month-end': { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' } } }
  for (const stage of ['test', 'live'] as const) {
    const service = { url: 'https://api.example.com', stage, keySecret: 'sluice/service-key' }
    write(`${stage}.json`, { service, waives, policies })
    writeFileSync(file(`${stage}-keys.json`), makeKey('NAMED', 'EdDSA', stage).material, { mode: 0o600 })
  }
  write('buy.json', buy)
  write('request.json', { policy: 'month-end' })
  mkdirSync(file('month-end'))
})

/** Runs against a service that knows no key. The command gets as far as its first request, and moves nothing. */
async function runAt(stage: 'live' | 'test', ...argv: string[]) {
  const server = await startLocalServer((_, response) => answerProblem(response, 401, 'unauthorized'))
  onTestFinished(() => server.stop())
  const ended = await runInProcess([
    ...['run', ...argv, '--id', 'a', '--service', server.baseUrl, '--keys', file(`${stage}-keys.json`)],
    ...['--config', file(`${stage}.json`), '--state', file('state')],
  ])
  return { ...ended, arrived: server.arrived }
}

test.each([
  ['the name of a policy', ['rebalance', 'month-end'], 'month-end'],
  ['a file', ['rebalance', () => file('request.json')], 'month-end'],
  ['a file of --input', ['rebalance', '--input', () => file('request.json')], 'month-end'],
  ['a file of a conversion', ['convert', () => file('buy.json')], 'buy BTC with 250 USDC'],
])('%s is the request', async (_what, argv, asked) => {
  const { stderr, arrived } = await runAt('test', ...argv.map((word) => (typeof word === 'string' ? word : word())))
  expect(stderr.split('\n')[1]).toContain(asked)
  expect(arrived.length).toBeGreaterThan(0)
})

test.each([
  ['mont-end', 'did you mean "month-end"?'],
  ['quarterly', 'which has month-end'],
  ['a\u001b[2Jb', 'a\\u001b[2Jb: expected an existing file'],
])('%j is neither a file nor a policy', async (name, hint) => {
  const { exitCode, stderr, arrived } = await runAt('test', 'rebalance', name)
  expect({ exitCode, arrived }).toEqual({ exitCode: 2, arrived: [] })
  expect(stderr).toContain('expected an existing file, or the name of a policy of treasury.json; got neither')
  expect(stderr).toContain(hint)
  // The hint has the given flags, so that it reads the same file.
  expect(stderr).toMatch(/\nnext: {2}npx sluice policies --.*--config /)
})

test('a policy of the other operation is refused', async () => {
  const { exitCode, stderr } = await runAt('test', 'sweep', 'month-end')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('expected a policy for run sweep; got one of kind rebalance')
})

test('a folder with the name of a policy does not hide the policy', async () => {
  const before = process.cwd()
  process.chdir(dir)
  onTestFinished(() => process.chdir(before))
  expect((await runAt('test', 'rebalance', 'month-end')).stderr.split('\n')[1]).toContain('month-end')
})

test('the first line says which service is used, and on the stage live that real money may move there', async () => {
  const { stderr } = await runAt('live', 'convert', file('buy.json'))
  expect(stderr).toMatch(/^LIVE {2}real money may move, at http:\/\/127\.0\.0\.1:\d+\n/)
  expect((await runAt('test', 'convert', file('buy.json'))).stderr).toMatch(
    /^service: {2}http:\/\/127\.0\.0\.1:\d+, stage test\n/,
  )
})

describe('a desk on the stage live with rules about people', () => {
  const core = { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' } }
  const rules = { twoAbove: '5000', requesterMayApprove: false, approvers: ['ana', 'bob'] }
  const policies = {
    core: {
      ...core,
      approval: { above: '10', ...rules },
      guards: { approval: { above: '10', twoAbove: '5000', approvers: ['ana', 'bob'] } },
    },
  }
  const service = { url: 'https://api.example.com', stage: 'live', keySecret: 'sluice/service-key' }

  test.each([
    ['a run', () => ['run', 'rebalance', 'core', '--id', 'a']],
    ['a movement', () => ['run', 'convert', file('buy.json'), '--id', 'a']],
    ['serve', () => ['serve']],
  ])('%s is refused by the name of each rule, before the service is asked', async (_what, argv) => {
    const server = await startLocalServer((_, response) => answerProblem(response, 401, 'unauthorized'))
    onTestFinished(() => server.stop())
    write('people.json', { service, waives, policies })
    const { exitCode, stderr } = await runInProcess([
      ...[...argv(), '--service', server.baseUrl, '--keys', file('live-keys.json')],
      ...['--config', file('people.json'), '--state', file('state')],
    ])
    expect({ exitCode, arrived: server.arrived }).toEqual({ exitCode: 2, arrived: [] })
    for (const field of [...Object.keys(rules).map((each) => `approval.${each}`), 'guards.approval.twoAbove'])
      expect(stderr).toContain(`policies.core.${field}: expected none at a desk, as the stage is live`)
    expect(stderr).toContain('waives.verifiedPeople')
  })

  test('a policy inside the request is refused like one of the file', async () => {
    write('brought.json', { policy: { ...core, approval: { above: '10', twoAbove: '5' } } })
    const { exitCode, stderr, arrived } = await runAt('live', 'rebalance', file('brought.json'))
    expect({ exitCode, arrived }).toEqual({ exitCode: 2, arrived: [] })
    expect(stderr).toContain('policy.approval.twoAbove: expected none at a desk')
  })

  test('the waiver, with its reason, lets it continue to the service', async () => {
    const server = await startLocalServer((_, response) => answerProblem(response, 401, 'unauthorized'))
    onTestFinished(() => server.stop())
    const verifiedPeople = 'one person has this desk'
    write('waived.json', { service, waives: { ...waives, verifiedPeople }, policies })
    await runInProcess([
      ...['run', 'rebalance', 'core', '--id', 'a', '--service', server.baseUrl, '--keys', file('live-keys.json')],
      ...['--config', file('waived.json'), '--state', file('state')],
    ])
    expect(server.arrived.length).toBeGreaterThan(0)
  })
})

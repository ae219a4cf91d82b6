// Tests the test of a real account, without a real account: its steps against a simulated account, and its
// `--synth-only`.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadTreasury } from '../../core/treasury/config.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { runInProcess } from '../unit/cli/run-in-process.ts'
import { type Account, type InjectedAnswer, type RehearsalOptions, rehearse } from './rehearsal.ts'
import { differences, readReport, rehearsedReport, reportTo } from './report.ts'
import { readSetup, type Setup } from './setup.ts'
import { Walk } from './step.ts'
import { STEP_NAMES, stepsOf } from './steps/steps.ts'
import { walkSteps } from './walk-steps.ts'

const EXAMPLE = path.join(import.meta.dirname, 'example')

function setUp(changes: object = {}): Setup {
  const folder = temporaryFolder()
  const config = path.join(folder, 'treasury.json')
  const example = JSON.parse(readFileSync(path.join(EXAMPLE, 'treasury.json'), 'utf8'))
  writeFileSync(config, JSON.stringify({ ...example, ...changes }))
  return readSetup({
    config,
    folder,
    keys: 'keys.json',
    input: path.join(EXAMPLE, 'buy.json'),
    began: '20261122T115500',
  })
}

interface Walked extends RehearsalOptions {
  readonly from?: string | undefined
  readonly isDestroying?: boolean
  readonly isGoingOn?: boolean
}

async function walkOf(setup: Setup, { from, isDestroying = true, isGoingOn = false, ...options }: Walked = {}) {
  const world = rehearse(setup, options)
  const again = (step: string, isAll = false) => `again --from ${step}${isAll ? ' --destroy' : ''}`
  const end = await walkSteps(new Walk(setup, world), { steps: stepsOf(isDestroying), from, isGoingOn, again })
  const stoppedAt = world.told.findLast((line) => /^ *\d+ {2}/.test(line))?.match(/\d+ {2}([a-z-]+)/)?.[1]
  return { ...end, ...world, stoppedAt, text: world.told.join('\n') }
}

test('the whole walk is done, and leaves nothing', async () => {
  const { account, isDone, left } = await walkOf(setUp())
  expect({ isDone, left }).toEqual({ isDone: true, left: [] })
  expect(account).toMatchObject({ deployed: undefined, hasTable: false, isHalted: false })
  expect([account.secrets.size, account.orders.size, account.vaults.size]).toEqual([0, 5, 0])
  expect(account).toMatchObject({ hasRole: false, hasRestored: false, denied: undefined })
})

test('the file of the own role is a treasury.json that lets this role deploy', () => {
  const { files, names } = setUp()
  expect(loadTreasury(files.ownRole).aws?.deployRoles).toEqual([names.testRoleArn])
})

test('without --destroy the journal and the keys stay, and are listed', async () => {
  const { account, isDone, left, text } = await walkOf(setUp(), { isDestroying: false })
  expect({ isDone, left }).toEqual({ isDone: true, left: ['journal', 'backups', 'secrets', 'role', 'restored'] })
  expect(account).toMatchObject({ hasTable: true, isProtected: true })
  expect(text).toContain('the table it-one-sluice-journal, under deletion protection')
})

test.each(STEP_NAMES.slice(1))(
  'gone on with at %s by credentials of another account, nothing is touched',
  async (from) => {
    const faults: InjectedAnswer[] = [{ part: 'get-caller-identity', answer: { stdout: '{"Account":"444455556666"}' } }]
    const { asked, isDone, text } = await walkOf(setUp(), { from, faults })
    expect({ isDone, asked }).toEqual({ isDone: false, asked: [expect.stringContaining('get-caller-identity')] })
    expect(text).toContain('the credentials are of account 444455556666; the file pins 111122223333')
  },
)

test.each(['take-down', 'destroy'])(
  'at %s a deployment that runs for real stays, whatever the file says',
  async (from) => {
    const changes = { changes: [{ path: 'service.stage' }] }
    const faults: InjectedAnswer[] = [{ part: 'sluice setup diff', answer: { stdout: JSON.stringify(changes) } }]
    const { asked, isDone, text } = await walkOf(setUp(), { from, faults })
    expect({ isDone, deleting: asked.filter((one) => /delete|destroy|protection/.test(one)) }).toEqual({
      isDone: false,
      deleting: [],
    })
    expect(text).toContain('another stage than test is deployed as it-one')
  },
)

const FAILED = { exitCode: 1, stdout: '', stderr: 'told to fail' }
/** The nth command fails. */
const nth = (n: number, more: Partial<InjectedAnswer> = {}): InjectedAnswer => {
  let asked = 0
  return {
    part: '',
    isForEver: true,
    ...more,
    answer: () => {
      asked += 1
      return asked === n ? FAILED : undefined
    },
  }
}

test.each([
  ['before it has done anything', {}],
  ['after it was done', { isDone: true } as const],
])('whichever command fails, %s, the walk stops there and can be resumed', async (_when, more) => {
  const setup = setUp()
  const { asked: all } = await walkOf(setup)
  expect(all.length).toBeGreaterThan(50)
  for (const [at, command] of all.entries()) {
    const { account, asked, isDone, stoppedAt, text } = await walkOf(setup, { faults: [nth(at + 1, more)] })
    expect({ isDone, last: asked.at(-1) }).toEqual({ isDone: false, last: command })
    expect(text).toContain('FAILED')
    expect(text).toContain(`again --from ${stoppedAt}`)
    // The first step checks whether the place is empty, which it is.
    const { isDone: isGoneOn, left, ...resumed } = await walkOf(setup, { account, from: stoppedAt })
    expect({ command, isGoneOn, left, text: resumed.text }).toMatchObject({ command, isGoneOn: true, left: [] })
    expect(resumed.account.orders.size).toBe(5)
  }
})

test('a walk that goes on at a double does every other step, and names the failed one', async () => {
  const faults: InjectedAnswer[] = [{ part: 'describe-alarm-history', answer: FAILED }]
  const { account, isDone, left, text } = await walkOf(setUp(), { faults, isGoingOn: true })
  expect({ isDone, left, orders: account.orders.size }).toEqual({ isDone: false, left: [], orders: 5 })
  expect(text).toMatch(/^failed: alarm$/m)
})

test('whatever has failed, everything can be removed', async () => {
  const setup = setUp()
  const { asked: all } = await walkOf(setup)
  for (const [at] of all.entries()) {
    const { account } = await walkOf(setup, { faults: [nth(at + 1, { isDone: true })] })
    const { isDone, left } = await walkOf(setup, { account, from: 'destroy' })
    expect({ isDone, left }).toEqual({ isDone: true, left: [] })
    expect(account).toMatchObject({ deployed: undefined, hasTable: false, hasRole: false, hasRestored: false })
    expect([account.secrets.size, account.vaults.size]).toEqual([0, 0])
  }
})

const json = (answer: unknown) => ({ stdout: JSON.stringify(answer) })
const orderMore = ({ orders }: Account) => {
  orders.set(`stray-${orders.size}`, `stray-${orders.size}`)
  return undefined
}
const table = (more: object) => json({ Table: { TableStatus: 'ACTIVE', DeletionProtectionEnabled: true, ...more } })
/** From the nth command with this part on. */
const fromTime = (n: number, part: string, answer: (account: Account) => object | undefined): InjectedAnswer => {
  let asked = 0
  return {
    part,
    isForEver: true,
    answer: (account) => {
      asked += 1
      return asked >= n ? answer(account) : undefined
    },
  }
}

test.each<[string, string, InjectedAnswer, RegExp]>([
  ['credentials of another account', 'before', { part: 'get-caller', answer: json({ Account: '9' }) }, /account 9;/],
  [
    'version 1 of the AWS CLI',
    'before',
    { part: 'aws --version', answer: { stdout: 'aws-cli/1.38.9 Python/3.12\n' } },
    /expected version 2 of the AWS CLI; aws --version says aws-cli\/1\.38\.9/,
  ],
  ['an existing journal', 'before', { part: 'describe-table', answer: table({}) }, /name another environment/],
  ['a doctor that objects', 'before', { part: 'before-deploy', answer: FAILED }, /told to fail/],
  [
    'a conversion that is refused',
    'convert',
    { part: 'run convert', answer: json({ outcome: 'REJECTED', intentId: 'cv-1' }) },
    /ended REJECTED/,
  ],
  ['an order beside', 'convert', fromTime(1, 'run convert', orderMore), /nobody asked for: stray/],
  [
    'an id that moves again',
    'again',
    fromTime(2, 'run convert', () => json({ outcome: 'FILLED', intentId: 'cv-1', orderId: 'other' })),
    /moved again: order other/,
  ],
  ['an order more', 'again', fromTime(2, 'run convert', orderMore), /there are 2 orders; before there were 1/],
  [
    'a diff of another guard',
    'update',
    { part: 'sluice setup diff', answer: json({ changes: [{ path: 'guards.total' }] }) },
    /diff names guards.total/,
  ],
  [
    'a deployment that changes nothing',
    'update',
    fromTime(2, 'sluice setup diff', () => json({ changes: [{ path: 'guards.worstSlippageBps' }] })),
    /still names/,
  ],
  [
    'a held execution that ends',
    'update',
    { part: 'describe-execution', answer: json({ status: 'FAILED' }) },
    /is FAILED; expected RUNNING/,
  ],
  [
    'a held execution that fails later',
    'let-go',
    fromTime(2, 'describe-execution', () => json({ status: 'FAILED' })),
    /is FAILED; expected SUCCEEDED/,
  ],
  [
    'one that never ends',
    'let-go',
    fromTime(2, 'describe-execution', () => json({ status: 'RUNNING' })),
    /is RUNNING; expected SUCCEEDED/,
  ],
  [
    'code that changed under it',
    'let-go',
    { part: 'get-execution-history', answer: { stdout: ':function:a-order:1 :function:a-order:2' } },
    /a-order in the versions 1 and 2/,
  ],
  [
    'a history without versions',
    'let-go',
    { part: 'get-execution-history', answer: { stdout: ':function:a-order' } },
    /names no version/,
  ],
  [
    'an audit with findings',
    'audit',
    { part: 'journal audit', isForEver: true, answer: json({ outcome: 'FINDINGS', orders: 4 }) },
    /ended FINDINGS/,
  ],
  [
    'an audit that judges too little',
    'audit',
    { part: 'journal audit', isForEver: true, answer: json({ outcome: 'TIES_OUT', orders: 4 }) },
    /judged 4 orders; the service has 5/,
  ],
  [
    'a journal that goes with its stack',
    'take-down',
    fromTime(2, 'describe-table', () => ({ exitCode: 254, stderr: 'ResourceNotFoundException' })),
    /ResourceNotFound/,
  ],
  [
    'a journal that is not protected',
    'take-down',
    fromTime(2, 'describe-table', () => table({ DeletionProtectionEnabled: false })),
    /lost its deletion protection/,
  ],
  [
    'a redriven execution that fails',
    'redrive',
    fromTime(6, 'describe-execution', () => json({ status: 'FAILED' })),
    /redriven execution is FAILED/,
  ],
  [
    'an alarm that stays silent',
    'alarm',
    { part: 'describe-alarm-history', isForEver: true, answer: json({ AlarmHistoryItems: [] }) },
    /it-one-sluice-own-fault has not rung by its metric/,
  ],
  ['an own role that is denied', 'own-role', { part: 'wait stack-update-complete', answer: FAILED }, /told to fail/],
  ['a backup that fails', 'backup', { part: 'describe-backup-job', answer: json({ State: 'FAILED' }) }, /is FAILED/],
  [
    'a copy that fails',
    'copy',
    { part: 'describe-copy-job', answer: json({ CopyJob: { State: 'FAILED' } }) },
    /copy is FAILED/,
  ],
  ['an empty restore', 'restore', { part: 'dynamodb scan', answer: json({ Count: 0 }) }, /has no records/],
  [
    'another key behind the alias',
    'roll-back',
    fromTime(2, 'kms describe-key', () => json({ KeyMetadata: { KeyId: 'key-2' } })),
    /names another key/,
  ],
  ['a home role that stays', 'take-down', { part: 'get-role', answer: json({}) }, /it-one-sluice-home is there/],
  [
    'a journal that starts over',
    'deploy-again',
    fromTime(7, 'run convert', () => json({ outcome: 'FILLED', intentId: 'cv-1', orderId: 'anew' })),
    /moved again: order anew/,
  ],
])('%s stops the walk at %s', async (_what, step, told, why) => {
  const { isDone, stoppedAt, text } = await walkOf(setUp(), { faults: [told] })
  expect({ isDone, stoppedAt }).toEqual({ isDone: false, stoppedAt: step })
  expect(text).toMatch(why)
})

test.each<[string, object, RegExp]>([
  ['another environment', { environment: 'live' }, /environment: expected a name that begins with "it-"; got live/],
  ['no environment', { environment: undefined }, /got none/],
  ['no place', { aws: undefined }, /aws: expected account and region/],
  [
    'a secret of others',
    { service: { url: 'https://a.example', stage: 'test', keySecret: 'sluice/service-key' } },
    /got sluice\/service-key/,
  ],
  [
    'a policy that moves',
    { policies: { core: { kind: 'rebalance', mode: 'live', weights: { BTC: '1' } } } },
    /policies\.core\.mode: expected shadow/,
  ],
  [
    'the stage live',
    {
      service: { url: 'https://a.example', stage: 'live' },
      waives: { splitKeys: 'a', allowedContacts: 'b', dailyBounds: 'c', resumedBy: 'd' },
    },
    /service\.stage: expected test; got live/,
  ],
])('%s is refused', (_what, changes, why) => {
  expect(() => setUp(changes)).toThrow(why)
})

test('the commands have the options that the test uses', async () => {
  const { asked } = await walkOf(setUp())
  const given = new Map<string, Set<string>>()
  for (const text of asked.filter((one) => one.startsWith('npx sluice '))) {
    const [ours = ''] = text.split(' -- ')
    const words = ours.split(' ').slice(2)
    const command = words.slice(0, ['deploy', 'halt', 'resume'].includes(words[0] ?? '') ? 1 : 2).join(' ')
    const flags = words.filter((word) => word.startsWith('--'))
    given.set(command, new Set([...(given.get(command) ?? []), ...flags]))
  }
  expect([...given.keys()].sort()).toEqual([
    'deploy',
    'halt',
    'journal audit',
    'resume',
    'run convert',
    'service orders',
    'setup diff',
    'setup doctor',
  ])
  for (const [command, flags] of given) {
    const { stdout } = await runInProcess([...command.split(' '), '--help'])
    for (const flag of flags) expect(stdout, `${command} ${flag}`).toMatch(new RegExp(`${flag}\\b`))
  }
})

const reachingNothing = (...args: string[]) =>
  spawnSync(process.execPath, ['test/aws/main.ts', ...args], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' },
  })

test('--plan tells each step with its cost, its time and its end, without credentials', () => {
  const { status, stderr, stdout } = reachingNothing('--plan', path.join(EXAMPLE, 'treasury.json'))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const name of STEP_NAMES) {
    const told = new RegExp(
      `^ *\\d+ {2}${name}: .+\\n +creates: .+\\n +costs: \\d.+\\n +moves: .+\\n +takes: .+\\n +after`,
      'm',
    )
    expect(stdout).toMatch(told)
  }
  expect(stdout).toMatch(/in all: \d+\.\d\d USD of AWS, \d+ minutes\n/)
  expect(stdout).toMatch(/npm run test:aws .*--from destroy --destroy\n$/)
})

test('the report of a walk has no names, and is compared with the doubles step by step', async () => {
  const setup = setUp()
  const file = path.join(temporaryFolder(), 'report.json')
  const report = reportTo(file, setup)
  const faults: InjectedAnswer[] = [{ part: 'sluice journal audit', isForEver: true, answer: FAILED }]
  const walk = async (from?: string, more: InjectedAnswer[] = [], account?: Account) => {
    const world = rehearse(setup, { faults: more, ...(account !== undefined && { account }) })
    await walkSteps(new Walk(setup, world), { steps: stepsOf(true), from, again: (step) => step, report })
    return world.account
  }
  const account = await walk(undefined, faults)
  const doubles = await rehearsedReport(setup)
  const text = readFileSync(file, 'utf8')
  for (const name of [setup.place.account, setup.environment, ...setup.names.secrets]) expect(text).not.toContain(name)
  const found = differences(readReport(file), doubles)
  expect(found[0]).toMatch(/^audit: failed: exit 1: npx sluice journal audit/)
  expect(found).toContain('take-down: was not run')

  await walk('audit', [], account)
  expect(differences(readReport(file), doubles)).toEqual([])
  const real = readReport(file).map((step) =>
    step.name === 'let-go' ? { ...step, facts: { status: 'FAILED' } } : step,
  )
  expect(differences(real, doubles)).toContain('let-go: status: AWS says FAILED, the doubles SUCCEEDED')
  expect(reachingNothing('--compare', file)).toMatchObject({ status: 0, stderr: '' })
})

test('--synth-only judges the assemblies and prints the commands, without credentials', () => {
  const { status, stdout, stderr } = reachingNothing('--synth-only')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const name of STEP_NAMES) expect(stdout).toMatch(new RegExp(`^ *\\d+ {2}${name}: `, 'm'))
  expect(stdout).toContain('npx sluice deploy --config')
  expect(stdout).toMatch(/every step can follow; nothing was reached\n$/)
})

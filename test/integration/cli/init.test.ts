// Tests `sluice setup init` against the built-in sandbox: a file of each kind of policy that every other command
// accepts, and its refusals, from flags and at a terminal.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../../cli/program.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { loadTreasury } from '../../../core/treasury/config.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { recorded, type Typed, typedAt } from '../../unit/cli/terminal/recorded-stream.ts'
import { useCommands } from './commands.ts'

const { dir, file } = useCommands()

const fileOf = (name: string) => file(`${name}.json`)
const argsOf = (name: string) => ['setup', 'init', '--out', fileOf(name), '--state', file('state')]
const init = (name: string, ...flags: string[]) => runInProcess([...argsOf(name), '--no-input', ...flags])

test.each([
  ['rebalance', ['--weights', 'btc=0.5,AAPLX=0.5'], { weights: { BTC: '0.5', AAPLSPV: '0.5' } }],
  [
    'fund',
    ['--asset', 'USD', '--at-least', '100', '--from', 'USDC,BTC'],
    { atLeast: '100', from: [{ asset: 'USDC' }, { asset: 'BTC' }] },
  ],
  [
    'convert-on-arrival',
    ['--asset', 'BTC', '--into', 'USDC', '--keep', '0.1'],
    { into: 'USDC', keep: { target: '0.1' } },
  ],
  ['sweep', ['--assets', 'USDC', '--contact', 'cold-usdc-polygon'], { rules: [{ assets: ['USDC'] }] }],
  ['payouts', ['--assets', 'USDC,EUR'], { assets: ['USDC', 'EUR'] }],
  ['convert-and-withdraw', ['--sell', 'BTC', '--into', 'USD', '--contact', 'house-bank-usd'], { from: 'BTC' }],
] as const)('a %s policy from flags is one that every other command takes', async (kind, flags, terms) => {
  const { exitCode, stdout } = await init(kind, '--kind', kind, '--name', 'main', ...flags)
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${fileOf(kind)}\n` })
  const { policies } = loadTreasury(fileOf(kind))
  expect(policies.main).toMatchObject({ kind, mode: 'shadow', approval: { above: '1000' }, ...terms })
  const { $schema } = JSON.parse(readFileSync(fileOf(kind), 'utf8'))
  expect(existsSync(path.resolve(dir, $schema))).toBe(true)
})

test('hubs are named where the usual hub leads nowhere, and a note says why', async () => {
  const { stderr } = await init('hubs', '--kind', 'rebalance', '--weights', 'EURC=0.5,BTC=0.5')
  expect(loadTreasury(fileOf('hubs')).policies.first).toMatchObject({ hubs: ['USD', 'USDC'] })
  expect(stderr).toContain('hubs USD, USDC: some of its assets have no market with each other, or with USD')
})

test('with --json only the result is printed, with the file', async () => {
  const { stdout, stderr } = await runInProcess([
    ...[...argsOf('json'), '--json', '--kind', 'fund', '--asset', 'USD', '--at-least', '1', '--from', 'BTC'],
    ...['--schedule', 'rate(1 day)', '--mode', 'live'],
  ])
  expect(stderr).toBe('')
  const { file, treasury } = JSON.parse(stdout)
  expect(treasury).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  expect(treasury.policies.first).toMatchObject({ mode: 'live', schedule: { expression: 'rate(1 day)' } })
})

test.each([
  ['no kind', [], ['--kind: expected kind of the policy']],
  ['no terms', ['--kind', 'fund'], ['--asset: expected', '--at-least: expected', '--from: expected']],
  ['a wrong kind', ['--kind', 'hoard'], ['--kind: expected rebalance, fund']],
  ['an unknown asset', ['--kind', 'rebalance', '--weights', 'NOPE=1'], ['--weights: expected the code of an asset']],
  ['weights that are none', ['--kind', 'rebalance', '--weights', 'BTC'], ['--weights: expected CODE=SHARE']],
  [
    'weights that do not add up',
    ['--kind', 'rebalance', '--weights', 'BTC=0.6,ETH=0.5'],
    ['--weights: expected shares that add up to exactly 1; got 1.1'],
  ],
  ['no weights at all', ['--kind', 'rebalance', '--weights', ''], ['--weights: expected']],
  ['no assets at all', ['--kind', 'sweep', '--assets', ',', '--contact', 'cold-btc'], ['--assets: expected codes']],
  [
    'an unknown contact',
    ['--kind', 'sweep', '--assets', 'BTC', '--contact', 'me'],
    ['--contact: expected a contact of'],
  ],
  [
    'a contact of another asset',
    ['--kind', 'sweep', '--assets', 'USDC', '--contact', 'cold-btc'],
    ['takes USDC; got one for BTC'],
  ],
  ['no way to convert', ['--kind', 'convert-on-arrival', '--asset', 'BTC', '--into', 'BTC'], ['into']],
  [
    'a schedule that is none',
    ['--kind', 'rebalance', '--weights', 'BTC=1', '--schedule', 'daily'],
    ['--schedule: expected rate(…), cron(…) or at(…)'],
  ],
  [
    'a schedule that EventBridge would refuse',
    ['--kind', 'rebalance', '--weights', 'BTC=1', '--schedule', 'rate(half a day)'],
    ['--schedule: expected a rate of whole minutes, hours or days'],
  ],
  ['a stage that is none', ['--stage', 'prod'], ['--stage: expected live or test']],
])("%s is refused by its flag's name, and no file is written", async (name, flags, findings) => {
  const { exitCode, stdout, stderr } = await init(name, ...flags)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  for (const finding of findings) expect(stderr).toContain(finding)
  expect(existsSync(fileOf(name))).toBe(false)
})

test('an existing file stays, unless --force replaces it', async () => {
  writeFileSync(fileOf('mine'), 'mine')
  const flags = ['--kind', 'rebalance', '--weights', 'BTC=1']
  const { exitCode, stderr } = await init('mine', ...flags)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('exists already')
  expect(readFileSync(fileOf('mine'), 'utf8')).toBe('mine')
  expect((await init('mine', ...flags, '--force')).exitCode).toBe(0)
  expect(loadTreasury(fileOf('mine')).policies.first).toMatchObject({ kind: 'rebalance' })
})

const OWN = `{
  "service": {"url": "https://api.example.com", "stage": "test"},
  "guards": { "total": {"largest": "50000.00"} },
  "policies": {
    "first": {"kind": "rebalance", "mode": "shadow", "weights": {"BTC": "0.50", "USDC": "0.50"}}
  }
}
`
const FUND = ['--kind', 'fund', '--asset', 'EUR', '--at-least', '100', '--from', 'USD']

test('--add puts the policy into the file, shows the change, and leaves every other line as it is', async () => {
  writeFileSync(fileOf('added'), OWN)
  const { exitCode, stdout, stderr } = await init('added', '--add', ...FUND)
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${fileOf('added')}\n` })
  expect(stderr).toContain('+     "policy-2": {')
  const text = readFileSync(fileOf('added'), 'utf8')
  expect(text.startsWith(OWN.slice(0, OWN.indexOf('}}') + 2))).toBe(true)
  expect(text.endsWith('\n  }\n}\n')).toBe(true)
  const { policies } = loadTreasury(fileOf('added'))
  expect(Object.keys(policies)).toEqual(['first', 'policy-2'])
  expect(policies['policy-2']).toMatchObject({ kind: 'fund', asset: 'EUR', mode: 'shadow' })
})

test.each([
  ['without --add', [...FUND], '--add to put the policy into it'],
  ['without the answers', ['--add', '--kind', 'fund'], '--asset: expected'],
  [
    'under the name of another policy',
    ['--add', ...FUND, '--name', 'first'],
    '--name: expected another name than first',
  ],
  ['with --force too', ['--add', '--force', ...FUND], '--add and --force: expected one of them'],
])('off a terminal a policy is not added %s, and the file stays', async (name, flags, finding) => {
  writeFileSync(fileOf(name), OWN)
  const { exitCode, stderr } = await init(name, ...flags)
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(finding) })
  expect(readFileSync(fileOf(name), 'utf8')).toBe(OWN)
})

test('a file with a fault, and a missing file, get no policy', async () => {
  writeFileSync(fileOf('faulty'), '{"service": 1}')
  expect((await init('faulty', '--add', ...FUND)).stderr).toContain('faulty.json: service: expected')
  expect((await init('missing', '--add', ...FUND)).stderr).toContain('--add: there is no')
})

/** A person who types each text when its question, or the fault of the last answer, is shown. */
async function atTerminal(argv: readonly string[], steps: readonly Typed[]) {
  const stdout = recorded()
  const stderr = recorded({ isTTY: true, columns: 200 })
  const stdin = typedAt(stderr, steps)
  const output = createOutput({ stdout, stderr, json: false, term: 'xterm' })
  const catchInterruption = () => new AbortController().signal
  const process = { variables: {}, stdin, stdout, output, clock: systemClock, catchInterruption }
  const exitCode = await runProgram({ argv, ...process })
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

test('a person at a terminal is asked what no flag answered, and again after a wrong answer', async () => {
  const { exitCode } = await atTerminal(
    [...argsOf('asked'), '--name', 'No'],
    [
      ['do?', 'reb\n'],
      ['--name: expected', ''],
      ['called?', '\n'],
      ['hold', 'BTC=x\n'],
      ['--weights: expected CODE=SHARE', '\u0015\n'],
      ['got something else', 'BTC=0.6\n'],
      ['got 0.6', ',USDC=0.4\n'],
      ['run (', 'daily\n'],
      ['--schedule: expected', '\u0015rate(1 day)\n'],
      ['approve', '\n'],
      ['money', 'live\n'],
    ],
  )
  expect(exitCode).toBe(0)
  expect(loadTreasury(fileOf('asked')).policies).toEqual({
    first: expect.objectContaining({
      kind: 'rebalance',
      mode: 'live',
      weights: { BTC: '0.6', USDC: '0.4' },
      schedule: expect.objectContaining({ expression: 'rate(1 day)' }),
    }),
  })
})

const POLICY: readonly Typed[] = [
  ['Add a policy to it?', '\n'],
  ['do?', 'fun\n'],
  ['called?', '\n'],
  ['it about?', 'EUR\n'],
  ['always be there?', '100\n'],
  ['bought', 'USD\n'],
  ['run (', '\n'],
  ['approve', '\n'],
  ['money', '\n'],
]

test('a person at a terminal adds a policy to the file, chooses from the listed assets, and sees the change first', async () => {
  writeFileSync(fileOf('typed'), OWN)
  const { exitCode, stderr } = await atTerminal(argsOf('typed'), [...POLICY, ['Write this', '\n']])
  expect(exitCode).toBe(0)
  expect(stderr).toMatch(/assets in the account: .*USDC \d/)
  expect(stderr).toMatch(/other assets of the service: .*/)
  expect(stderr).toContain('+     "policy-2": {')
  expect(loadTreasury(fileOf('typed')).policies['policy-2']).toMatchObject({ kind: 'fund', asset: 'EUR' })
})

test('a person who does not want the change, or no policy at all, keeps the file', async () => {
  writeFileSync(fileOf('kept'), OWN)
  const declined = await atTerminal(argsOf('kept'), [...POLICY, ['Write this', 'n\n']])
  expect(declined).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing was written') })
  const none = await atTerminal(argsOf('kept'), [['Add a policy to it?', 'n\n']])
  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('exists already') })
  expect(readFileSync(fileOf('kept'), 'utf8')).toBe(OWN)
})

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at a question ends with exit 130, and no file is written', async (key, typed) => {
  const { exitCode, stderr } = await atTerminal(argsOf(key), [
    ['do?', 'sweep\n'],
    ['called?', typed],
  ])
  expect(exitCode).toBe(130)
  expect(stderr).toContain('interrupted; nothing was written')
  expect(existsSync(fileOf(key))).toBe(false)
})

test('endless wrong answers end the question', async () => {
  const wrong: Typed[] = Array.from({ length: 19 }, () => ['--name: expected', '\n'])
  const { exitCode, stderr } = await atTerminal(argsOf('wrong'), [['do?', 'sweep\n'], ['called?', 'No\n'], ...wrong])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('--name: no answer after 20 tries')
})

/** Empty files in the place of the packages. */
function packagesOf(version: string): string {
  const folder = file(`packages-${version}`)
  mkdirSync(folder)
  for (const name of ['sluice', 'sluice-infra']) writeFileSync(path.join(folder, `${name}-${version}.tgz`), '')
  return folder
}

const repository = (home: string, packages: string) =>
  runInProcess([
    ...['setup', 'repository', home, '--packages', packages, '--state', file('state'), '--no-input'],
    ...['--kind', 'fund', '--asset', 'USD', '--at-least', '1', '--from', 'BTC'],
  ])

test('a repository has the answers, and pins packages that it has and the versions that were tried', async () => {
  const own = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'))
  const home = file('repository')
  const { exitCode, stdout } = await repository(home, packagesOf(own.version))
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${home}\n` })
  expect(loadTreasury(path.join(home, 'treasury.json')).policies.first).toMatchObject({ kind: 'fund', mode: 'shadow' })
  const { dependencies } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
  const files = Object.values<string>(dependencies).filter((version) => version.startsWith('file:'))
  expect(files.map((file) => existsSync(path.join(home, file.slice('file:'.length))))).toEqual([true, true])
  expect(own.devDependencies).toMatchObject(
    Object.fromEntries(['aws-cdk', 'aws-cdk-lib', 'constructs'].map((name) => [name, dependencies[name]])),
  )
  for (const file of ['.gitignore', '.github/workflows/deploy.yml'])
    expect(existsSync(path.join(home, file))).toBe(true)
})

test('a directory with files and a folder without the packages of this version are refused, and nothing is written', async () => {
  const packages = packagesOf('0.0.1')
  const full = await repository(dir, packages)
  expect(full).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('expected a new or empty directory') })
  const home = file('never')
  expect(await repository(home, packages)).toMatchObject({ exitCode: 2, stdout: '' })
  expect(existsSync(home)).toBe(false)
})

// Mistakes of people: each is answered in one line that names it, with exit 2 (1 for an unreachable service), nothing on
// standard output, and nothing started.
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { sluice } from './command-line.ts'
import { useCommands } from './commands.ts'

const good = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.25' }
const secret = `svc_test_${'0123456789abcdefghijABCDEFGHIJ'.padEnd(38, 'x')}`
const privateKeyPem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })

const { file, write } = useCommands()
let requests: string[]
let server: ReturnType<typeof createServer>
let service: string
beforeAll(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

const waives = { splitKeys: 'a test', allowedContacts: 'a test', dailyBounds: 'a test', resumedBy: 'a test' }
const treasury = (changes: object) => ({
  service: { url: 'https://api.example.com', stage: 'test', ...changes },
  waives,
})
const keys = (changes: object) => ({ secret, privateKeyPem, alg: 'EdDSA', ...changes })

interface Mistake {
  readonly input?: string | object
  readonly config?: string | object
  readonly keys?: string | object
  readonly args?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

const scheduled = (expression: string, timeZone = 'UTC') => {
  const rules = [{ assets: ['BTC'], contactId: 'cold' }]
  return { ...treasury({}), policies: { sweep: { kind: 'sweep', rules, schedule: { expression, timeZone } } } }
}

const mistakes: readonly (readonly [what: string, mistake: Mistake, message: RegExp])[] = [
  ['an amount that is a number', { input: { ...good, amount: 0.25 } }, /^error: input: amount: expected .*got/],
  ['an amount with an exponent', { input: { ...good, amount: '1e9' } }, /^error: input: amount: expected /],
  ['a missing side', { input: { ...good, side: undefined } }, /^error: input: side: expected /],
  [
    'a mistyped field',
    { input: { ...good, amout: '1' } },
    /^error: input: amout: unknown key; did you mean "amount"\?/,
  ],
  ['input that is not JSON', { input: '{"amount":' }, /^error: input: not JSON/],
  ['a key given twice', { input: '{"amount":"1","amount":"2"}' }, /^error: input: the key "amount" is given twice/],
  ['empty input', { input: '' }, /^error: input: /],
  ['input far too large', { input: ' '.repeat(70_000) }, /^error: --input: expected at most 65536 bytes/],
  [
    'a treasury.json with a schedule that goes over the end of the week',
    { config: scheduled('cron(0 9 ? * FRI-MON *)') },
    /^error: .*policies\.sweep\.schedule\.expression: expected as day-of-week .*write FRI-SAT,SUN-MON; got "FRI-MON" in /,
  ],
  [
    'a treasury.json with a schedule in an hour that the clocks skip',
    { config: scheduled('at(2026-03-29T02:30:00)', 'Europe/Berlin') },
    /^error: .*policies\.sweep\.schedule\.expression: expected a local time that exists: /,
  ],
  [
    'a treasury.json with a wrong stage',
    { config: treasury({ stage: 'prod' }) },
    /^error: .*service\.stage: expected live or test/,
  ],
  [
    'a treasury.json that is not there',
    { args: ['--config', '/nowhere/treasury.json'] },
    /^error: \/nowhere\/treasury\.json: no such file/,
  ],
  ['a live stage with the sandbox', { config: treasury({ stage: 'live' }) }, /^error: service\.stage: expected test/],
  [
    'a test key on a live stage',
    { config: treasury({ stage: 'live' }), keys: keys({}) },
    /^error: --keys: key\.secret: expected a key of the stage "live"/,
  ],
  ['a secret of the wrong shape', { keys: keys({ secret: 'hunter2' }) }, /^error: --keys: key\.secret: expected /],
  [
    'a private key that is none',
    { keys: keys({ privateKeyPem: 'hunter2' }) },
    /^error: --keys: key\.privateKeyPem: expected /,
  ],
  [
    'an algorithm that does not fit the key',
    { keys: keys({ alg: 'RS256' }) },
    /^error: --keys: key\.privateKeyPem: expected an RSA key/,
  ],
  ['a key file that is not JSON', { keys: 'hunter2' }, /^error: --keys: key: expected JSON/],
  [
    'a key in place of its file',
    { args: ['--service', 'SERVICE', '--keys', secret] },
    /^error: --keys: cannot read that file \(ENOENT\)/,
  ],
  ['a service without keys', { args: ['--service', 'SERVICE'] }, /^error: --service: a service needs a key file/],
  [
    'a wrong address in a variable',
    { variables: { SLUICE_SERVICE: 'example.com', SLUICE_KEYS: 'k' } },
    /^error: SLUICE_SERVICE: expected an http/,
  ],
  ['an unknown flag', { args: ['--sevice', 'x'] }, /^error: unknown option '--sevice'; did you mean --service\?/],
]

test.each(mistakes)('%s', async (_what, mistake, message) => {
  const state = file('state')
  const args = ['run', 'convert', '--state', state, '--input', write('input.json', mistake.input ?? good)]
  if (mistake.config !== undefined) args.push('--config', write('treasury.json', mistake.config))
  if (mistake.keys !== undefined) args.push('--service', service, '--keys', write('keys.json', mistake.keys))
  args.push(...(mistake.args ?? []).map((word) => (word === 'SERVICE' ? service : word)))
  const { exitCode, stdout, stderr } = await runInProcess(args, mistake.variables)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr).toMatch(/^error: [^\n]+\nnext: {2}[^\n]+\n$/)
  expect(stderr).not.toMatch(/hunter2|0123456789abcdef/)
  expect(existsSync(state)).toBe(false)
  expect(requests).toEqual([])
})

test('under --json a mistake is one object on standard error', async () => {
  const input = write('input.json', { ...good, amount: '-1' })
  const { exitCode, stdout, stderr } = await sluice(['run', 'convert', '--json', '--input', input])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({
    error: { code: 'input', message: expect.stringMatching(/^input: amount: /), next: expect.any(String) },
  })
})

test('an address without a service is reported with exit 1, and only its time and health were asked', async () => {
  const args = ['run', 'convert', '--state', file('state'), '--input', '-']
  const unreachable = await sluice([...args, '--service', service, '--keys', write('keys.json', keys({}))], {
    stdin: JSON.stringify(good),
  })
  expect(unreachable).toMatchObject({ exitCode: 1, stdout: '' })
  expect(unreachable.stderr).toContain(
    `error: GET ${service}/v2/time answered with status 503; this command has sent nothing`,
  )
  expect(requests).toEqual(['GET /v2/time', 'GET /v2/health'])
})

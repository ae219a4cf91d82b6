// Uses keys as canaries. Whatever a run does, and even if it fails, no log line, history, record or command output
// contains a key. Among files, only the secret store's own has them.
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { ScanCommand } from '@aws-sdk/client-dynamodb'
import { loadParts } from '@sluice/embedded-aws'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { StateMachine } from '../../../core/contract/states.ts'
import { embeddedClient } from '../../../place/journal/journal-client.ts'
import { type Arrived, answerProblem, startLocalServer } from '../../helpers/local-server.ts'
import { type MachineOptionsFor, type RunningMachines, startMachines } from '../../helpers/running-machines.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { SECRET, useAws } from './key-commands.ts'

const { secretsFile } = await loadParts()

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }

const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }

/** The texts that must not appear: the secret beyond its prefix, the body of the PEM, and any token. */
interface Canaries {
  readonly texts: readonly string[]
}

function canariesOf(...keys: readonly { readonly secret: string; readonly privateKeyPem: string }[]): Canaries {
  return {
    texts: keys.flatMap(({ secret, privateKeyPem }) => [secret.slice(21), privateKeyPem.split('\n')[1] ?? secret]),
  }
}

interface Watched {
  readonly machine: RunningMachines
  readonly logged: string[]
}

async function start(options: MachineOptionsFor = () => ({})): Promise<Watched> {
  const logged: string[] = []
  const machine = await startMachines(inject('assemblyDir'), (sandbox) => ({
    ...options(sandbox),
    onFunctionLog: (_name, line) => logged.push(line),
  }))
  onTestFinished(() => machine.stop())
  return { machine, logged }
}

/** Everything that was written anywhere, by its place. */
async function everythingOf({ machine, logged }: Watched): Promise<Map<string, string>> {
  const { aws, stateDir, sandbox } = machine
  const written = new Map<string, string>([['function logs', logged.join('\n')]])
  const executions = Object.values(StateMachine).flatMap((name) => aws.listExecutions(name))
  for (const { executionArn } of executions) {
    written.set(`history of ${executionArn}`, JSON.stringify(aws.history(executionArn)))
    written.set(`description of ${executionArn}`, JSON.stringify(aws.describeExecution(executionArn)))
  }
  const client = embeddedClient(aws)
  written.set('journal', JSON.stringify((await client.send(new ScanCommand({ TableName: 'sluice-journal' }))).Items))
  client.destroy()
  written.set('oracle', await (await fetch(`${sandbox.controlUrl}/oracle`)).text())
  for (const name of globSync('**/*', { cwd: stateDir })) {
    const file = path.join(stateDir, name)
    if (statSync(file).isFile() && file !== secretsFile(stateDir)) written.set(name, readFileSync(file, 'latin1'))
  }
  return written
}

/** The places that must have a canary, because otherwise the search elsewhere would prove nothing. */
function expectCanaryIn(text: string, { texts }: Canaries): void {
  for (const canary of texts) expect(text).toContain(canary)
}

function expectNoCanaryIn(written: ReadonlyMap<string, string>, { texts }: Canaries): void {
  expect(written.size).toBeGreaterThan(4)
  for (const [where, text] of written) {
    for (const canary of texts) expect(text.includes(canary), `${where} shows a key`).toBe(false)
    expect(/eyJ[\w-]{10,}\.[\w-]{10,}/.test(text), `${where} shows a token`).toBe(false)
  }
}

test('runs that move money show no key, also those whose answer was lost', async () => {
  const watched = await start()
  const { machine } = watched
  expect((await machine.run('filled', BUY)).report.outcome).toBe('FILLED')
  const match = { method: 'POST', path: '/v2/orders' }
  await machine.control('/rules', { match, fault: { kind: 'dropBeforeCommit' } })
  expect((await machine.run('in-doubt', BUY)).report).toMatchObject({ outcome: 'FILLED', attempts: 2 })
  await machine.control('/rules', { match: { ...match, path: '/v2/withdrawals' }, fault: { kind: 'dropAfterCommit' } })
  expect((await machine.withdraw('sent', SEND)).report).toMatchObject({ outcome: 'COMPLETED', attempts: 1 })
  const written = await everythingOf(watched)
  for (const run of ['in-doubt', 'sent']) expect(written.get('function logs')).toContain(run)
  const canaries = canariesOf(machine.sandbox.keys.full)
  expectCanaryIn(readFileSync(secretsFile(machine.stateDir), 'utf8'), canaries)
  expectNoCanaryIn(written, canaries)
})

const echo = ({ headers, body }: Arrived) => `${headers.authorization} ${headers['x-api-key']} ${body.toString()}`

test.each<[string, Parameters<typeof startLocalServer>[0]]>([
  ['an HTML page', (request, response) => response.writeHead(502, { 'content-type': 'text/html' }).end(echo(request))],
  [
    'a problem document',
    (request, response) =>
      answerProblem(response, 401, 'unauthorized', { detail: echo(request), title: echo(request) }),
  ],
  [
    'a success',
    (request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: echo(request), detail: echo(request) })),
  ],
])('a run against a service that echoes the request in %s shows no key', async (_what, respond) => {
  const key = makeKey('Planted9Canary')
  const server = await startLocalServer(respond)
  onTestFinished(() => server.stop())
  const watched = await start(() => ({ serviceUrl: server.baseUrl, secrets: { [SECRET]: key.material } }))
  const { report } = await watched.machine.run('echoed', BUY)
  expect(report.outcome).not.toBe('FILLED')
  expect(server.arrived.some(({ headers }) => headers.authorization === `Bearer ${key.secret}`)).toBe(true)
  expectNoCanaryIn(await everythingOf(watched), canariesOf(key))
})

const planted = makeKey('Planted8Canary')
const live = makeKey('Planted7Canary', 'EdDSA', 'live')
test.each([
  ['is no JSON', planted.material.slice(0, -1), planted],
  ['has a broken private key', planted.material.replace('MC4', 'XX4'), planted],
  ['is of the other stage', live.material, live],
])('a run whose stored key %s shows nothing of it', async (_what, material, key) => {
  const watched = await start(() => ({ secrets: { [SECRET]: material } }))
  const { report } = await watched.machine.run('unusable', BUY)
  expect(report.outcome).not.toBe('FILLED')
  expectNoCanaryIn(await everythingOf(watched), canariesOf(key))
})

test('no command of a rotation shows a key, and a new key is in the secret store alone', async () => {
  const watched = await start()
  const { machine } = watched
  useAws(machine.aws)
  onTestFinished(() => void vi.unstubAllEnvs())
  const config = path.join(machine.stateDir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: machine.sandbox.baseUrl, stage: 'test' } }), { mode: 0o600 })
  const said = new Map<string, string>()
  for (const command of [
    ['status'],
    ['generate'],
    ['proof', 'check'],
    ['promote'],
    ['status', '--json'],
    ['stage', '--bearer', config],
  ]) {
    said.set(command.join(' '), inspect(await runInProcess(['keys', ...command, '--config', config])))
  }
  const stored = JSON.parse(readFileSync(secretsFile(machine.stateDir), 'utf8')) as Record<
    string,
    { secretString: string }[]
  >
  const keys = (stored[SECRET] ?? []).map(({ secretString }) => JSON.parse(secretString))
  expect(keys).toHaveLength(2)
  expectNoCanaryIn(new Map([...(await everythingOf(watched)), ...said]), canariesOf(...keys))
})

// One desk, many commands: while one process serves a state directory, every other command is its client. When that process
// dies, the commands continue.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'
import { startSandboxBeside } from './sandbox-beside.ts'

const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }
const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

let dir: string
let started: Running[]
function makeFolder(): void {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-desk-'))
  started = []
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' }, policies }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
}
async function removeFolder(): Promise<void> {
  for (const { child, ended } of started) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(dir, { recursive: true, force: true })
}

const where = () => ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
const start = (...words: string[]) => {
  const running = startSluice([...words, ...where()])
  started.push(running)
  return running
}
/** A client in the test's process, because a process of its own would cost most of the time. */
const run = (...words: string[]) => runInProcess([...words, ...where()])
const buy = (id: string) => ['run', 'convert', '--input', path.join(dir, 'buy.json'), '--id', id]
const by = ['--by', 'ada', '--because', 'a test']

/** The orders at the service of this directory. */
async function orderIds(): Promise<string[]> {
  const { stdout } = await run('service', 'orders', '--json')
  const listed = JSON.parse(stdout)
  return (listed.orders ?? listed).map(({ id }: { readonly id: string }) => id)
}

async function serve(): Promise<{ readonly serving: Running; readonly controlUrl: string }> {
  const serving = start('serve')
  const { controlUrl } = JSON.parse(await serving.firstLine)
  return { serving, controlUrl }
}

// These tests share a desk, and use different ids.
describe('while one process serves', () => {
  let serving: Running
  beforeAll(async () => {
    makeFolder()
    serving = (await serve()).serving
  })
  afterAll(removeFolder)

  test('every other command works beside it without waiting', async () => {
    const commands = [
      ['halt', ...by],
      ['resume', ...by],
      ['cases', 'list', '--json'],
      ['service', 'balances', '--json'],
      buy('beside'),
      ['plan', 'core', '--json'],
      ['journal', 'audit', '--json'],
      ['runs', 'list', '--json'],
      ['movements', 'list', '--json'],
      ['movements', 'show', 'beside'],
      ['movements', 'show', 'beside', '--sentences'],
      ['policies'],
      ['service', 'orders', '--json'],
    ]
    for (const words of commands) {
      const { exitCode, stderr } = await run(...words)
      expect({ words, exitCode, waited: stderr.includes('waiting') }).toEqual({ words, exitCode: 0, waited: false })
    }
    expect(serving.child.exitCode).toBeNull()
  })

  test('ten commands at once all end well, and each id moves once', async () => {
    const before = await orderIds()
    const ids = ['one', 'two', 'one', 'two', 'three']
    const all = [
      ...ids.map(buy),
      ['runs', 'list'],
      ['service', 'balances'],
      ['cases', 'list'],
      ['policies'],
      ['service', 'orders'],
    ]
    const ended = await Promise.all(all.map((words) => run(...words)))
    expect(ended.map(({ exitCode, stderr }, at) => (exitCode === 0 ? 0 : [all[at], stderr]))).toEqual(all.map(() => 0))
    expect((await orderIds()).filter((id) => !before.includes(id))).toHaveLength(3)
  })

  test('a command with another configuration is refused at once', async () => {
    const other = path.join(dir, 'other.json')
    writeFileSync(other, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' } }))
    const { exitCode, stderr } = await runInProcess([
      ...buy('other'),
      '--state',
      path.join(dir, 'state'),
      '--config',
      other,
    ])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('with another configuration')
    expect(stderr).toContain('nothing was started')
    // No hint suggests the file that was edited since.
    const configFile = path.join(dir, 'treasury.json')
    const asServed = readFileSync(configFile)
    onTestFinished(() => writeFileSync(configFile, asServed))
    writeFileSync(configFile, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' } }))
    const edited = await run(...buy('edited'))
    expect(edited.exitCode).toBe(1)
    expect(edited.stderr).toContain('treasury.json as it was when that process started: it has changed since')
    expect(edited.stderr).not.toContain('give --config')
  })
})

describe('in a directory of its own', () => {
  beforeEach(makeFolder)
  afterEach(removeFolder)

  test("only the owner can read the serving process's address and credentials, and they end with it", async () => {
    const { serving } = await serve()
    const file = path.join(dir, 'state', 'desk.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    serving.child.kill('SIGINT')
    await serving.ended
    expect(() => statSync(file)).toThrow('ENOENT')
  })

  test('a command beside a serve of another release names both releases in one line, and works', async () => {
    await serve()
    const file = path.join(dir, 'state', 'desk.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), release: '0.0.1' }))
    for (const words of [['runs', 'list'], ['service', 'balances'], buy('newer')]) {
      const { exitCode, stderr } = await run(...words)
      expect({
        words,
        exitCode,
        lines: stderr.match(/release 0\.0\.1 serves .*, and this command is release \d/g),
      }).toEqual({ words, exitCode: 0, lines: [expect.any(String)] })
    }
  })

  test("a run that waits in a halt continues after another command's resume", async () => {
    expect((await run(...buy('first'))).exitCode).toBe(0)
    expect((await run('halt', ...by)).exitCode).toBe(0)
    const waiting = start(...buy('held'))
    await waiting.seen(/halted/)
    const { exitCode, stderr } = await run('resume', ...by)
    expect({ exitCode, waited: stderr.includes('waiting') }).toEqual({ exitCode: 0, waited: false })
    expect(await waiting.ended).toMatchObject({ exitCode: 0 })
  })

  test('kill -9 of the serving process under a run: the run starts a desk of its own, and moves once', async () => {
    const { serving, controlUrl } = await serve()
    const slow = { match: { method: 'POST', path: '/v2/orders' }, fault: { kind: 'delay', ms: 3_000, when: 'after' } }
    expect((await fetch(`${controlUrl}/rules`, { method: 'POST', body: JSON.stringify(slow) })).ok).toBe(true)
    const running = start(...buy('orphan'))
    await running.seen(/Quote +0\.5 ETH/)
    serving.child.kill('SIGKILL')
    const { exitCode, stdout, stderr } = await running.ended
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'FILLED' })
    expect(await orderIds()).toHaveLength(1)
  })

  test('a key that is not proven to belong to the account moves and shows nothing at a desk of that account', async () => {
    const service = await startSandboxBeside()
    try {
      const known = path.join(dir, 'keys.json')
      writeFileSync(known, service.keys, { mode: 0o600 })
      const key = JSON.parse(service.keys)
      const stranger = path.join(dir, 'stranger.json')
      const secret = `${key.secret.slice(0, 9)}${'Z'.repeat(12)}${key.secret.slice(21)}`
      writeFileSync(stranger, JSON.stringify({ ...key, secret, prefix: secret.slice(0, 21) }), { mode: 0o600 })
      const serving = start('serve', '--service', service.baseUrl, '--keys', known)
      await serving.firstLine
      const at = (file: string) => ['--service', service.baseUrl, '--keys', file]
      expect((await run(...buy('own'), ...at(known))).exitCode).toBe(0)
      const before = await service.orderIds()
      // This holds for an id that the desk knows, too: another account's request must not be shown.
      for (const id of ['own', 'new']) {
        const { exitCode, stdout } = await run(...buy(id), ...at(stranger))
        expect({ id, isDone: exitCode === 0, stdout }).toEqual({ id, isDone: false, stdout: '' })
      }
      expect(await service.orderIds()).toEqual(before)
    } finally {
      await service.stop()
    }
  })

  test('the state of the tour is thrown away, so a halt beside it waits, and is not part of the tour', async () => {
    const touring = startSluice(['start', ...where()])
    started.push(touring)
    await touring.seen(/arrive/)
    const halting = start('halt', ...by)
    await halting.seen(new RegExp(`waiting: .* is in use by process ${touring.child.pid}`))
    touring.child.kill('SIGKILL')
    const { exitCode, stderr } = await halting.ended
    expect(exitCode).toBe(2)
    expect(stderr).toContain('keeps no runs against the built-in sandbox')
  })
})

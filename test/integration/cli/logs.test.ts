// `sluice logs` beside a running serve, after it, and across its end: the words of serve, each once, and nothing goes
// on by it.
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
const by = ['--by', 'ada', '--because', 'a test']

interface Entry {
  readonly at: string
  readonly event: string
  readonly stateMachine: string
  readonly execution: string
  readonly text: string
}

// One directory for all tests, so that its assembly is made once.
let dir: string
const started: Running[] = []
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-logs-'))
  const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' }, policies }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
})
afterAll(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(dir, { recursive: true, force: true })
})

const stateDir = () => path.join(dir, 'state')
const where = () => ['--state', stateDir(), '--config', path.join(dir, 'treasury.json')]
const start = (...words: string[]) => {
  const running = startSluice([...words, ...where()])
  started.push(running)
  return running
}
const run = (...words: string[]) => runInProcess([...words, ...where()])
const buy = (id: string) => ['run', 'convert', path.join(dir, 'buy.json'), '--id', id]

async function logsOf(...words: string[]): Promise<Entry[]> {
  const { exitCode, stdout, stderr } = await run('logs', ...words, '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Standard output of a process that goes on. */
function outputOf({ child, ended }: Running) {
  let text = ''
  const watchers = new Set<() => void>()
  child.stdout?.on('data', (chunk: string) => {
    text += chunk
    for (const watch of watchers) watch()
  })
  const until = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const watch = () => {
        if (pattern.test(text)) resolve()
      }
      watchers.add(watch)
      watch()
      void ended.then(({ stderr }) => reject(new Error(`ended without ${pattern}; it said:\n${stderr}`)))
    })
  return { until, lines: () => text.split('\n').slice(0, -1) }
}

/** What may tell that something went on: every file but those of whoever has the directory open. */
function filesIn(): Record<string, string> {
  const files = globSync('**/*', { cwd: stateDir() }).filter((file) => statSync(path.join(stateDir(), file)).isFile())
  return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(stateDir(), file), 'base64')]))
}

describe('of one serve', () => {
  let serving: Running
  let servedLines: () => string[]
  beforeAll(async () => {
    serving = start('serve', '--jsonl')
    servedLines = outputOf(serving).lines
    await serving.firstLine
    expect((await run(...buy('one'))).exitCode).toBe(0)
    expect((await run('run', 'rebalance', 'core', '--id', 'two')).exitCode).toBe(0)
  })
  test('it tells what serve told, in the same words, oldest first', async () => {
    const entries = await logsOf()
    const served: Entry[] = servedLines()
      .slice(1)
      .map((line) => JSON.parse(line))
    const words = ({ event, execution, stateMachine, text }: Entry) => [stateMachine, execution, event, text].join(' ')
    expect(entries.map(words).sort()).toEqual(served.map(words).sort())
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort())
    expect(entries.map(({ event }) => event)).toContain('PlanRebalance')
  })

  test('by an id it tells of that run and its legs, or of that intent alone', async () => {
    const all = await logsOf()
    const conversion = all[0]?.execution ?? expect.fail('nothing was told')
    const others = all.filter(({ execution }) => execution !== conversion)
    expect(await logsOf('one')).toEqual(all.filter(({ execution }) => execution === conversion))
    expect(await logsOf(conversion)).toEqual(all.filter(({ execution }) => execution === conversion))
    expect(await logsOf('two')).toEqual(others)
    const leg = others.find(({ stateMachine }) => stateMachine === 'sluice-convert')?.execution ?? expect.fail('no leg')
    expect(await logsOf(leg)).toEqual(others.filter(({ execution }) => execution === leg))
    expect(await run('logs', 'nobody')).toMatchObject({ exitCode: 1, stdout: '' })
  })

  test('for a person each line has its time, state machine and execution, and nothing of inputs and outputs', async () => {
    const { exitCode, stdout, stderr } = await run('logs', '--limit', '1')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('there are more: --limit N')
    const format = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}sluice-[a-z]+ +[A-Za-z0-9-]+ {2}\S+ +\S/
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(format)
    expect(stdout).not.toContain('{')
  })

  test('what happened before --since is left out', async () => {
    const all = await logsOf()
    const middle = all[Math.floor(all.length / 2)]?.at ?? expect.fail('nothing was told')
    expect(await logsOf('--since', middle)).toEqual(all.filter(({ at }) => at >= middle))
    expect(await logsOf('--since', '2999-01-01T00:00:00Z')).toEqual([])
  })

  test('where nothing runs any more it tells the same from the files, and changes none of them', async () => {
    const before = await logsOf()
    serving.child.kill('SIGINT')
    await serving.ended
    const files = filesIn()
    expect(await logsOf()).toEqual(before)
    expect(await logsOf('two')).toEqual(before.filter(({ execution }) => execution !== before[0]?.execution))
    expect(filesIn()).toEqual(files)
  })
})

describe('across the end of serve', () => {
  test('--follow tells each event once, says that the process has ended, and goes on with the next', async () => {
    const since = ['--since', new Date().toISOString()]
    const serving = start('serve')
    await serving.firstLine
    const following = start('logs', '-f', ...since)
    const followed = outputOf(following)
    await following.seen(/follows process \d+ \(serve\)/)
    expect((await run(...buy('three'))).exitCode).toBe(0)
    await followed.until(/ended +FILLED/)
    serving.child.kill('SIGKILL')
    await following.seen(/the process that ran has ended; nothing runs in .* now; waits/)
    // A run is the next process that serves the directory.
    expect((await run(...buy('four'))).exitCode).toBe(0)
    await followed.until(/ended +FILLED[\s\S]*ended +FILLED/)
    following.child.kill('SIGINT')
    expect(await following.ended).toMatchObject({ exitCode: 0 })
    expect(new Set(followed.lines()).size).toBe(followed.lines().length)
    const { stdout } = await run('logs', ...since)
    expect(followed.lines()).toEqual(stdout.trimEnd().split('\n'))
  })

  test('what serve left unfinished is told, and does not go on by it', async () => {
    const serving = start('serve')
    await serving.firstLine
    expect((await run('halt', ...by)).exitCode).toBe(0)
    const waiting = start(...buy('held'))
    await waiting.seen(/waits its turn/)
    for (const { child } of [waiting, serving]) child.kill('SIGKILL')
    await Promise.all([waiting.ended, serving.ended])
    const files = filesIn()
    expect(await logsOf('held')).toEqual(
      expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('waits its turn') })]),
    )
    const following = start('logs', 'held', '-f')
    const followed = outputOf(following)
    await following.seen(/nothing runs in .* now; waits for the next serve/)
    await followed.until(/waits its turn/)
    following.child.kill('SIGINT')
    expect(await following.ended).toMatchObject({ exitCode: 0 })
    expect(filesIn()).toEqual(files)
  })
})

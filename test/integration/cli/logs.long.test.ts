// Tests `sluice logs` beside a running serve, after it, and across its end: the lines of serve, each once, and no
// execution continues because of it.
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'
import { SERVICE, useCommands } from './commands.ts'

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
const { file, write } = useCommands()
/** The only separate process: a serve that is killed. */
let killed: Running | undefined
beforeAll(() => {
  const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }
  const treasury = { service: SERVICE, policies }
  write('treasury.json', treasury)
  write('buy.json', purchase)
})
afterAll(async () => {
  killed?.child.kill('SIGKILL')
  await killed?.ended
})

const stateDir = () => file('state')
const where = () => ['--state', stateDir(), '--config', file('treasury.json')]
const start = (...words: string[]) => startInProcess([...words, ...where()])
const run = (...words: string[]) => runInProcess([...words, ...where()])
const buy = (id: string) => ['run', 'convert', file('buy.json'), '--id', id]

async function logsOf(...words: string[]): Promise<Entry[]> {
  const { exitCode, stdout, stderr } = await run('logs', ...words, '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Files that show progress: all except those of the process that has the directory open. */
function filesIn(): Record<string, string> {
  const files = globSync('**/*', { cwd: stateDir() }).filter((file) => statSync(path.join(stateDir(), file)).isFile())
  return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(stateDir(), file), 'base64')]))
}

describe('the logs of one serve', () => {
  let serving: RunningInProcess
  beforeAll(async () => {
    serving = start('serve', '--jsonl')
    await serving.firstLine
    expect((await run(...buy('one'))).exitCode).toBe(0)
    expect((await run('run', 'rebalance', 'core', '--id', 'two')).exitCode).toBe(0)
  })
  test('logs shows what serve reported, in the same words, oldest first', async () => {
    const entries = await logsOf()
    const served: Entry[] = serving
      .output()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line))
    const words = ({ event, execution, stateMachine, text }: Entry) => [stateMachine, execution, event, text].join(' ')
    expect(entries.map(words).sort()).toEqual(served.map(words).sort())
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort())
    expect(entries.map(({ event }) => event)).toContain('PlanRebalance')
  })

  test('by an id it shows that run and its legs, or only that intent', async () => {
    const all = await logsOf()
    const conversion = all[0]?.execution ?? expect.fail('nothing was reported')
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

  test('events before --since are left out', async () => {
    const all = await logsOf()
    const middle = all[Math.floor(all.length / 2)]?.at ?? expect.fail('nothing was reported')
    expect(await logsOf('--since', middle)).toEqual(all.filter(({ at }) => at >= middle))
    expect(await logsOf('--since', '2999-01-01T00:00:00Z')).toEqual([])
  })

  test('where nothing runs it shows the same from the files, and changes no file', async () => {
    const before = await logsOf()
    await serving.interrupt()
    const files = filesIn()
    expect(await logsOf()).toEqual(before)
    expect(await logsOf('two')).toEqual(before.filter(({ execution }) => execution !== before[0]?.execution))
    expect(filesIn()).toEqual(files)
  })
})

describe('across the end of serve', () => {
  let since: string[]
  let followed: RunningInProcess
  const linesOf = ({ output }: RunningInProcess) => output().split('\n').slice(0, -1)

  test('--follow shows a serving process, and does not continue its unfinished executions', async () => {
    since = ['--since', new Date().toISOString()]
    killed = startSluice(['serve', ...where()])
    await killed.firstLine
    followed = start('logs', '-f', ...since)
    await followed.seen(/follows process \d+ \(serve\)/)
    expect((await run(...buy('three'))).exitCode).toBe(0)
    await followed.printed(/ended +FILLED/)
    expect((await run('halt', ...by)).exitCode).toBe(0)
    const waiting = start(...buy('held'))
    await waiting.seen(/waits its turn/)
    await waiting.interrupt()
    killed.child.kill('SIGKILL')
    await followed.seen(/the process that ran has ended; nothing runs in .* now; waits/)
    await killed.ended
    const files = filesIn()
    expect(await logsOf('held')).toEqual(
      expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('waits its turn') })]),
    )
    const following = start('logs', 'held', '-f')
    await following.seen(/nothing runs in .* now; waits for the next serve/)
    await following.printed(/waits its turn/)
    expect(await following.interrupt()).toMatchObject({ exitCode: 0 })
    expect(filesIn()).toEqual(files)
  })

  test('--follow continues with the next process, and shows each event once', async () => {
    expect((await run('resume', ...by)).exitCode).toBe(0)
    // A run is the next process that serves the directory.
    expect((await run(...buy('four'))).exitCode).toBe(0)
    await followed.printed(/ended +FILLED[\s\S]*ended +FILLED/)
    expect(await followed.interrupt()).toMatchObject({ exitCode: 0 })
    expect(new Set(linesOf(followed)).size).toBe(linesOf(followed).length)
    const { stdout } = await run('logs', ...since)
    expect(linesOf(followed)).toEqual(stdout.trimEnd().split('\n'))
  })
})

// A state directory that is removed or replaced under a command that has sent: what has moved is then not known, and
// the command says so. A person who read "failed, run it again" would send it again.
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Running, sluice, startSluice } from './command-line.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }

let dir: string
/** Of each test its own: a new directory on an account that has moved would wait. */
let service: SandboxProcess
let serving: Running | undefined
beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-removed-'))
  service = await startSandboxProcess()
  writeFileSync(path.join(dir, 'input.json'), JSON.stringify(request))
  writeFileSync(path.join(dir, 'keys.json'), service.keys)
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
})
afterEach(async () => {
  serving?.child.kill('SIGKILL')
  await serving?.ended
  serving = undefined
  await service.stop()
  rmSync(dir, { recursive: true, force: true })
})

test.each([
  ['an id of its own', 'own', ['--id', 'removed'], false],
  ['no id', 'none', [], false],
  ['an id, where another directory stands in its place', 'replaced', ['--id', 'replaced'], true],
])(
  'a run with %s whose directory is removed after its send needs a person: exit 3',
  async (_, name, id, isReplaced) => {
    await service.arrange('/v2/orders', { kind: 'delay', ms: 3_000, when: 'after' })
    const stateDir = path.join(dir, name)
    const place = ['--state', stateDir, '--config', path.join(dir, 'treasury.json')]
    const at = ['--service', service.baseUrl, '--keys', path.join(dir, 'keys.json')]
    const input = ['--input', path.join(dir, 'input.json')]
    const running = startSluice(['--json', 'run', 'convert', ...id, ...input, ...place, ...at])
    await service.untilMoved([])
    rmSync(stateDir, { recursive: true, maxRetries: 5 })
    if (isReplaced) mkdirSync(path.join(stateDir, 'lock'), { recursive: true })
    const { exitCode, stdout, stderr } = await running.ended
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({
      code: 'in_doubt',
      message: expect.stringContaining(`${stateDir} was removed or replaced while this command used it`),
    })
    expect(`${error.message} ${error.next}`).not.toMatch(/nothing was|same command again|go on with/)
  },
)

test.each(['moved away', 'replaced by a copy of it'])(
  'a serve whose directory is %s stops, so that no two keep the schedules of one account',
  async (way) => {
    const stateDir = path.join(dir, 'served')
    const place = ['--state', stateDir, '--config', path.join(dir, 'treasury.json')]
    serving = startSluice(['serve', ...place])
    await serving.firstLine
    const elsewhere = path.join(dir, 'elsewhere')
    renameSync(stateDir, elsewhere)
    if (way !== 'moved away') cpSync(elsewhere, stateDir, { recursive: true })
    const { exitCode, stderr } = await serving.ended
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 3 })
    expect(stderr).toContain(`${stateDir} was removed or replaced while this command used it`)
  },
)

test('a serve that can no longer be found says again where it is', async () => {
  const place = ['--state', path.join(dir, 'served'), '--config', path.join(dir, 'treasury.json')]
  serving = startSluice(['serve', ...place])
  await serving.firstLine
  rmSync(path.join(dir, 'served', 'desk.json'))
  expect(await sluice(['halt', '--by', 'ada', ...place])).toMatchObject({ exitCode: 0 })
  serving.child.kill('SIGINT')
  expect(await serving.ended).toMatchObject({ exitCode: 0 })
})

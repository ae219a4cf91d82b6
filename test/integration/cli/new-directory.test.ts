// A state directory that is new for its account looks at what has moved there before it sends: what another journal
// knew, and this one does not, must not move a second time.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sluice } from './command-line.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const conversion = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
/** What was sent before a directory was new shows within some seconds. */
const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 1, orderVisibilitySeconds: 1 }
const treasury = { service: { url: 'https://api.example.com', stage: 'test' }, timing }

let dir: string
let service: SandboxProcess
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-new-directory-'))
  service = await startSandboxProcess()
  writeFileSync(path.join(dir, 'keys.json'), service.keys)
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
})
afterAll(async () => {
  await service.stop()
  rmSync(dir, { recursive: true, force: true })
})

const place = (state: string) => ['--state', path.join(dir, state), '--config', path.join(dir, 'treasury.json')]
const address = () => ['--service', service.baseUrl, '--keys', path.join(dir, 'keys.json')]

function runArgs(verb: string, id: string, input: object, state: string): string[] {
  const file = path.join(dir, `${verb}-${id}.json`)
  writeFileSync(file, JSON.stringify(input))
  return ['run', verb, '--id', id, '--input', file, ...place(state), ...address()]
}

/** The order of an id that ran in `first`, whose journal was damaged then. */
let orderId: string

test('a damaged journal needs a person, and no hint leads to another directory', async () => {
  const first = await sluice(runArgs('convert', 'damaged', conversion, 'first'))
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 0 })
  orderId = JSON.parse(first.stdout).orderId
  damage(path.join(dir, 'first'))
  const refused = await sluice(runArgs('convert', 'damaged', conversion, 'first'))
  expect.soft({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 3, stdout: '' })
  expect.soft(refused.stderr).not.toMatch(/next:.*--state DIR/)
})

test('in a new directory the same id is refused, with the movement that may be its own', async () => {
  linkAssembly('first', 'second')
  const { exitCode, stdout, stderr } = await sluice(runArgs('convert', 'damaged', conversion, 'second'))
  expect(await service.orderIds()).toEqual([orderId])
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
  expect(stderr).toContain(orderId)
})

/** The assembly is there already, and writing it takes seconds. */
function linkAssembly(from: string, to: string): void {
  rmSync(path.join(dir, to), { recursive: true, force: true })
  mkdirSync(path.join(dir, to))
  symlinkSync(path.join(dir, from, 'assembly'), path.join(dir, to, 'assembly'))
}

/** Overwrites what LevelDB finds its files by, wherever the journal lies. */
function damage(stateDir: string): void {
  const found = readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /dynamodb\/(CURRENT|MANIFEST-\d+)$/.test(file),
  )
  expect(found).toHaveLength(2)
  for (const file of found) writeFileSync(path.join(stateDir, file), 'what a failing disk left')
}

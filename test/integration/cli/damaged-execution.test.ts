// The file of one execution is changed by something else, while its conversion is in doubt. The journal is whole:
// every other id goes on, the doubt is listed, and once the file is out of the way the same id settles it.
import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sluice, startSluice } from './command-line.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }

let dir: string
let service: SandboxProcess
let file: string
let orderId: string
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-damaged-'))
  service = await startSandboxProcess()
  writeFileSync(path.join(dir, 'input.json'), JSON.stringify(request))
  writeFileSync(path.join(dir, 'keys.json'), service.keys)
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  await service.arrange('/v2/orders', { kind: 'delay', ms: 5_000, when: 'after' })
  const running = startSluice(run('damaged'))
  orderId = await service.untilMoved([])
  running.child.kill('SIGKILL')
  await running.ended
  file = globSync(path.join(dir, 'state/service/aws/executions/*/unfinished/*.jsonl'))[0] ?? expect.fail('no file')
  writeFileSync(file, '{"changed":true}\n')
})
afterAll(async () => {
  await service.stop()
  rmSync(dir, { recursive: true, force: true })
})

const place = () => [
  ...['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')],
  ...['--service', service.baseUrl],
]
const keys = () => ['--keys', path.join(dir, 'keys.json')]
const run = (id: string) => [
  ...['run', 'convert', '--id', id, '--input', path.join(dir, 'input.json')],
  ...place(),
  ...keys(),
]

test('the doubt is listed, with the file that cannot be read', async () => {
  const { exitCode, stdout, stderr } = await sluice(['attention', ...place()])
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3 })
  expect(stdout).toContain('ARMED')
  expect(stdout).toContain(`ended UNREADABLE with ${file}:1 is not an event`)
})

test('the id itself is not started anew: exit 3, with the file to move aside', async () => {
  const { exitCode, stdout, stderr } = await sluice(run('damaged'))
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
  expect(stderr).toContain(`error: ${file}:1 is not an event`)
  expect(stderr).toContain('move the file out of the state directory')
  expect(await service.orderIds()).toEqual([orderId])
})

test('another id goes on, and the file is named', async () => {
  const { exitCode, stdout, stderr } = await sluice(run('other'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${file}:1`) })
  expect(await service.orderIds()).toEqual([orderId, JSON.parse(stdout).orderId])
})

test('with the file moved aside the same id is settled as the one order that it made', async () => {
  renameSync(file, path.join(dir, 'aside.jsonl'))
  const { exitCode, stdout, stderr } = await sluice(run('damaged'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'FILLED', orderId })
  expect(await service.orderIds()).toHaveLength(2)
})

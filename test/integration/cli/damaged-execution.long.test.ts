// Another program changes the file of one execution while its conversion is in doubt. The journal is intact: every other id
// continues, the doubt is listed, and without the file the same id settles it.
import { globSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }

let dir: string
let service: ArrangedService
let file: string
let orderId: string
beforeAll(async () => {
  service = await startArrangedService('damaged')
  dir = service.dir
  writeFileSync(path.join(dir, 'input.json'), JSON.stringify(request))
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  const ANSWERS_AFTER_MS = 600_000
  await service.control('/rules', {
    match: { method: 'POST', path: '/v2/orders', times: 1 },
    fault: { kind: 'delay', ms: ANSWERS_AFTER_MS, when: 'after' },
  })
  const running = startInProcess(run('damaged'))
  // `expect.poll` works only inside a test.
  orderId = await vi.waitFor(async () => (await orderIds())[0] ?? expect.fail('nothing moved'), { timeout: 120_000 })
  await running.interrupt()
  file = globSync(path.join(dir, 'state/service/aws/executions/*/unfinished/*.jsonl'))[0] ?? expect.fail('no file')
  writeFileSync(file, '{"changed":true}\n')
})
afterAll(() => service?.stop())

const place = () => ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
const run = (id: string) => [
  ...['run', 'convert', '--id', id, '--input', path.join(dir, 'input.json')],
  ...place(),
  ...service.flags(),
]

async function orderIds(): Promise<string[]> {
  const { movements } = (await service.control('/oracle')) as { movements: { kind: string; id: string }[] }
  return movements.filter(({ kind }) => kind === 'order').map(({ id }) => id)
}

test('the doubt is listed, with the unreadable file', async () => {
  const { exitCode, stdout, stderr } = await runInProcess([
    'cases',
    'list',
    ...place(),
    '--service',
    service.sandbox.baseUrl,
  ])
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3 })
  expect(stdout).toContain('ARMED')
  expect(stdout).toContain(`ended UNREADABLE (${file}:1 is not an event`)
})

test('the id itself is not started again: exit 3, with the file to move away', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(run('damaged'))
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
  expect(stderr).toContain(`error: ${file}:1 is not an event`)
  expect(stderr).toContain('move the file out of the state directory')
  expect(await orderIds()).toEqual([orderId])
})

test('another id continues, and the file is named', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(run('other'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${file}:1`) })
  expect(await orderIds()).toEqual([orderId, JSON.parse(stdout).orderId])
})

test('without the file the same id is settled as its one order', async () => {
  renameSync(file, path.join(dir, 'aside.jsonl'))
  const { exitCode, stdout, stderr } = await runInProcess(run('damaged'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'FILLED', orderId })
  expect(await orderIds()).toHaveLength(2)
})

// `run --fault`: a run against a sandbox meets a fault, and reports it; against any other service the flag is refused.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { startArrangedService } from './arranged-service.ts'
import { useCommands } from './commands.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

const { file, write } = useCommands()
const buy = (id: string, ...flags: string[]) => [
  'run',
  'convert',
  file('buy.json'),
  '--id',
  id,
  '--config',
  file('treasury.json'),
  ...flags,
]
beforeAll(() => {
  write('buy.json', purchase)
})

test('a lost answer is met, reported, and removed; the same id again meets no fault', async () => {
  const state = ['--state', file('built-in')]
  const first = await runInProcess(buy('lost', '--fault', 'lost-answer', ...state))
  expect(first).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('met: lost answer to POST /orders, once'),
  })
  const { faults, ...result } = JSON.parse(first.stdout)
  expect(result).toMatchObject({ outcome: 'FILLED' })
  expect(faults).toEqual([{ fault: 'lost-answer', what: 'lost answer', request: 'POST /v2/orders', met: 1 }])
  const again = await runInProcess(buy('lost', '--fault', 'lost-answer', ...state))
  expect(again.stderr).toContain('met: no fault; lost-answer had no effect')
  expect(JSON.parse(again.stdout)).toEqual({ ...result, faults: [{ ...faults[0], met: 0 }] })
  const { stdout } = await runInProcess(['service', 'orders', '--json', ...state, '--config', file('treasury.json')])
  const listed = JSON.parse(stdout)
  expect(listed.orders ?? listed).toHaveLength(1)
})

test('at a desk the fault is at its sandbox, and nothing of it remains', async () => {
  const state = ['--state', file('desk')]
  const serving = startInProcess(['serve', ...state, '--config', file('treasury.json')])
  try {
    const { controlUrl } = JSON.parse(await serving.firstLine)
    const ended = await runInProcess(
      buy('at-desk', '--fault', 'expired-quote', '--fault', 'slow-answer', '--json', ...state),
    )
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(ended.stdout).faults).toContainEqual(
      expect.objectContaining({ fault: 'expired-quote', request: 'POST /v2/quotes', met: 1 }),
    )
    expect(await (await fetch(`${controlUrl}/rules`)).json()).toEqual({ rules: [] })
  } finally {
    await serving.interrupt()
  }
})

test('a named sandbox is asked where its control API is given', async () => {
  const service = await startArrangedService('faults')
  try {
    const { controlUrl } = service.sandbox
    const at = [...service.flags(), '--state', file('named')]
    const ended = await runInProcess(buy('named', '--fault', 'lost-answer', '--control', controlUrl, ...at))
    expect(ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('met: lost answer to POST /orders, once'),
    })
  } finally {
    await service.stop()
  }
})

test('a fault for any other service is refused with exit 2, before anything is sent', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end()
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', () => resolve())
  await promise
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = ['--service', url, '--keys', file('no-keys.json'), '--state', file('refused')]
  const ended = await runInProcess(buy('refused', '--fault', 'lost-answer', ...at))
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ended.stderr).toContain(`--fault: expected a sandbox as the service; got the service ${url}`)
  expect(ended.stderr).toContain('nothing was sent')
  expect(requests).toBe(0)
  server.close()
  const unknown = await runInProcess(buy('unknown', '--fault', 'lost-anser', '--state', file('refused')))
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('did you mean lost-answer?') })
})

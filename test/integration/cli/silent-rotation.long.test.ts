// A key that may not read its account sends an order, the order is in doubt, and the key is replaced. A person then settles
// it on the command line.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

const REQUEST = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const MAY_NOT = { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' }

let service: ArrangedService
let place: string[]
let oldKey: string[]
let newKey: string[]
beforeAll(async () => {
  service = await startArrangedService('silent rotation')
  const config = path.join(service.dir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' } }))
  writeFileSync(path.join(service.dir, 'convert.json'), JSON.stringify(REQUEST))
  place = ['--state', path.join(service.dir, 'state'), '--config', config]
  oldKey = service.flags(service.sandbox.keys.trade)
  newKey = service.flags(service.sandbox.keys.full)
})
afterAll(() => service?.stop())

const run = (keys: string[]) =>
  runInProcess(['run', 'convert', '--id', 'r', '--input', path.join(service.dir, 'convert.json'), ...place, ...keys])
const withWord = (...words: string[]) =>
  runInProcess([...words, '--by', 'ada', '--because', 'rotated in the dashboard', ...place, ...newKey])

test('a person settles a doubt of a revoked key with the new key, and it is one movement', async () => {
  const always = { times: 'always' }
  await service.control('/rules', { match: { method: 'GET', path: '/v2/account', ...always }, fault: MAY_NOT })
  await service.control('/rules', { match: { method: 'GET', path: '/v2/orders/*', ...always }, fault: MAY_NOT })
  await service.control('/rules', { match: { method: 'POST', path: '/v2/orders' }, fault: { kind: 'dropAfterCommit' } })
  const lost = await run(oldKey)
  expect(lost).toMatchObject({ exitCode: 3, stdout: '' })
  await fetch(`${service.sandbox.controlUrl}/rules`, { method: 'DELETE' })
  const [intentId = ''] = /cv-\w+/.exec(lost.stderr) ?? []
  const { movements } = (await service.control('/oracle')) as { movements: { kind: string; id: string }[] }
  const orderId = String(movements.find(({ kind }) => kind === 'order')?.id)

  const refused = await run(newKey)
  expect(refused.exitCode).toBe(3)
  expect(refused.stderr).toContain('keys adopt --because TEXT')
  const unasked = await withWord('keys', 'adopt')
  expect(unasked).toMatchObject({ exitCode: 2, stdout: '' })
  expect(unasked.stderr).toContain('--yes: expected consent to take svc_test_')
  expect(await withWord('keys', 'adopt', '--yes')).toMatchObject({ exitCode: 0 })

  const stuck = await run(newKey)
  expect(stuck.exitCode).toBe(3)
  expect(stuck.stderr).toContain('sluice cases resolve INTENT --same-account')
  const silent = await withWord('cases', 'resolve', intentId, '--movement', orderId, '--yes')
  expect(silent).toMatchObject({ exitCode: 1, stdout: '' })
  expect(silent.stderr).toContain(`resolve ${intentId} --movement ${orderId} --same-account --because TEXT --state`)
  const none = await withWord('cases', 'resolve', intentId, '--none', '--same-account', '--yes')
  expect(none).toMatchObject({ exitCode: 1, stdout: '' })
  const asked = await withWord('cases', 'resolve', intentId, '--movement', orderId, '--same-account')
  expect(asked.stderr).toMatch(/because you say that the keys svc_test_\w+ and svc_test_\w+ are of one account/)
  const resolved = await withWord(
    'cases',
    'resolve',
    intentId,
    '--movement',
    orderId,
    '--same-account',
    '--yes',
    '--json',
  )
  expect(resolved).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(resolved.stdout)).toMatchObject({
    ...{ state: 'DONE', movementId: orderId },
    resolution: { by: 'ada (not verified)', sameAccount: expect.stringMatching(/^svc_test_/) },
  })

  const ended = await run(newKey)
  expect({ exitCode: ended.exitCode, stderr: ended.stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'FILLED', orderId })
  expect(((await service.control('/oracle')) as { movements: unknown[] }).movements).toHaveLength(movements.length)
})

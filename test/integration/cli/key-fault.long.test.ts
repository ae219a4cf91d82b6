// A key without the permission that a command needs: the command ends at once, and its run stays where it was. The same
// command with a permitted key ends it as its one movement.
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunVerb } from '../../../operations/movements/intent-id.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

const REQUESTS = {
  convert: { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' },
  withdraw: { assetSymbol: 'USDC', amount: '20', contactReference: 'subsidiary' },
  rebalance: { policy: 'core' },
}
const TWO_LEGS = { policy: { kind: 'rebalance', weights: { BTC: '0.2', ETH: '0.3', USDC: '0.5' } } }
/** The least values, because the zero of a refused send is certified in real time. */
const TIMING = { tokenLifeSeconds: 5, leewaySeconds: 6, visibilitySeconds: 15, orderVisibilitySeconds: 15 }
const REFUSED = { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' }

let service: ArrangedService
let stateDir: string
beforeAll(async () => {
  service = await startArrangedService('key fault')
  stateDir = path.join(service.dir, 'state')
  const policies = { core: { kind: 'rebalance', weights: { LTC: '0.5', USD: '0.5' } } }
  const treasury = { service: { url: 'https://api.example.com', stage: 'test' }, timing: TIMING, policies }
  writeFileSync(path.join(service.dir, 'treasury.json'), JSON.stringify(treasury))
})
afterAll(() => service?.stop())

function run(
  verb: RunVerb & keyof typeof REQUESTS,
  id: string | undefined,
  keys?: unknown,
  request: object = REQUESTS[verb],
) {
  const input = path.join(service.dir, `${verb}.json`)
  writeFileSync(input, JSON.stringify(request))
  const place = ['--state', stateDir, '--config', path.join(service.dir, 'treasury.json'), ...service.flags(keys)]
  return runInProcess(['run', verb, ...(id === undefined ? [] : ['--id', id]), '--input', input, ...place])
}

/** Every request to such a path is refused for its key, until this is undone. */
async function forbid(method: string, target: string): Promise<() => Promise<unknown>> {
  await service.control('/rules', { match: { method, path: target, times: 'always' }, fault: REFUSED })
  return () => fetch(`${service.sandbox.controlUrl}/rules`, { method: 'DELETE' })
}

async function movements(): Promise<{ kind: string; id: string }[]> {
  return ((await service.control('/oracle')) as { movements: { kind: string; id: string }[] }).movements
}

const unfinished = (): string[] =>
  (readdirSync(stateDir, { recursive: true }) as string[]).filter((file) => /unfinished\/./.test(file))

test.each([
  ['convert', 'readonly', 'POST /v2/quotes: the service answered 403 insufficient_scope', 1],
  // The withdrawal is sent, refused, and certified before the command says that nothing has moved.
  ['withdraw', 'trade', 'POST /v2/withdrawals: the service answered 403 insufficient_scope', 2],
] as const)(
  '%s with the key %s ends, exit 1, and with a key that may is one movement',
  async (verb, key, message, attempts) => {
    const before = await movements()
    for (const _ of attempts === 1 ? ['first', 'second'] : ['only']) {
      const { exitCode, stdout, stderr } = await run(verb, `no-${verb}`, service.sandbox.keys[key])
      expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 1, stdout: '' })
      expect(stderr).toMatch(/the key is at fault: .*; nothing has moved\n/)
      expect(stderr).toContain(message)
      expect(stderr).toMatch(
        /\nnext: {2}scopes are fixed when a key is created.*; nothing is lost: .* with a permitted key: .* --id no-/,
      )
      expect(unfinished()).toHaveLength(1)
    }
    expect(await movements()).toEqual(before)

    const { exitCode, stdout, stderr } = await run(verb, `no-${verb}`)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toContain('an earlier run was cut off: continuing where it stopped')
    expect(JSON.parse(stdout)).toMatchObject({ attempts })
    expect(await movements()).toHaveLength(before.length + 1)
    expect(unfinished()).toEqual([])
  },
)

test.each(['looked', undefined])(
  'a key that may not read its own order, id %s: exit 3, and the order is reported',
  async (id) => {
    const before = await movements()
    const allow = await forbid('GET', '/v2/orders/*')
    const { exitCode, stdout, stderr } = await run('convert', id)
    await allow()
    const [order, ...others] = (await movements()).filter(({ id }) => !before.some((known) => known.id === id))
    expect(others).toEqual([])
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
    expect(stderr).toContain(`has moved: convert ${order?.id}\n`)
    expect(stderr).not.toContain('nothing has moved')
    const [, again] = /\nnext: {2}do not start it under another id .* --id (\S+)/.exec(stderr) ?? []

    const ended = await run('convert', again)
    expect(ended).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'FILLED', orderId: order?.id, attempts: 1 })
    expect(await movements()).toHaveLength(before.length + 1)
  },
)

test('a run whose leg meets a key without permission ends too, and settles with a permitted key', async () => {
  const before = await movements()
  const allow = await forbid('POST', '/v2/quotes')
  const first = await run('rebalance', 'legs')
  await allow()
  expect(first).toMatchObject({ exitCode: 1, stdout: '' })
  expect(first.stderr).toMatch(/the key is at fault: POST \/v2\/quotes: .*; nothing has moved\n/)
  expect(await movements()).toEqual(before)

  const second = await run('rebalance', 'legs')
  expect({ exitCode: second.exitCode, stderr: second.stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(second.stdout)).toMatchObject({ outcome: 'SETTLED', legs: [{ conversion: { attempts: 1 } }] })
  expect(await movements()).toHaveLength(before.length + 1)
})

test('once two factors are set up, a run of two refused legs continues by one repeat of its command', async () => {
  const before = await movements()
  await service.control('/account', { twoFactor: false })
  const first = await run('rebalance', 'wide', undefined, TWO_LEGS)
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 3 })
  expect(first.stderr.match(/not certain: POST \/v2\/orders: .* two_factor_required/g)).toHaveLength(2)
  expect(await movements()).toEqual(before)

  await service.control('/account', { twoFactor: true })
  const second = await run('rebalance', 'wide', undefined, TWO_LEGS)
  expect({ exitCode: second.exitCode, stderr: second.stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(second.stdout)).toMatchObject({ outcome: 'SETTLED' })
  expect(first.stderr).toMatch(/\nnext: .*two-factor.*the same command continues, and sends again within 15 s, with a/)
})

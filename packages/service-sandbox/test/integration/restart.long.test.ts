// Tests the sandbox as a process: its ready line, its flags, and a world that survives a kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../service/sandbox.ts'
import { Caller, expectProblem } from './caller.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function launch(args: string[]): { child: ChildProcess; ready: Promise<Sandbox>; ended: Promise<Ended> } {
  const child = spawn(process.execPath, ['packages/service-sandbox/main.ts', ...args])
  running.push(child)
  let [out, err] = ['', '']
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  const ready = new Promise<Sandbox>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk
      if (out.startsWith('{') && out.includes('\n')) resolve(JSON.parse(out) as Sandbox)
    })
    child.on('close', () => reject(new Error(err)))
  })
  ready.catch(() => {})
  return { child, ready, ended }
}

describe('the process', () => {
  test('prints one JSON line with addresses, keys and contacts, and exits 0 on SIGTERM', async () => {
    const { child, ready, ended } = launch(['--port', '0'])
    const sandbox = await ready
    expect(Object.keys(sandbox)).toEqual(['baseUrl', 'controlUrl', 'keys', 'contacts'])
    expect(Object.keys(sandbox.keys)).toEqual(['full', 'rsa', 'readonly', 'trade', 'transfer'])
    expect(Object.keys(sandbox.keys.rsa).sort()).toEqual(['alg', 'prefix', 'privateKeyPem', 'secret'])
    expect(sandbox.contacts[0]).toEqual({
      id: expect.any(String),
      reference: 'cold-usdc-polygon',
      type: 'EXTERNAL_CRYPTO',
      assetSymbol: 'USDC',
      networkId: 'POLYGON',
    })
    expect((await new Caller(sandbox).get('/v2/account')).status).toBe(200)
    child.kill('SIGTERM')
    const { code, out } = await ended
    expect([code, out.trim().split('\n').length]).toEqual([0, 1])
  })

  test('ends with the shell that npm started it in', async () => {
    const shell = spawn('sh', ['-c', '"$0" packages/service-sandbox/main.ts; true', process.execPath], {
      env: { ...process.env, npm_lifecycle_event: 'sandbox' },
    })
    const line = await new Promise<string>((resolve) => shell.stdout.once('data', (chunk) => resolve(String(chunk))))
    const { baseUrl } = JSON.parse(line) as Sandbox
    const ended = new Promise((resolve) => shell.stdout.once('close', resolve))
    shell.kill('SIGKILL')
    await ended
    await expect(fetch(`${baseUrl}/v2/health`)).rejects.toThrow()
  })

  test.each([
    [['--bogus'], '--bogus'],
    [['--port', 'x'], '--port'],
    [['--port', '65536'], '--port'],
    [['--profile', 'wild'], 'prompt, slow, rough'],
    [['--webhook-url', 'nowhere'], '--webhook-url'],
    [['--state', '/nonexistent/folder/state'], 'cannot start'],
    [['--state', 'package.json'], 'not a state file'],
    [['--state', 'packages'], 'not a file'],
  ])('%j exits 2 and shows the reason', async (args, reason) => {
    const { code, out, err } = await launch(args as string[]).ended
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(reason as string)
  })

  test('--help begins with a start line', async () => {
    const { code, out } = await launch(['--help']).ended
    expect(code).toBe(0)
    expect(out).toMatch(/^npm run sandbox -- --port/)
  })

  test('a taken port is reported, and a free one used', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as { port: number }
    const { child, ready, ended } = launch(['--port', String(port)])
    expect((await ready).baseUrl).not.toContain(`:${port}`)
    child.kill('SIGINT')
    const { code, err } = await ended
    expect([code, err]).toEqual([0, `Port ${port} is taken: taking a free one instead.\n`])
    blocker.close()
  })
})

describe('a world in a state file', () => {
  test('survives kill -9 at any moment between two answers', async () => {
    const state = join(folder, 'killed')
    const first = launch(['--state', state])
    const caller = new Caller(await first.ready)
    const { body: open } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
    await caller.rule('POST', '/v2/orders', { kind: 'settleLater', afterMs: 3_600_000, outcome: 'fill' })
    const { body: later } = await caller.convert('ETH-USDC', 'BUY', 'USDC', '100')
    const { body: order } = await caller.convert('BTC-USDC', 'SELL', 'BTC', '0.1')
    const to = { assetSymbol: 'USDC', amount: '50', contactReference: 'cold-usdc-polygon' }
    const { body: withdrawal } = await caller.signed('/v2/withdrawals', to, { claims: { nonce: 'before' } })
    // Completed, so that it does not move by itself while the second process starts.
    await caller.control('POST', `/withdrawals/${withdrawal.id}`, { status: 'COMPLETED' })
    await caller.control('POST', '/keys/trade', { do: 'rotate' })
    await caller.patch(`/v2/contacts/${caller.sandbox.contacts[0]?.id}`, { alias: 'Renamed' })
    const before = await view(caller, [later.id, order.id], withdrawal.id)
    first.child.kill('SIGKILL')
    await first.ended

    const second = launch(['--state', state])
    const again = new Caller(await second.ready)
    expect(await view(again, [later.id, order.id], withdrawal.id)).toEqual(before)
    expect(again.sandbox.keys.full).toEqual(caller.sandbox.keys.full)
    expect(again.sandbox.keys.trade.secret).not.toBe(caller.sandbox.keys.trade.secret)
    expectProblem(await again.signed('/v2/withdrawals', to, { claims: { nonce: 'before' } }), 401, 'nonce_reused')
    expectProblem(await again.signed('/v2/orders', { orderId: order.id }), 422, 'quotation_expired')
    expect([201, 422]).toContain((await again.signed('/v2/orders', { orderId: open.orderId })).status)
    await again.advance(3_600_000)
    expect((await again.get(`/v2/orders/${later.id}`)).body.status).toBe('FILLED')
    expect((await again.control('GET', '/oracle')).invariants).toEqual({ ok: true, violations: [] })
  })

  test('ignores a partial last line, whose request was never answered', async () => {
    const stateFile = join(folder, 'torn')
    const first = await Caller.start({ stateFile })
    const { body } = await first.convert('BTC-USDC', 'SELL', 'BTC', '0.1')
    await first.sandbox.stop()
    appendFileSync(stateFile, '{"kind":"order.pla')
    const second = await Caller.start({ stateFile })
    expect((await second.get(`/v2/orders/${body.id}`)).status).toBe(200)
    await second.convert('BTC-USDC', 'SELL', 'BTC', '0.1')
    await second.sandbox.stop()
    expect(readFileSync(stateFile, 'utf8')).not.toContain('order.pla"')
    const third = await Caller.start({ stateFile })
    expect((await third.get('/v2/orders')).body.pagination.totalItems).toBe(2)
    await third.sandbox.stop()
  })

  test('keeps its own seed, and completed steps do not happen again', async () => {
    const stateFile = join(folder, 'steps')
    let nowMs = 1_800_000_000_000
    const clock = { nowMs: () => nowMs }
    const first = await Caller.start({ stateFile, clock, seed: 'mine' })
    await first.rule('POST', '/v2/orders', { kind: 'settleLater', afterMs: 1_000, outcome: 'partial' })
    const { body } = await first.convert('BTC-USDC', 'BUY', 'USDC', '100')
    nowMs += 1_000
    const { body: partial } = await first.get(`/v2/orders/${body.id}`)
    await first.sandbox.stop()
    const second = await Caller.start({ stateFile, clock, seed: 'theirs' })
    expect(second.sandbox.keys).toEqual(first.sandbox.keys)
    expect((await second.get(`/v2/orders/${body.id}`)).body).toEqual(partial)
    nowMs += 1_000
    expect((await second.get(`/v2/orders/${body.id}`)).body.status).toBe('FAILED')
    expect((await second.control('GET', '/oracle')).invariants.ok).toBe(true)
    await second.sandbox.stop()
  })

  test('two sandboxes with the same seed have different ids, so two worlds cannot be confused', async () => {
    const worlds = await Promise.all(
      [1, 2].map((ms) => Caller.start({ clock: { nowMs: () => 1_800_000_000_000 + ms } })),
    )
    const ids = await Promise.all(
      worlds.map(async (world) => (await world.quote('BTC-USDC', 'BUY', 'USDC', '9')).body.orderId),
    )
    expect(new Set(ids).size).toBe(2)
    await Promise.all(worlds.map((world) => world.sandbox.stop()))
  })

  test('starting on a taken port fails, and leaves nothing open', async () => {
    const first = await startSandbox()
    const port = Number(new URL(first.baseUrl).port)
    await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await first.stop()
    await (await startSandbox({ port })).stop()
  })
})

async function view(caller: Caller, orders: string[], withdrawalId: string): Promise<unknown> {
  const { movements, ledger } = await caller.control('GET', '/oracle')
  const read = async (path: string) => (await caller.get(path)).body
  return {
    movements,
    ledger,
    orders: await Promise.all(orders.map((id) => read(`/v2/orders/${id}`))),
    fills: await read('/v2/fills'),
    withdrawal: await read(`/v2/withdrawals/${withdrawalId}`),
    contacts: await read('/v2/contacts'),
  }
}

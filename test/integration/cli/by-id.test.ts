// Everything that was asked for, by any id of it: listed, shown as facts, told in sentences. The movements are real ones
// at a service of their own, beside a run that waits for its fence.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Running, sluice, startSluice } from './command-line.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
/** Inside the service: such a withdrawal is complete when it is accepted. */
const payout = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
const timing = {
  ...{ tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, orderVisibilitySeconds: 15 },
  ...{ pollInsideSeconds: 0, pollWaits: 0, attempts: 1 },
}
const policies = { core: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, mode: 'shadow' } }
const treasury = { service: { url: 'https://api.example.com', stage: 'test' }, timing, policies }

let dir: string
let service: SandboxProcess
let serving: Running | undefined
/** A conversion whose send never reached the service. */
let waiting: Running | undefined
let lost: { readonly intentId: string; readonly orderId: string }
let paid: { readonly intentId: string; readonly withdrawalId: string }

const file = (name: string) => path.join(dir, name)
const place = () => ['--state', file('state'), '--config', file('treasury.json'), '--service', service.baseUrl]
const run = (verb: string, input: string, id: string) => [
  ...['run', verb, file(input), '--id', id, '--keys', file('keys.json')],
  ...place(),
]
const look = (...words: string[]) => sluice([...words, ...place()])
const json = async (...words: string[]) => JSON.parse((await look(...words, '--json')).stdout)

async function resultOf(args: readonly string[]) {
  const { exitCode, stdout, stderr } = await sluice(args)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  return JSON.parse(stdout)
}

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-by-id-'))
  service = await startSandboxProcess()
  writeFileSync(file('keys.json'), service.keys)
  writeFileSync(file('treasury.json'), JSON.stringify(treasury))
  writeFileSync(file('buy.json'), JSON.stringify(purchase))
  writeFileSync(file('send.json'), JSON.stringify(payout))
  serving = startSluice(['serve', '--keys', file('keys.json'), ...place()])
  await serving.firstLine
  await service.arrange('/v2/orders', { kind: 'dropAfterCommit' })
  lost = await resultOf(run('convert', 'buy.json', 'lost'))
  paid = await resultOf(run('withdraw', 'send.json', 'paid'))
  await service.arrange('/v2/orders', { kind: 'dropBeforeCommit' })
  waiting = startSluice(run('convert', 'buy.json', 'never-there'))
  await waiting.seen(/not certain/)
})
afterAll(async () => {
  for (const running of [waiting, serving]) {
    running?.child.kill('SIGKILL')
    await running?.ended
  }
  await service.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe('at a desk, where a conversion waits for its fence', () => {
  test('that one is in doubt, and its sentences say until when and why', async () => {
    const { exitCode, stdout, stderr } = await look('show', 'never-there')
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stdout).toMatch(/^ARMED {2}sent, and not settled yet\n/)
    expect(stdout).toMatch(/\n {2}until +\S+: before, absence proves nothing/)
    const told = await look('explain', 'never-there')
    expect(told.exitCode).toBe(0)
    expect(told.stdout).toContain('No answer came (no_answer)')
    expect(told.stdout).toMatch(/Whether money moved is not certain\. Until [\d:]+ a missing order proves nothing/)
    expect(told.stdout).toContain('Its execution is not at its end, and goes on by itself.')
  })

  test('a conversion whose answer was lost is found by every id of it', async () => {
    const { intentId, orderId } = lost
    const shown = await json('show', 'lost')
    const nonce = shown.facts.find(({ fact }: { fact: string }) => fact === 'sent').nonce
    const [{ executionArn }] = shown.executions
    expect(shown).toMatchObject({
      ...{ kind: 'convert', intentId, foundAs: 'the --id of run convert', state: 'DONE', outcome: 'FILLED' },
      ...{ asked: purchase, attempts: 1, movementId: orderId, claimedBy: intentId },
    })
    for (const id of [intentId, orderId, executionArn, nonce]) {
      expect({ id, ...(await json('show', id)) }).toMatchObject({ intentId, movementId: orderId })
    }
  })

  test('its sentences tell of the answer that was lost, and of the order that was found', async () => {
    const { exitCode, stdout } = await look('explain', lost.orderId)
    expect(exitCode).toBe(0)
    const order = [
      'A conversion was asked for: buy 0.5 ETH with USDC.',
      `as order ${lost.orderId}`,
      'Sluice wrote down that it was about to send the order',
      'It then sent it, once.',
      'No answer came',
      `Sluice looked at the service and found it: order ${lost.orderId}. It is tied to this intent, and to no other.`,
      'The order is filled: 0.5 for ',
    ]
    const places = order.map((text) => stdout.indexOf(text))
    expect({ stdout, places }).toEqual({ stdout, places: places.filter((at) => at >= 0).sort((a, b) => a - b) })
  })

  test('a withdrawal is shown with what arrived, and by its own id', async () => {
    const { intentId, withdrawalId } = paid
    const { exitCode, stdout, stderr } = await look('show', withdrawalId)
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`intent       ${intentId} (withdraw)`)
    expect(stdout).toMatch(/\n {2}proven +the service accepted it\n/)
    expect(stdout).toMatch(/\n {2}total +100\n/)
    expect(stderr).toContain(`npx sluice withdrawals ${withdrawalId}`)
    const told = await look('explain', 'paid')
    expect(told.stdout).toContain('The withdrawal is complete: ')
    expect(told.stdout).toContain('to "')
  })

  test('all are listed, newest first, and a list that is cut off says how it goes on', async () => {
    const { asked, hasMore } = await json('list')
    expect(hasMore).toBe(false)
    expect(asked).toMatchObject([
      { kind: 'convert', asked: 'buy 0.5 ETH with USDC' },
      { kind: 'withdraw', id: paid.intentId, state: 'DONE', movementId: paid.withdrawalId },
      { kind: 'convert', id: lost.intentId, state: 'DONE' },
    ])
    const first = await look('list', '--limit', '1', '--kind', 'conversion')
    expect(first.stdout).toContain(asked[0].id)
    expect(first.stderr).toMatch(/the newest 1; there are more, asked for before \S+\n/)
    const [, before = ''] = /list --kind conversion --limit 1 --before (\S+) /.exec(first.stderr) ?? []
    expect(await json('list', '--kind', 'conversion', '--before', before)).toMatchObject({
      asked: [{ id: lost.intentId }],
      hasMore: false,
    })
    expect((await json('list', '--outcome', 'done')).asked).toHaveLength(2)
    expect(await json('list', '--since', '2999-01-01')).toEqual({ asked: [], hasMore: false, unreadable: [] })
    expect((await look('list', '--csv', '--columns', 'kind,asked')).stdout).toContain(
      'kind,asked\r\nconvert,buy 0.5 ETH with USDC\r\nwithdraw,"send 100 USDC, fee included, to subsidiary"\r\n',
    )
  })

  test('an id that nothing goes by is looked for, and it is said where', async () => {
    const { exitCode, stdout, stderr } = await look('show', 'no-such-thing')
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(
      `the journal in ${file('state')} has no intent, run, execution, order or withdrawal that goes by no-such-thing; all 3 records were looked through`,
    )
    expect(stderr).toMatch(/next: {2}npx sluice list --state /)
    expect(await look('explain', 'no-such-thing')).toMatchObject({ exitCode: 1, stdout: '' })
    // It is there, and of another kind.
    expect(await look('show', 'paid', '--kind', 'convert')).toMatchObject({ exitCode: 1, stdout: '' })
    expect(await look('show', 'paid', '--kind', 'nonsense')).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

test('a certified zero is shown with its evidence once its fence has passed', async () => {
  expect((await waiting?.ended)?.exitCode).toBe(1)
  serving?.child.kill('SIGINT')
  await serving?.ended
  const shown = await look('show', 'never-there')
  expect(shown.exitCode).toBe(1)
  expect(shown.stdout).toMatch(
    /^EXHAUSTED {2}its attempts or its time are over, and it is certain that nothing moved\n/,
  )
  const { facts } = await json('show', 'never-there')
  expect(facts.at(-1)).toMatchObject({ fact: 'zero', outcome: 'EXPIRED_OUT', evidence: 'looked' })
  // By the order that never was, and without a desk.
  const { exitCode, stdout } = await look(
    'explain',
    facts.find(({ fact }: { fact: string }) => fact === 'quoted').orderId,
  )
  expect(exitCode).toBe(1)
  expect(stdout).toContain('After that, Sluice asked the service for the order by its id, and there was none.')
  expect(stdout).toContain('so nothing moved. It ended EXPIRED_OUT.')
})

test('a run of a policy is found by the id that was given, and told in sentences', async () => {
  const ran = await sluice(['run', 'rebalance', 'core', '--id', 'monthly', '--keys', file('keys.json'), ...place()])
  expect(ran.exitCode).toBe(0)
  const { runId } = JSON.parse(ran.stdout)
  const shown = await look('show', 'monthly', '--json')
  expect(shown).toMatchObject({ exitCode: 0, stdout: (await look('show', runId, '--json')).stdout })
  expect(JSON.parse(shown.stdout)).toMatchObject({ runId, outcome: 'SHADOWED' })
  const told = await look('explain', 'monthly')
  expect(told.exitCode).toBe(0)
  expect(told.stdout).toContain(`Run ${runId} of policy core (rebalance) was started`)
  expect(told.stdout).toContain('It ended SHADOWED')
  expect(await json('list', '--limit', '1')).toMatchObject({ asked: [{ kind: 'run', id: runId }], hasMore: true })
})

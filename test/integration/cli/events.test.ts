// Events from the command line, beside a real `serve`: a triggered movement moves once, a refused event is told, and dead
// letters are listed, shown, put again and dropped.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { GetQueueAttributesCommand, GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Running, sluice, startSluice } from './command-line.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ACCOUNT = '123456789012'
const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }

let dir: string
let serving: Running
let controlUrl: string
const file = (name: string) => path.join(dir, name)
const where = () => ['--state', file('state'), '--config', file('treasury.json')]
const run = (...words: string[]) => sluice([...words, ...where()])

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-events-'))
  writeFileSync(
    file('treasury.json'),
    JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' }, policies }),
  )
  writeFileSync(file('buy.json'), JSON.stringify(purchase))
  writeFileSync(file('more.json'), JSON.stringify({ ...purchase, amount: '0.7' }))
  serving = startSluice(['serve', '--jsonl', ...where()])
  controlUrl = JSON.parse(await serving.firstLine).controlUrl
})
afterAll(async () => {
  serving.child.kill('SIGKILL')
  await serving.ended
  rmSync(dir, { recursive: true, force: true })
})

/** For the SDK's clients: as another program of the same person would reach the desk. */
function endpoint() {
  const { endpointUrl, region, credentials } = JSON.parse(readFileSync(file('state/desk.json'), 'utf8'))
  return { endpoint: endpointUrl, region, credentials }
}

async function movements(): Promise<number> {
  const { movements: all } = (await (await fetch(`${controlUrl}/oracle`)).json()) as { movements: object[] }
  return all.length
}

/** Resolves once the serving process has told what fits. */
async function untilTold(fits: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<string, string>>>()
  let text = ''
  serving.child.stdout?.on('data', (chunk: string) => {
    text += chunk
    for (const line of text.split('\n').slice(0, -1)) {
      const told: Readonly<Record<string, string>> = JSON.parse(line)
      if (Object.entries(fits).every(([name, value]) => told[name] === value)) resolve(told)
    }
  })
  return promise
}

describe('trigger', () => {
  test('a conversion that is triggered twice at once and once more with one id moves once', async () => {
    const before = await movements()
    const words = ['trigger', 'conversion', file('buy.json'), '--id', 'twice', '--json']
    const both = await Promise.all([run(...words), run(...words)])
    expect(both.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      Array(2).fill({ exitCode: 0, stderr: '' }),
    )
    const [first, second] = both.map(({ stdout }) => JSON.parse(stdout))
    expect(first).toMatchObject({ id: 'twice', source: 'sluice-trigger', detailType: 'Conversion Requested' })
    expect(second.execution).toBe(first.execution)
    const again = await run(...words)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'ALREADY_STARTED', execution: first.execution })
    // The run of the policy after it ends later, and its end shows that the conversion has ended too.
    const ended = untilTold({ event: 'ended', text: 'FILLED', execution: first.execution })
    await expect.poll(async () => (await movements()) - before, { timeout: 60_000 }).toBe(1)
    await Promise.race([ended, run('attention')])
    expect((await movements()) - before).toBe(1)
  })

  test('without an id one is made and told before anything is put; a policy goes by its name', async () => {
    const { exitCode, stdout, stderr } = await run('trigger', 'rebalance', 'core')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^STARTED {2}sluice-rebalance /),
    })
    const lines = stderr.split('\n')
    expect(lines[0]).toMatch(/run policy core, id trigger-[0-9a-f]{16}, execution rebalance-/)
    expect(lines[1]).toContain('on the bus')
  })

  test('--no-wait ends once the bus has the event', async () => {
    const ended = await run('trigger', 'conversion', file('buy.json'), '--id', 'no-wait', '--no-wait', '--json')
    expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'PUT', id: 'no-wait', eventId: expect.any(String) })
  })

  test('what the function would refuse is refused with id, source and type, and never put', async () => {
    const before = await movements()
    await run('trigger', 'conversion', file('buy.json'), '--id', 'taken')
    const told = 'Conversion Requested, id taken, source sluice-trigger: refused: '
    const other = await run('trigger', 'conversion', file('more.json'), '--id', 'taken')
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`${told}this id was used for another`) })
    const wrong = await run('trigger', 'sweep', 'core', '--id', 'wrong-kind')
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('Sweep Requested, id wrong-kind, source sluice-trigger: refused: detail.policy: ')
    const odd = await run('trigger', 'conversion', file('buy.json'), '--id', 'not an id', '--json')
    expect(JSON.parse(odd.stderr).error.message).toContain('detail.id: expected at most 76 letters')
    await expect.poll(async () => (await movements()) - before, { timeout: 60_000 }).toBeGreaterThanOrEqual(1)
  })

  test('a refused event of somebody else is told by serve at once, with id, source and type', async () => {
    const told = untilTold({ event: 'refused', id: 'from-payroll' })
    const client = new EventBridgeClient(endpoint())
    const Detail = JSON.stringify({ version: 1, id: 'from-payroll', policy: 'nobody' })
    const entry = { EventBusName: 'sluice', Source: 'payroll', DetailType: 'Rebalance Requested', Detail }
    await client.send(new PutEventsCommand({ Entries: [entry] }))
    client.destroy()
    expect(await told).toMatchObject({
      ...{ source: 'payroll', detailType: 'Rebalance Requested', queue: 'sluice-dead-letters' },
      reason: 'Refused: detail.policy: treasury.json as it is deployed has no policy nobody',
    })
  })

  test('where nobody serves it is said, with the command that does', async () => {
    const ended = await sluice([
      'trigger',
      'rebalance',
      'core',
      '--state',
      file('none'),
      '--config',
      file('treasury.json'),
    ])
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(/error: no serve runs for .*none.*nothing was put\nnext: {2}npx sluice serve --state/)
  })
})

describe('dead letters', () => {
  const event = (id: string, changes: object = {}) => ({
    ...{ version: '0', id: `bus-${id}`, source: 'payroll', account: ACCOUNT, region: 'us-east-1', resources: [] },
    ...{ time: '2026-01-31T09:00:00Z', 'detail-type': 'Conversion Requested' },
    ...{ detail: { version: 1, id, request: purchase }, ...changes },
  })

  /** As a function's failure destination keeps it. */
  async function keep(given: { readonly id?: string }): Promise<string> {
    const client = new SQSClient({ ...endpoint(), useQueueUrlAsEndpoint: false })
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: 'sluice-dead-letters' }))
    const responsePayload = { errorType: 'Transient', errorMessage: 'no answer' }
    const MessageBody = JSON.stringify({ requestPayload: given, responsePayload })
    const { MessageId = '' } = await client.send(new SendMessageCommand({ QueueUrl, MessageBody }))
    client.destroy()
    return MessageId
  }
  async function kept(): Promise<number> {
    const client = new SQSClient({ ...endpoint(), useQueueUrlAsEndpoint: false })
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: 'sluice-dead-letters' }))
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
    const request = { QueueUrl, AttributeNames: [...names] }
    const { Attributes = {} } = await client.send(new GetQueueAttributesCommand(request))
    client.destroy()
    return names.reduce((sum, name) => sum + Number(Attributes[name]), 0)
  }
  const listed = async (...flags: string[]) =>
    JSON.parse((await run('dead-letters', 'list', '--json', ...flags)).stdout)

  test('they are listed with id, source, type, reason and age, and what is cut off is said', async () => {
    const first = await keep(event('listed-1'))
    await keep(event('listed-2'))
    const all = await listed()
    const own = all.letters.filter(({ id }: { id: string }) => id.startsWith('listed-'))
    expect(own).toEqual([
      {
        ...{ letter: first, id: 'listed-1', source: 'payroll', detailType: 'Conversion Requested' },
        ...{ reason: 'Transient: no answer', sentAt: expect.any(String), ageSeconds: expect.any(Number) },
      },
      expect.objectContaining({ id: 'listed-2' }),
    ])
    // Nothing stays hidden by a look.
    expect(await listed('--limit', '1')).toMatchObject({ letters: [expect.anything()], hasMore: true, hidden: 0 })
    const shown = await run('dead-letters', 'list', '--limit', '1')
    expect(shown.stderr).toContain('there are more')
  })

  test('one is shown by either id, with its known fields, and no value that anybody may have put there', async () => {
    const letter = await keep(event('shown', { detail: { version: 1, id: 'shown', request: purchase, token: 'hush' } }))
    for (const id of [letter, 'shown']) {
      const { stdout } = await run('dead-letters', 'show', id, '--json')
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ letter, reason: 'Transient: no answer', detail: { request: purchase }, withheld: ['token'] },
        ...{ canResend: false, whyNot: expect.stringContaining('detail: unknown token') },
      })
      expect(stdout).not.toContain('hush')
    }
  })

  test('one is put again, moves once however often it is kept, and is deleted', async () => {
    const before = await movements()
    await keep(event('again'))
    const [letter] = (await listed()).letters.filter(({ id }: { id: string }) => id === 'again')
    const ended = await run('dead-letters', 'resend', 'again', '--json')
    expect(JSON.parse(ended.stdout)).toMatchObject({
      letter: letter.letter,
      id: 'again',
      stateMachine: 'sluice-convert',
    })
    await expect.poll(async () => (await movements()) - before, { timeout: 60_000 }).toBe(1)
    // As a crash between the put and the deletion leaves it.
    await keep(event('again'))
    expect((await run('dead-letters', 'resend', 'again')).exitCode).toBe(0)
    const gone = await run('dead-letters', 'resend', 'again')
    expect(gone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('there is no dead letter') })
    await run('trigger', 'conversion', file('buy.json'), '--id', 'after-it')
    await expect.poll(async () => (await movements()) - before, { timeout: 60_000 }).toBe(2)
  })

  test('one that cannot be put from here is kept, with the reason', async () => {
    await keep(event('of-others', { account: '222222222222' }))
    const others = await run('dead-letters', 'resend', 'of-others')
    expect(others.exitCode).toBe(1)
    expect(others.stderr).toContain('account 222222222222 has put it')
    expect(others.stderr).toContain('nothing was put, and the letter is kept')
    expect((await listed()).letters).toContainEqual(expect.objectContaining({ id: 'of-others' }))
  })

  test('one is dropped with a reason and consent only', async () => {
    await keep(event('dropped'))
    const before = await kept()
    const said = ['--because', 'asked for twice', '--by', 'ada']
    expect(await run('dead-letters', 'drop', 'dropped', '--yes')).toMatchObject({ exitCode: 2 })
    const unasked = await run('dead-letters', 'drop', 'dropped', ...said, '--no-input')
    expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes: expected consent') })
    expect(await kept()).toBe(before)
    const { exitCode, stdout } = await run('dead-letters', 'drop', 'dropped', ...said, '--yes', '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ id: 'dropped', detail: { request: purchase } },
      dropped: { by: 'ada', because: 'asked for twice', at: expect.any(String) },
    })
    expect(await kept()).toBe(before - 1)
  })
})

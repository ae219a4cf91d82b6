// Events from the command line, beside a real `serve`: a triggered movement moves once, a refused event is reported, and dead
// letters are listed, shown, put again and dropped.
import { readFileSync, writeFileSync } from 'node:fs'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetQueueAttributesCommand, GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { useCommands } from './commands.ts'

const ACCOUNT = '123456789012'
const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
const policies = {
  core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } },
  salaries: { kind: 'payouts', assets: ['EUR'], approval: { above: '0' }, files: { bucket: 'company-payouts' } },
}

const { file, place: where, run } = useCommands({ policies })
let serving: RunningInProcess
let controlUrl: string

beforeAll(async () => {
  serving = startInProcess(['serve', '--jsonl', ...where()])
  controlUrl = JSON.parse(await serving.firstLine).controlUrl
})
afterAll(() => serving.interrupt())

/** Settings of the SDK's clients: another program of the same person reaches the desk so. */
function endpoint() {
  const { endpointUrl, region, credentials } = JSON.parse(readFileSync(file('state/desk.json'), 'utf8'))
  return { endpoint: endpointUrl, region, credentials }
}

/** Movements with this amount: each test has an amount of its own. */
async function movedOf(amount: string): Promise<number> {
  const { movements } = (await (await fetch(`${controlUrl}/oracle`)).json()) as { movements: object[] }
  return movements.filter((movement) => Object.values(movement).includes(amount)).length
}

type Told = Readonly<Record<string, string>>

/** The first matching line of serve, among earlier and later lines. */
async function untilReported(fits: Told): Promise<Told> {
  const find = () => lines().find((line) => Object.entries(fits).every(([name, value]) => line[name] === value))
  await expect.poll(find).toBeDefined()
  return find() ?? expect.fail('the line is gone')
}

function lines(): readonly Told[] {
  return serving
    .output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** A file with a purchase of this amount. */
function buying(amount: string): string {
  const name = file(`buy-${amount}.json`)
  writeFileSync(name, JSON.stringify({ ...purchase, amount }))
  return name
}

describe('trigger', () => {
  test('a conversion that is triggered twice at once and once more with one id moves once', async () => {
    const words = ['events', 'trigger', 'conversion', buying('0.511'), '--id', 'twice', '--json']
    const both = await Promise.all([run(...words), run(...words)])
    expect(both.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      Array(2).fill({ exitCode: 0, stderr: '' }),
    )
    const [first, second] = both.map(({ stdout }) => JSON.parse(stdout))
    expect(first).toMatchObject({ id: 'twice', source: 'sluice-trigger', detailType: 'Conversion Requested' })
    expect(second.execution).toBe(first.execution)
    expect(await untilReported({ event: 'ended', execution: first.execution })).toMatchObject({ text: 'FILLED' })
    const again = await run(...words)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'ALREADY_STARTED', execution: first.execution })
    expect(lines().filter(({ event, execution }) => event === 'started' && execution === first.execution)).toHaveLength(
      1,
    )
    expect(await movedOf('0.511')).toBe(1)
  })

  test('without an id a new one is reported before anything is put; a policy is given by its name', async () => {
    const { exitCode, stdout, stderr } = await run('events', 'trigger', 'rebalance', 'core')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^STARTED {2}sluice-rebalance /),
    })
    const [service, ...lines] = stderr.split('\n')
    expect(service).toBe('service:  the built-in sandbox, play money')
    expect(lines[0]).toMatch(/run policy core, id trigger-[0-9a-f]{16}, execution rebalance-/)
    expect(lines[1]).toContain('on the bus')
  })

  test('--no-wait ends once the bus has the event', async () => {
    const ended = await run(
      'events',
      'trigger',
      'conversion',
      buying('0.512'),
      '--id',
      'no-wait',
      '--no-wait',
      '--json',
    )
    expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'PUT', id: 'no-wait', eventId: expect.any(String) })
  })

  test('an event that the function would refuse is refused with id, source and type, and never put', async () => {
    const { stdout } = await run('events', 'trigger', 'conversion', buying('0.513'), '--id', 'taken', '--json')
    const prefix = 'Conversion Requested, id taken, source sluice-trigger: refused: '
    const other = await run('events', 'trigger', 'conversion', buying('0.7'), '--id', 'taken')
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${prefix}this id was used for another`),
    })
    const wrong = await run('events', 'trigger', 'sweep', 'core', '--id', 'wrong-kind')
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('Sweep Requested, id wrong-kind, source sluice-trigger: refused: detail.policy: ')
    const odd = await run('events', 'trigger', 'conversion', buying('0.7'), '--id', 'not an id', '--json')
    expect(JSON.parse(odd.stderr).error.message).toContain('detail.id: expected at most 76 letters')
    await untilReported({ event: 'ended', execution: JSON.parse(stdout).execution })
    expect([await movedOf('0.513'), await movedOf('0.7')]).toEqual([1, 0])
    expect(lines().filter(({ event, source }) => event === 'refused' && source === 'sluice-trigger')).toEqual([])
  })

  test('of two requests under one id at once, one begins, and the other is refused', async () => {
    const words = (amount: string) => ['events', 'trigger', 'conversion', buying(amount), '--id', 'raced']
    const both = await Promise.all([run(...words('0.514')), run(...words('0.515'))])
    expect(both.map(({ exitCode }) => exitCode === 0)).toContainEqual(true)
    const refused = both.find(({ exitCode }) => exitCode !== 0)
    expect(refused?.stderr).toContain('Conversion Requested, id raced, source sluice-trigger: refused: ')
    // A command that saw the other before its put (exit 2) has nothing to report.
    if (refused?.exitCode === 1) {
      expect(await untilReported({ event: 'refused', id: 'raced' })).toMatchObject({ source: 'sluice-trigger' })
    }
    await untilReported({
      event: 'started',
      text: both[0]?.exitCode === 0 ? 'buy 0.514 ETH with USDC' : 'buy 0.515 ETH with USDC',
    })
    await expect.poll(async () => (await movedOf('0.514')) + (await movedOf('0.515'))).toBe(1)
  })

  test('serve reports a refused event of another source at once, with id, source and type', async () => {
    const reported = untilReported({ event: 'refused', id: 'from-payroll' })
    const client = new EventBridgeClient(endpoint())
    const Detail = JSON.stringify({ version: 1, id: 'from-payroll', policy: 'nobody' })
    const entry = { EventBusName: 'sluice', Source: 'payroll', DetailType: 'Rebalance Requested', Detail }
    await client.send(new PutEventsCommand({ Entries: [entry] }))
    client.destroy()
    expect(await reported).toMatchObject({
      ...{ source: 'payroll', detailType: 'Rebalance Requested', queue: 'sluice-dead-letters' },
      reason: 'Refused: detail.policy: treasury.json as it is deployed has no policy nobody',
    })
  })

  test('a payout file with a fault is reported by its dead letter, and not while it waits for its function', async () => {
    const client = new S3Client(endpoint())
    const Body = 'id,contactId,asset,amount\njune-1,c,EUR,-7\n'
    await client.send(new PutObjectCommand({ Bucket: 'company-payouts', Key: 'june.csv', Body }))
    client.destroy()
    const fits = { event: 'refused', id: 's3://company-payouts/june.csv' }
    expect((await untilReported(fits)).reason).toContain('BAD_FILE: line 2: amount')
    expect(lines().filter(({ id }) => id === fits.id)).toEqual([
      expect.objectContaining({ queue: 'sluice-dead-letters' }),
    ])
  })

  test('where nothing serves that is reported, with the command to serve', async () => {
    const ended = await runInProcess([
      'events',
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
    ...{ detail: { version: 1, id, request: { ...purchase, amount: '0.516' } }, ...changes },
  })

  /** A letter in the form of a function's failure destination. */
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
    JSON.parse((await run('events', 'dead-letters', 'list', '--json', ...flags)).stdout)

  test('they are listed with id, source, type, reason and age, and a cut-off is reported', async () => {
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
    // No letter stays hidden after a read.
    expect(await listed('--limit', '1')).toMatchObject({ letters: [expect.anything()], hasMore: true, hidden: 0 })
    const shown = await run('events', 'dead-letters', 'list', '--limit', '1')
    expect(shown.stderr).toContain('there are more')
  })

  test('a letter is shown by either id, with its known fields, and without other values', async () => {
    const letter = await keep(event('shown', { detail: { version: 1, id: 'shown', request: purchase, token: 'hush' } }))
    for (const id of [letter, 'shown']) {
      const { stdout } = await run('events', 'dead-letters', 'show', id, '--json')
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ letter, reason: 'Transient: no answer', detail: { request: purchase }, withheld: ['token'] },
        ...{ canResend: false, whyNot: expect.stringContaining('detail: unknown token') },
      })
      expect(stdout).not.toContain('hush')
    }
  })

  test('a letter is put again, moves once however often it is kept, and is deleted', async () => {
    await keep(event('again'))
    const ended = await run('events', 'dead-letters', 'resend', 'again', '--json')
    const { execution, ...rest } = JSON.parse(ended.stdout)
    expect(rest).toMatchObject({ id: 'again', stateMachine: 'sluice-convert', eventId: expect.any(String) })
    expect(await untilReported({ event: 'ended', execution })).toMatchObject({ text: 'FILLED' })
    // The state after a crash between the put and the deletion.
    await keep(event('again'))
    expect((await run('events', 'dead-letters', 'resend', 'again')).exitCode).toBe(0)
    const gone = await run('events', 'dead-letters', 'resend', 'again')
    expect(gone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('neither a dead letter nor its event') })
    // Later events are delivered later.
    const later = await run('events', 'trigger', 'conversion', buying('0.517'), '--id', 'after-it', '--json')
    await untilReported({ event: 'ended', execution: JSON.parse(later.stdout).execution })
    expect(await movedOf('0.516')).toBe(1)
  })

  test('a letter that cannot be put from here is kept, with the reason', async () => {
    await keep(event('of-others', { account: '222222222222' }))
    const others = await run('events', 'dead-letters', 'resend', 'of-others')
    expect(others.exitCode).toBe(1)
    expect(others.stderr).toContain('account 222222222222 has put it')
    expect(others.stderr).toContain('nothing was put, and the letter is kept')
    expect((await listed()).letters).toContainEqual(expect.objectContaining({ id: 'of-others' }))
  })

  test('a letter is dropped only with a reason and consent', async () => {
    await keep(event('dropped'))
    const before = await kept()
    const decision = ['--because', 'asked for twice', '--by', 'ada']
    expect(await run('events', 'dead-letters', 'drop', 'dropped', '--yes')).toMatchObject({ exitCode: 2 })
    const unasked = await run('events', 'dead-letters', 'drop', 'dropped', ...decision, '--no-input')
    expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes: expected consent') })
    expect(await kept()).toBe(before)
    const { exitCode, stdout } = await run('events', 'dead-letters', 'drop', 'dropped', ...decision, '--yes', '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ id: 'dropped', detail: { request: { ...purchase, amount: '0.516' } } },
      dropped: { by: 'ada (not verified)', because: 'asked for twice', at: expect.any(String) },
    })
    expect(await kept()).toBe(before - 1)
  })
})

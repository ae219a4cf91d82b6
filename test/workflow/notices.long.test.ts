// Tests notices on one machine: the synthesized assembly in the embedded AWS, against the sandbox, with receivers on
// real sockets. AWS's waits pass in virtual time; the wait for a receiver does not.
import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ResultEvent } from '../../core/contract/events.ts'
import { NoticeAbout } from '../../core/contract/notices.ts'
import { type PlainNotice, plainNotice } from '../../core/contract/sent-notices.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { signatureHeaders } from '../../core/notices/webhook-target.ts'
import { clientConfigOf } from '../../place/aws/aws-address.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { recordVerified } from '../../place/journal/journal-client.ts'
import { assemble } from '../helpers/assemble.ts'
import { declared } from '../helpers/declared-journal.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { type LocalServer, type Respond, startLocalServer } from '../helpers/local-server.ts'
import { virtualClock } from '../helpers/running-machines.ts'

const KEY_SECRET = 'sluice/service-key'
const KEY = Buffer.alloc(32, 9)
const ALL = Object.values(NoticeAbout)
const to = (secret: string, shape = 'plain') => ({ webhook: { secret, shape } })
const TREASURY = {
  service: { url: 'https://service.example', stage: 'test', keySecret: KEY_SECRET },
  timing: { pollInsideSeconds: 0 },
  guards: { approval: { assets: { USDC: '1000' } } },
  policies: {
    looks: { kind: 'fund', mode: 'shadow', asset: 'USDC', atLeast: '1', from: [{ asset: 'BTC' }] },
    silent: { kind: 'fund', mode: 'shadow', asset: 'EUR', atLeast: '1', from: [{ asset: 'BTC' }] },
  },
  notices: [
    { name: 'own', to: to('hook/own'), about: ALL },
    { name: 'chat', to: to('hook/chat', 'slack'), about: ALL },
    { name: 'mail', to: { sns: ['mailto:treasury@example.com'] }, about: ALL },
    { name: 'fails', to: to('hook/fails'), about: ['run-ended'] },
    { name: 'redirects', to: to('hook/redirects'), about: ['run-ended'] },
    { name: 'talks', to: to('hook/talks'), about: ['run-ended'] },
    { name: 'silent', to: to('hook/silent'), about: ['run-ended'], policies: ['silent'] },
    { name: 'drips', to: to('hook/drips'), about: ['run-ended'], policies: ['silent'] },
    { name: 'unset', to: to('hook/unset'), about: ['run-ended'] },
  ],
}

const folder = folderOfFile()
const receivers: Record<string, LocalServer> = {}
const logged: string[] = []
let aws: EmbeddedAws
let sandbox: Sandbox

const yes: Respond = (_request, response) => void response.writeHead(204).end()
let drips = 0
const ANSWERS: Readonly<Record<string, Respond>> = {
  own: yes,
  chat: yes,
  elsewhere: yes,
  fails: (_request, response) => void response.writeHead(500).end('s3cret'),
  redirects: (_request, response) => void response.writeHead(302, { location: receivers.elsewhere?.baseUrl }).end(),
  silent: () => undefined,
  // Sends a header line each second, for ever.
  drips: (_request, response) => {
    const drip = setInterval(
      () => response.socket?.write(drips++ === 0 ? 'HTTP/1.1 200 OK\r\n' : 'x-more: 1\r\n'),
      1_000,
    )
    response.on('close', () => clearInterval(drip))
  },
  talks: (_request, response) => void response.writeHead(200).end(Buffer.alloc(10_000_000, 'x')),
}

beforeAll(async () => {
  assemble(TREASURY, join(folder, 'cdk.out'), true)
  sandbox = await startSandbox({})
  for (const [name, respond] of Object.entries(ANSWERS)) receivers[name] = await startLocalServer(respond)
  const hooks = Object.entries(receivers).map(([name, { baseUrl }]) => [`hook/${name}`, `${baseUrl}/s3cret-${name}`])
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  aws = await startEmbeddedAws({
    assemblyDir: join(folder, 'cdk.out'),
    stateDir: join(folder, 'state'),
    parameters: { ServiceUrl: sandbox.baseUrl },
    secrets: {
      [KEY_SECRET]: JSON.stringify({ secret, privateKeyPem, alg }),
      ...Object.fromEntries(hooks),
      'hook/own': JSON.stringify({
        url: `${receivers.own?.baseUrl}/s3cret-own`,
        signWith: `whsec_${KEY.toString('base64')}`,
      }),
    },
    clock: virtualClock(),
    executionEvents: true,
    onFunctionLog: (_name, line) => logged.push(line),
  })
  await declared(Promise.resolve(aws))
  await recordVerified(aws, Date.now())
})

afterAll(async () => {
  await aws?.stop()
  await sandbox?.stop()
  for (const { stop } of Object.values(receivers)) await stop()
})

const noticesTo = (name: string): PlainNotice[] =>
  (receivers[name]?.arrived ?? []).map(({ body }) => plainNotice.parse(JSON.parse(body.toString())))
const hasNotice = (name: string, about: string) =>
  expect.poll(() => noticesTo(name).map((each) => each.about)).toContain(about)

/** Puts the event as Announce does. */
async function runEnded(outcome: string, execution: string, policy = 'looks') {
  const result = { outcome, runId: execution, policy, kind: 'fund', legs: [], why: 'sold 123.45 BTC' }
  const detail = { version: 1, execution, endedAt: '2026-01-31T09:00:00.000Z', result }
  const entry = {
    EventBusName: 'sluice',
    Source: 'sluice',
    DetailType: ResultEvent.Run,
    Detail: JSON.stringify(detail),
  }
  await aws.putEvents([entry])
}

test('only Announce, ThrowSwitch and Resume speak in our name, not even the administrator of the account', async () => {
  const client = new EventBridgeClient({ ...clientConfigOf(aws), maxAttempts: 1 })
  const put = (Source: string) =>
    client.send(
      new PutEventsCommand({
        Entries: [{ EventBusName: 'sluice', Source, DetailType: ResultEvent.Run, Detail: '{"version":1}' }],
      }),
    )
  await expect(put('sluice')).rejects.toThrow(/events:PutEvents .*explicit deny in a resource-based policy/)
  await expect(put('payroll')).resolves.toMatchObject({ FailedEntryCount: 0 })
  client.destroy()
})

test('a real receiver gets each of the four notices: a run, a plan that waits, a need for people, and a halt', async () => {
  const { executionArn } = await aws.startExecution({
    stateMachine: StateMachine.Rebalance,
    name: 'looks-1',
    input: JSON.stringify({ policy: 'looks' }),
  })
  expect(JSON.parse((await aws.untilFinished(executionArn)).output ?? '{}')).toMatchObject({ outcome: 'SHADOWED' })
  await runEnded('AWAITING_APPROVAL', 'waits-1')
  await runEnded('NEEDS_ATTENTION', 'needs-1')
  await peopleDoor(aws).throwSwitch({ action: 'halt', scope: 'looks', because: 'an audit of 777' })
  for (const about of ALL) await hasNotice('own', about)
  const [, , , ...others] = noticesTo('own')
  expect(others).toHaveLength(1)
  expect(noticesTo('own').find(({ about }) => about === 'run-ended')).toMatchObject({
    ...{ stage: 'test', outcome: 'SHADOWED', subject: { kind: 'run', id: 'looks-1', policy: 'looks' } },
    commands: ['npx sluice runs show looks-1'],
  })
  expect(noticesTo('own').find(({ about }) => about === 'halted')?.says).toBe(
    'Sending is halted for policy looks, by a person.',
  )
  // Neither amounts nor people's words leave. The digits alone may be in the hexadecimal id of a notice.
  const all = receivers.own?.arrived.map(({ body }) => body.toString()).join() ?? ''
  expect(all).not.toMatch(/123\.45|of 777|audit/)
})

test('a receiver can recognise our notice by the signature, and a duplicate by its id', () => {
  for (const { body, headers } of receivers.own?.arrived ?? []) {
    const { id } = JSON.parse(body.toString())
    const nowMs = Number(headers['webhook-timestamp']) * 1000
    expect(headers).toMatchObject(signatureHeaders({ id, nowMs, body: body.toString() }, KEY))
  }
})

test('the same end announced again has the same id, and a resumption is announced too', async () => {
  const idsOf = () => noticesTo('own').flatMap(({ id, subject }) => (subject.id === 'needs-1' ? [id] : []))
  const [first] = idsOf()
  await runEnded('NEEDS_ATTENTION', 'needs-1')
  await expect.poll(idsOf).toEqual([first, first])
  const { resume, throwSwitch } = peopleDoor(aws)
  const { at, by } = await throwSwitch({ action: 'halt', scope: '*', because: 'a' })
  const halts = [{ scope: '*', by, at, because: 'a' }]
  await resume({ action: 'resume', scope: '*', because: 'b', halts })
  await expect.poll(() => noticesTo('own').map(({ outcome }) => outcome)).toContain('RESUMED')
})

test('Slack gets text, and SNS a mail that a person can read', async () => {
  const texts = () => (receivers.chat?.arrived ?? []).map(({ body }) => JSON.parse(body.toString()).text as string)
  await expect.poll(() => texts().join('\n')).toContain('Run waits-1 of policy looks waits for approval.')
  expect(texts().find((text) => text.includes('waits-1'))).toContain('npx sluice approve waits-1')
  await expect
    .poll(() => aws.publishedTo('sluice-notice-mail').map(({ subject }) => subject))
    .toContain('Sluice (test): AWAITING_APPROVAL looks')
})

test('a receiver that fails, redirects or was never set up is tried for an hour, and is then a dead letter', async () => {
  const letters = () =>
    aws.queueMessages('sluice-dead-letters').flatMap(({ body }) => {
      const { notice, event } = JSON.parse(body)
      return event.detail.execution === 'looks-1' ? [notice] : []
    })
  await expect.poll(() => letters().sort()).toEqual(['fails', 'redirects', 'unset'])
  const tries = noticesTo('fails').filter(({ subject }) => subject.id === 'looks-1')
  expect(tries).toHaveLength(10)
  expect(new Set(tries.map(({ id }) => id)).size).toBe(1)
  expect(receivers.elsewhere?.arrived).toEqual([])
  // The receiver that never stops sending said yes first.
  expect(noticesTo('talks').filter(({ subject }) => subject.id === 'looks-1')).toHaveLength(1)
})

test('no log line has an address, or an answer of a receiver', () => {
  const lines = logged.filter((line) => line.includes('"verb":"notify"'))
  expect(lines.join('\n')).toMatch(/the receiver answered 500/)
  expect(logged.join('\n')).not.toMatch(/s3cret|whsec_/)
})

test('money moves once beside failing receivers, and its executions know nothing of them', async () => {
  const before = await movements()
  const input = JSON.stringify({
    baseAsset: 'BTC',
    quoteAsset: 'USDC',
    side: 'BUY',
    amountAsset: 'USDC',
    amount: '250',
  })
  const { throwSwitch } = peopleDoor(aws)
  const { executionArn } = await aws.startExecution({ stateMachine: StateMachine.Convert, name: 'beside-1', input })
  await throwSwitch({ action: 'halt', scope: 'looks', because: 'again' })
  const { output, status } = await aws.untilFinished(executionArn)
  expect({ status, ...JSON.parse(output ?? '{}') }).toMatchObject({ status: 'SUCCEEDED', outcome: 'FILLED' })
  expect((await movements()) - before).toBe(1)
})

test('a withdrawal that waits for people is announced once, at its first check', async () => {
  const name = 'payout-1'
  const input = JSON.stringify({ assetSymbol: 'USDC', amount: '1500', contactReference: 'cold-usdc-polygon' })
  const { executionArn } = await aws.startExecution({ stateMachine: StateMachine.Withdraw, name, input })
  const entered = (state: string) =>
    aws.history(executionArn).filter(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name === state)
  const ownNotices = () => noticesTo('own').filter(({ subject }) => subject.id === name)
  await expect.poll(ownNotices).toHaveLength(1)
  expect(ownNotices()[0]).toMatchObject({
    ...{ about: 'waits-for-approval', outcome: 'AWAITING_APPROVAL', subject: { kind: 'withdrawal', id: name } },
    says: 'Withdrawal payout-1 waits for approval.',
    commands: ['npx sluice movements show payout-1', 'npx sluice approve payout-1 --because TEXT'],
  })
  expect(JSON.stringify(ownNotices())).not.toMatch(/1500|cold/)
  await expect.poll(() => entered('WaitForTurn').length).toBeGreaterThan(2)
  const { awaited: termsHash } = JSON.parse(entered('Announce')[0]?.stateEnteredEventDetails?.input ?? '{}')
  const word = { kind: 'withdraw', intent: name, termsHash, because: 'no such invoice' } as const
  await peopleDoor(aws).decide({ decision: 'rejected', ...word })
  const { status, output } = await aws.untilFinished(executionArn)
  expect([status, JSON.parse(output ?? '{}').outcome]).toEqual(['SUCCEEDED', 'REJECTED'])
  expect(entered('Announce')).toHaveLength(1)
  expect(ownNotices()).toHaveLength(1)
})

test('a test notice is sent at once, and a failure has a reason', async () => {
  const asked = (notice: string) =>
    aws.invokeFunction('sluice-notify', JSON.stringify({ source: 'notice-test', notice, id: `t-${notice}` }))
  expect(JSON.parse(await asked('own'))).toEqual({ outcome: 'DELIVERED', notice: 'own' })
  expect(noticesTo('own').at(-1)).toMatchObject({ about: 'test', outcome: 'TEST' })
  expect(JSON.parse(await asked('gone'))).toEqual({ outcome: 'NOT_CONFIGURED', notice: 'gone' })
  await expect(asked('fails')).rejects.toMatchObject({ name: 'Transient', message: expect.stringContaining('500') })
  await expect(asked('unset')).rejects.toMatchObject({
    name: 'Refused',
    message: expect.stringContaining('sluice events notices set'),
  })
})

test('while a receiver hangs others get their notices, and it is released and tried again', async () => {
  await runEnded('SETTLED', 'hangs-1', 'silent')
  await expect.poll(() => noticesTo('silent')).toHaveLength(1)
  await runEnded('SETTLED', 'beside-2')
  const ids = () => noticesTo('own').map(({ subject }) => subject.id)
  await expect.poll(ids).toEqual(expect.arrayContaining(['hangs-1', 'beside-2']))
  await expect.poll(() => noticesTo('silent').length).toBeGreaterThan(1)
  await expect.poll(() => noticesTo('drips').length).toBeGreaterThan(1)
  expect(logged.join('\n')).toContain('the receiver did not answer in time')
})

test('Notify has used each permission that it has, and asked for no other', () => {
  const { unused, denied } = aws.permissions()
  const texts = [...unused, ...denied].map((each) => JSON.stringify(each)).filter((each) => each.includes('Notify'))
  // Without the secret its permission cannot be used.
  expect(texts.filter((each) => !/logs:|xray:|hook\/unset/.test(each))).toEqual([])
})

async function movements(): Promise<number> {
  const oracle = (await (await fetch(`${sandbox.controlUrl}/oracle`)).json()) as { movements: unknown[] }
  return oracle.movements.length
}

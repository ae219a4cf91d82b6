// People settle doubts on AWS: the functions examine the evidence with the key that reads, ask, and record who signed.
// A person needs no key of the service and no permission to write the journal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import { parseKeyMaterial } from '../../core/keys/key-material.ts'
import { settledAmount } from '../../core/money/amount.ts'
import { createPolicyRecords } from '../../core/runs/record/policy-record.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { settingsOfAws } from '../helpers/aws-settings.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { openTestConsole } from '../integration/console/opened-console.ts'
import { runInProcess } from '../unit/cli/run-in-process.ts'
import { useMachines } from './machines.ts'

const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
/** Others write to the account, so a row that was found by its figures alone needs a person. */
const TREASURY = {
  service: { url: 'https://api.example.com', stage: 'test', shared: true },
  timing: { pollInsideSeconds: 0, pollWaits: 0 },
  policies: { core: { kind: 'rebalance', mode: 'shadow', weights: { BTC: '0.5', USDC: '0.5' } } },
}
const ANA = 'arn:aws:iam::123456789012:user/ana'
const BOB = 'arn:aws:iam::123456789012:user/bob'

const folder = folderOfFile()
const machine = useMachines({ treasury: TREASURY })
/** The calls of a person's command to AWS itself, without those of functions. */
let asked: string[] = []
beforeAll(async () => {
  writeFileSync(join(folder, 'treasury.json'), JSON.stringify(TREASURY))
})
afterAll(() => void vi.unstubAllEnvs())
beforeEach(() => {
  asked = []
  machine.hook = ({ functionName, operation }) => {
    if (functionName === undefined) asked.push(operation)
    return undefined
  }
})

const addressOf = (name: string) => ({ ...machine.aws, credentials: machine.aws.addUser(name) })

/** Runs a command as this person, with credentials of their own. */
function say(name: string, ...args: string[]) {
  const { accessKeyId, secretAccessKey } = machine.aws.addUser(name)
  settingsOfAws(machine.aws.endpointUrl, { region: machine.aws.region, credentials: { accessKeyId, secretAccessKey } })
  const where = ['--aws', '--config', join(folder, 'treasury.json'), '--because', 'seen in the dashboard']
  return runInProcess([...args, ...where])
}

async function withJournal<Result>(
  work: (journal: ReturnType<typeof createJournal>, store: ReturnType<typeof createDynamoStore>) => Promise<Result>,
): Promise<Result> {
  const { client, tableName } = journalTable(machine.aws)
  const store = createDynamoStore(client, tableName)
  try {
    return await work(
      createJournal(store, () => crypto.randomUUID()),
      store,
    )
  } finally {
    client.destroy()
  }
}

async function withdrawalIds(): Promise<string[]> {
  const { movements } = await machine.control<{ movements: { kind: string; id: string }[] }>('/oracle')
  return movements.filter(({ kind }) => kind === 'withdrawal').map(({ id }) => id)
}

/**
 * Leaves a withdrawal whose answer was lost, so that a person must say which row is its own. Returns the id of that
 * row.
 */
async function leaveInDoubt(name: string, amount: string): Promise<string> {
  const known = await withdrawalIds()
  await machine.control('/rules', {
    ...{ match: { method: 'POST', path: '/v2/withdrawals', times: 1 }, fault: { kind: 'dropAfterCommit' } },
  })
  expect((await machine.withdraw(name, { ...SEND, amount })).status).toBe('FAILED')
  return (await withdrawalIds()).find((id) => !known.includes(id)) ?? ''
}

/** A withdrawal by hand, an hour ago. */
async function payByHand(): Promise<string> {
  const { epochMs } = await machine.control<{ epochMs: number }>('/clock')
  await machine.control('/clock', { offsetMs: -3_600_000 })
  const key = parseKeyMaterial(JSON.stringify(machine.sandbox.keys.full), { stage: 'test', role: 'trade' })
  const contactId = machine.sandbox.contacts.find(({ reference }) => reference === 'exchange-usdc-eth')?.id ?? ''
  try {
    return await withConnection({ baseUrl: machine.sandbox.baseUrl, key, clock: systemClock }, async (client) => {
      await client.clock.measure()
      const amount = settledAmount('USDC', '25', 'amount')
      const answer = await (await client.prepareWithdrawal({ amount, feeMode: 'deduct', contactId }, 30)).send()
      return answer.kind === 'accepted' ? answer.withdrawal.id : ''
    })
  } finally {
    await machine.control('/clock', { offsetMs: Math.max(0, epochMs - Date.now()) })
  }
}

test("a doubt is settled under the signer's identity, without a name, a key or a write of theirs", async () => {
  const movementId = await leaveInDoubt('in-doubt', '100')
  asked = []
  const named = await say('ana', 'cases', 'resolve', 'in-doubt', '--movement', movementId, '--by', 'ana', '--yes')
  expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--by: expected none with --aws') })
  const silent = await say('ana', 'cases', 'resolve', 'in-doubt', '--movement', movementId)
  expect(silent).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      `settle intent in-doubt (withdrawal: in doubt) as done, with movement ${movementId}`,
    ),
  })
  const none = await say('ana', 'cases', 'resolve', 'in-doubt', '--none', '--yes')
  expect(none).toMatchObject({
    ...{ exitCode: 1, stdout: '' },
    stderr: expect.stringContaining(`may be it: ${movementId}; nothing was recorded`),
  })
  await withJournal(async (journal) =>
    expect((await journal.find('in-doubt', IntentKind.Withdraw))?.state).toBe('ESCALATED'),
  )
  const resolved = await say('ana', 'cases', 'resolve', 'in-doubt', '--movement', movementId, '--yes', '--json')
  expect(resolved).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(resolved.stdout)).toMatchObject({
    ...{ intentId: 'in-doubt', state: 'DONE', movementId },
    resolution: { by: ANA, because: 'seen in the dashboard', movementId },
  })
  expect(asked.filter((operation) => /PutItem|GetSecretValue|Sign/.test(operation))).toEqual([])
  await withJournal(async (journal) => {
    expect(await journal.find('in-doubt', IntentKind.Withdraw)).toMatchObject({
      state: 'DONE',
      resolution: { by: ANA },
    })
    expect(await journal.findClaim(IntentKind.Withdraw, movementId)).toBe('in-doubt')
  })
})

test("a movement that somebody made by hand is declared foreign under the signer's identity", async () => {
  const ofOurs = await leaveInDoubt('beside', '130')
  const movementId = await payByHand()
  asked = []
  const named = await say('bob', 'cases', 'foreign', movementId, '--by', 'bob', '--yes')
  expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--by: expected none with --aws') })
  const silent = await say('bob', 'cases', 'foreign', movementId)
  expect(silent).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`withdrawal ${movementId} of 25 USDC`) })
  await withJournal(async (journal) =>
    expect(await journal.findForeign(IntentKind.Withdraw, movementId)).toBeUndefined(),
  )
  const declared = await say('bob', 'cases', 'foreign', movementId, '--yes', '--json')
  expect(declared).toMatchObject({ exitCode: 0 })
  expect(await say('ana', 'cases', 'foreign', movementId, '--yes')).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(declared.stdout)).toMatchObject({ movementId, foreign: { by: BOB } })
  expect(asked.filter((operation) => /PutItem|GetSecretValue|Sign/.test(operation))).toEqual([])
  await withJournal(async (journal) =>
    expect(await journal.findForeign(IntentKind.Withdraw, movementId)).toMatchObject({ by: BOB }),
  )
  // The console of somebody with AWS credentials asks for no name, and shows who declared.
  const opened = await openTestConsole({ aws: true, config: join(folder, 'treasury.json') })
  const headers = { cookie: await opened.enter() }
  const found = await opened.ask(`/find?id=${movementId}`, { headers })
  expect(found).toMatchObject({ status: 200, body: expect.stringContaining(`${BOB} declared this movement`) })
  const { body } = await opened.ask('/attention', { headers })
  expect(body).toContain('id="resolve-beside-because"')
  expect(body).not.toContain('name="by"')
  const token = /name="token" value="([^"]*)"/.exec(body)?.[1] ?? ''
  const sent = { ...headers, origin: opened.origin, 'content-type': 'application/x-www-form-urlencoded' }
  const resolve = async (more: object) => {
    const form = new URLSearchParams({ token, movement: ofOurs, because: 'seen in the console', ...more }).toString()
    await opened.ask('/intents/beside/resolve', { method: 'POST', headers: sent, body: form })
  }
  const act = async (id: string) => (await opened.ask(`/acts/${id}`, { headers })).body
  await resolve({})
  await expect.poll(() => act('1'), { interval: 200 }).toContain('name="yes"')
  await resolve({ yes: /name="yes" value="([^"]*)"/.exec(await act('1'))?.[1] ?? '' })
  await expect.poll(() => act('2'), { interval: 200 }).toContain('>done</span>')
  await withJournal(async (journal) =>
    expect((await journal.find('beside', IntentKind.Withdraw))?.resolution).toMatchObject({
      ...{ by: expect.stringMatching(/^arn:aws:iam::\d{12}:user\/ana$/), because: 'seen in the console' },
    }),
  )
})

test('a movement of this moment cannot be declared foreign, because its own intent may not be listed yet', async () => {
  const movementId = await leaveInDoubt('just-now', '110')
  expect(await say('bob', 'cases', 'foreign', movementId, '--yes')).toMatchObject({
    ...{ exitCode: 1, stdout: '' },
    stderr: expect.stringContaining('its own intent may not be listed yet'),
  })
  // Otherwise it would keep the lane of its asset from others.
  expect(await say('ana', 'cases', 'resolve', 'just-now', '--movement', movementId, '--yes')).toMatchObject({
    exitCode: 0,
  })
})

test('a yes to one question is no yes to another', async () => {
  const movementId = await leaveInDoubt('changing', '120')
  const door = peopleDoor(addressOf('ana'))
  const request = { action: 'resolve', kind: 'withdraw', intent: 'changing', movement: movementId } as const
  const word = { ...request, sameAccount: false, because: 'seen' }
  const agreed = questionHash(
    'settle intent changing (withdrawal: sent, not proven yet) as done, with movement another?',
  )
  const asks = await door.resolve({ ...word, agreed })
  expect(asks).toMatchObject({ outcome: 'ASKS', question: expect.stringContaining(`with movement ${movementId}?`) })
  await withJournal(async (journal) =>
    expect((await journal.find('changing', IntentKind.Withdraw))?.state).toBe('ESCALATED'),
  )
  const question = 'question' in asks ? asks.question : ''
  expect(await door.resolve({ ...word, agreed: questionHash(question) })).toMatchObject({
    ...{ outcome: 'RESOLVED', state: 'DONE' },
    resolution: { by: ANA },
  })
})

test("stranded balances of runs are released under the signer's identity", async () => {
  const nothing = await say('bob', 'cases', 'release', 'core', '--yes')
  expect(nothing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('left nothing on their way') })
  await withJournal(async (_journal, store) => {
    const records = createPolicyRecords(store, () => crypto.randomUUID())
    await records.advance(await records.find('core'), { residues: { 'EURC bank': '900' } })
  })
  asked = []
  const named = await say('bob', 'cases', 'release', 'core', '--by', 'bob', '--yes')
  expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--by: expected none with --aws') })
  const released = await say('bob', 'cases', 'release', 'core', '--yes', '--json')
  expect(JSON.parse(released.stdout)).toMatchObject({
    policy: 'core',
    released: { by: BOB, because: 'seen in the dashboard', residues: { 'EURC bank': '900' } },
  })
  expect(asked).not.toContain('PutItem')
  await withJournal(async (_journal, store) => {
    const record = await createPolicyRecords(store, () => crypto.randomUUID()).find('core')
    expect(record).toMatchObject({ residues: {}, released: { by: BOB } })
  })
})

/** Why these roles keep permissions that were not needed here. */
const REASONS: readonly (readonly [permission: RegExp, why: string])[] = [
  [/ (logs|xray):/, 'The embedded AWS keeps no logs and no traces.'],
  [/ dynamodb:GetItem .* N#\w+#\*$/, 'Of a word that is there already: signed-words.test.ts.'],
  [/ dynamodb:GetItem .* Y#(resolved|released)#/, 'The record is read only after the answer of its write is lost.'],
  [/ dynamodb:\w+ .* ([CIO]|Y#resolved)#convert#/, 'Of orders: as of withdrawals.'],
]

test('the functions ask for nothing that is denied, and have no permission without use', () => {
  const { denied, unused } = machine.aws.permissions()
  expect(denied).toEqual([])
  const inWords = unused.map(({ action, conditions, resource, roleArn }) =>
    [roleArn.replace(/^.*-/, ''), action, resource, ...conditions.map((each) => each.replace(/^.* = /, ''))].join(' '),
  )
  const ours = inWords.filter((permission) => /^(Doubts|PeopleRelease)/.test(permission))
  expect(ours.filter((permission) => !REASONS.some(([fits]) => fits.test(permission))).sort()).toEqual([])
})

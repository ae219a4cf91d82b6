// Tests payout files from S3 on one machine: the synthesized assembly in the embedded AWS, against the sandbox. The bucket is the
// one that a desk declares. AWS's waits pass in virtual time.
import { join } from 'node:path'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEAD_LETTER_QUEUE, FILE_QUEUE, FILE_REFUSED, fileRefusedDetail } from '../../core/contract/events.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { runNameOfFile } from '../../core/triggers/names.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { journalTable, recordVerified } from '../../place/journal/journal-client.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { assemble } from '../helpers/assemble.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { type RunningMachines, startMachines } from '../helpers/running-machines.ts'

const BUCKET = 'company-payouts'
const TREASURY = {
  service: { url: 'https://service.example', stage: 'test', shared: false },
  timing: { pollInsideSeconds: 0 },
  policies: {
    salaries: {
      kind: 'payouts',
      assets: ['USDC'],
      approval: { above: '0', twoAbove: '0' },
      files: { bucket: BUCKET, prefix: 'salaries/' },
    },
  },
}

const folder = folderOfFile()
const announced: { readonly detailType: string; readonly detail: unknown }[] = []
const logged: string[] = []
let deliveries: 'twice' | undefined
let machine: RunningMachines
let s3: S3Client

beforeAll(async () => {
  assemble(TREASURY, join(folder, 'cdk.out'), true)
  machine = await startMachines(join(folder, 'cdk.out'), () => ({
    executionEvents: true,
    onDelivery: () => deliveries,
    onFunctionLog: (_name, line) => logged.push(line),
  }))
  machine.hook = ({ operation, body, phase }) => {
    if (phase !== 'after' || operation !== 'PutEvents') return undefined
    const { Entries } = body as { readonly Entries: readonly { DetailType: string; Detail: string }[] }
    for (const entry of Entries) announced.push({ detailType: entry.DetailType, detail: JSON.parse(entry.Detail) })
    return undefined
  }
  await recordVerified(machine.aws, Date.now())
  const { credentials, endpointUrl: endpoint, region } = machine.aws
  s3 = new S3Client({ endpoint, region, credentials })
})

afterAll(async () => {
  s3?.destroy()
  await machine?.stop()
})

const contactId = () => machine.sandbox.contacts.find(({ reference }) => reference === LABEL)?.id
const LABEL = 'exchange-usdc-eth'
const row = (id: string, amount = '10', contactReference = LABEL) =>
  JSON.stringify({ id, contactId: contactId(), contactReference, asset: 'USDC', amount })

/** Returns the name of the file's run. */
async function putFile(key: string, ...rows: readonly string[]): Promise<string> {
  const { VersionId = '' } = await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: rows.join('\n') }))
  return runNameOfFile('salaries', { bucket: BUCKET, key, versionId: VersionId })
}

async function recordOf(runId: string) {
  const table = journalTable(machine.aws)
  const run = await createRunJournal(table).runs.find(runId)
  table.client.destroy()
  return run
}

const untilOutcome = async (run: string, outcome: string) => {
  await expect.poll(() => recordOf(run)).toMatchObject({ outcome })
  return recordOf(run)
}

/** `name`: who approves, with a key of their own. */
async function approve(run: string, name: string) {
  const planHash = (await recordOf(run))?.approval?.planHash ?? ''
  const door = peopleDoor({ ...machine.aws, credentials: machine.aws.addUser(name) })
  return door.decide({ run, planHash, decision: 'approved', because: 'seen' })
}

const paidAmounts = async () =>
  (await machine.control<{ movements: { amount: string }[] }>('/oracle')).movements.map(({ amount }) => amount).sort()

test('a file that S3 announces twice waits for two people, and each row is then paid once', async () => {
  deliveries = 'twice'
  const run = await putFile('salaries/june.jsonl', row('june-1'), row('june-2', '11'))
  const waits = await untilOutcome(run, 'AWAITING_APPROVAL')
  deliveries = undefined
  expect(waits).toMatchObject({
    request: { trigger: { by: 'file', id: `s3://${BUCKET}/salaries/june.jsonl` } },
    approval: { requester: { kind: 'file' } },
  })

  expect(await approve(run, 'ana')).toMatchObject({ needed: 2, approvals: [{}] })
  expect(await approve(run, 'ana')).toMatchObject({ needed: 2, approvals: [{}] })
  expect(await paidAmounts()).toEqual([])
  await approve(run, 'bo')
  await untilOutcome(run, 'SETTLED')
  expect(await paidAmounts()).toEqual(['10', '11'])
})

test('the same file put again pays nothing', async () => {
  const again = await putFile('salaries/june.jsonl', row('june-1'), row('june-2', '11'))
  await untilOutcome(again, 'NOTHING_TO_DO')
  expect(await paidAmounts()).toEqual(['10', '11'])
})

test("a row whose contact has another label stops its file, and the corrected file pays the file's new rows alone", async () => {
  const june = [row('june-1'), row('june-2', '11')]
  const wrong = await putFile('salaries/june.jsonl', ...june, row('june-3', '12'), row('june-4', '13', 'former'))
  const ended = await untilOutcome(wrong, 'GUARDED')
  expect(ended?.why).toMatch(/row june-4: contactReference: expected the reference or alias of contact .*; got former/)
  expect(await paidAmounts()).toEqual(['10', '11'])

  const corrected = await putFile('salaries/june.jsonl', ...june, row('june-3', '12'), row('june-4', '13'))
  await untilOutcome(corrected, 'AWAITING_APPROVAL')
  expect(await paidAmounts()).toEqual(['10', '11'])
  for (const name of ['ana', 'bo']) await approve(corrected, name)
  await untilOutcome(corrected, 'SETTLED')
  expect(await paidAmounts()).toEqual(['10', '11', '12', '13'])
})

test('the audit ties one withdrawal to each row', async () => {
  await machine.pass(3_600_000)
  expect(await machine.reconcile()).toMatchObject({ outcome: 'TIES_OUT', withdrawals: 4, intents: 4, findings: [] })
})

test('a bad file starts nothing, and an event and a dead letter have its findings by line, which no log has', async () => {
  const before = machine.aws.listExecutions(StateMachine.Sweep).length
  const byLabel = JSON.stringify({ id: 'bad-3', contactReference: LABEL, asset: 'USDC', amount: '1' })
  await putFile('salaries/bad.jsonl', row('bad-1'), row('bad-2', '-7.77'), row('bad-1'), byLabel)
  await putFile('elsewhere/july.jsonl', row('july-1'))
  const refused = () => announced.filter(({ detailType }) => detailType === FILE_REFUSED)
  await expect.poll(refused).toHaveLength(1)
  const detail = fileRefusedDetail.parse(refused()[0]?.detail)
  expect(detail).toMatchObject({ policy: 'salaries', bucket: BUCKET, key: 'salaries/bad.jsonl', findingsInAll: 3 })
  expect(detail.findings).toEqual([
    { line: 2, says: expect.stringMatching(/^amount: expected/) },
    { line: 3, says: 'id: expected each id once; line 1 has it too' },
    { line: 4, says: expect.stringMatching(/^contactId: expected the id of the contact beside its contactReference/) },
  ])
  await expect.poll(() => machine.aws.queueMessages(DEAD_LETTER_QUEUE)).toHaveLength(1)
  await expect.poll(() => logged.filter((line) => line.includes('"outcome":"REFUSED"'))).toHaveLength(1)
  expect(machine.aws.listExecutions(StateMachine.Sweep)).toHaveLength(before)
  expect(logged.join('\n')).not.toMatch(/\b7\.77\b|bad-1/)
})

test('each file leaves the queue once its run has its policy, or it is refused', async () => {
  await expect.poll(() => machine.aws.queueMessages(FILE_QUEUE)).toEqual([])
  expect(machine.aws.queueMessages(DEAD_LETTER_QUEUE)).toHaveLength(1)
})

test('its function is denied nothing, and uses its rights on the bucket, the queues and the bus', () => {
  const { denied, unused } = machine.aws.permissions()
  expect(denied).toEqual([])
  // The embedded AWS names a function without its version, as AWS documents it. The other form is for machines.
  const isOfVersion = (condition: string) => condition.endsWith(':*')
  const left = unused
    .filter(({ roleArn, conditions = [] }) => roleArn.includes('StartOnFile') && !conditions.some(isOfVersion))
    .map(({ action }) => action)
  // Pages are for longer files. A name that is taken is read. The embedded AWS keeps no logs and no traces.
  expect(
    left.filter((action) => !/^(logs|xray|dynamodb|states:Describe|sqs:Receive|sqs:Delete|sqs:GetQ)/.test(action)),
  ).toEqual([])
})

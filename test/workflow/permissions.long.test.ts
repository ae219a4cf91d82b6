// Compares the permissions of roles with the requests of a set of runs. It has conversions, withdrawals, both kinds of
// runs, the audit, a schedule, a request, a webhook, and faults. An unused permission is removed, or has a reason here.
import { join } from 'node:path'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SecretsManagerClient, UpdateSecretCommand } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEAD_LETTER_QUEUE, FILE_QUEUE } from '../../core/contract/events.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { journalTable, recordVerified } from '../../place/journal/journal-client.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { assemble } from '../helpers/assemble.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { type LocalServer, startLocalServer } from '../helpers/local-server.ts'
import { type RunningMachines, startMachines } from '../helpers/running-machines.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const kmsKey = (id: number) => `arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-12345678900${id}`
const TREASURY = {
  encryption: { journal: kmsKey(1), secrets: kmsKey(2) },
  service: { url: 'https://api.example.com', stage: 'test', shared: false },
  timing: { pollInsideSeconds: 0 },
  guards: { dailyOutflow: { USDC: '100000' }, total: { daily: '10000000' }, assets: { USDC: { daily: '10000000' } } },
  webhooks: {},
  policies: {
    'sol-in': { kind: 'convert-on-arrival', asset: 'SOL', into: 'USDC' },
    payout: {
      ...{ kind: 'convert-and-withdraw', mode: 'shadow', from: 'BTC', into: 'USD', contactId: 'contact-1' },
      schedule: { expression: 'rate(1 hour)' },
    },
    salaries: {
      ...{ kind: 'payouts', assets: ['USDC'], approval: { above: '0' } },
      files: { bucket: 'company-payouts', prefix: 'salaries/' },
    },
    hourly: {
      ...{ kind: 'rebalance', mode: 'shadow', weights: { BTC: '0.5', LTC: '0.5' } },
      schedule: { expression: 'rate(1 hour)' },
    },
  },
}

/** Functions are killed and created again, which takes seconds each on a busy machine. */
const A_WHILE_MS = 180_000

const folder = folderOfFile()
let machine: RunningMachines
let relay: LocalServer
beforeAll(async () => {
  assemble(TREASURY, join(folder, 'cdk.out'), true)
  relay = await startLocalServer((_request, response) => {
    response.writeHead(200).end()
  })
  machine = await startMachines(join(folder, 'cdk.out'), () => ({ executionEvents: true }), {
    webhookUrl: relay.baseUrl,
  })
  await recordVerified(machine.aws, Date.now())
  const { credentials, endpointUrl: endpoint, region } = machine.aws
  const secrets = new SecretsManagerClient({ endpoint, region, credentials })
  await secrets.send(new UpdateSecretCommand({ SecretId: 'sluice/service-key', KmsKeyId: TREASURY.encryption.secrets }))
  secrets.destroy()
})
afterAll(async () => {
  await machine?.stop()
  await relay?.stop()
})

async function run(stateMachine: StateMachine, name: string, input: object): Promise<{ outcome: string }> {
  const { executionArn } = await machine.aws.startExecution({ stateMachine, name, input: JSON.stringify(input) })
  const { output, cause } = await machine.aws.untilFinished(executionArn)
  return JSON.parse(output ?? cause ?? 'null')
}

const contactId = (reference: string) => machine.sandbox.contacts.find((each) => each.reference === reference)?.id ?? ''

const nextOrder = (fault: object) =>
  machine.control('/rules', { match: { method: 'POST', path: '/v2/orders', times: 1 }, fault })

/** The next request of this kind is carried out, and its answer is lost. */
const loseAnswer = (path: string) =>
  machine.control('/rules', { match: { method: 'POST', path, times: 1 }, fault: { kind: 'dropAfterCommit' } })

async function deliverWebhooks(): Promise<void> {
  const address = machine.aws.functionUrls().find(({ functionName }) => functionName === 'sluice-receive-webhook')
  for (const { body, headers } of relay.arrived) {
    const signature = String(headers['x-webhook-signature'])
    const sent = { 'content-type': 'application/json', 'x-webhook-signature': signature }
    await fetch(address?.url ?? '', { method: 'POST', headers: sent, body: body.toString() })
  }
}

const requested = (DetailType: string, request: object) => ({
  ...{ EventBusName: 'sluice', Source: 'payroll', DetailType },
  Detail: JSON.stringify({ version: 1, id: 'salaries-1', request }),
})

/** Resolves when everything that was started has ended and was announced. */
async function ended(): Promise<void> {
  await machine.aws.untilDelivered()
  for (const name of Object.values(StateMachine)) {
    await Promise.all(machine.aws.listExecutions(name).map((each) => machine.aws.untilFinished(each.executionArn)))
  }
  await machine.aws.untilDelivered()
}

/** `role ACTION resource key`, in the words of this page. */
function inWords({ action, conditions, resource, roleArn }: ReturnType<typeof unused>[number]): string {
  const role = roleArn
    .replace(/^.*:role\/Sluice(Workflow|Triggers|State)-/, '')
    .replace(/Role[0-9A-F]{8}$/, '')
    .replace(/^.*:role\/sluice-decide$/, 'PeopleDecide')
  const on = resource.replace(/^arn:aws:([a-z]+):[^:]*:\d*:/, '$1:')
  return [role, action, on, ...conditions.map((condition) => condition.replace(/^.* = /, ''))].join(' ')
}

const unused = () => machine.aws.permissions().unused

test(
  'what movements do',
  async () => {
    expect((await machine.run('convert', BUY)).report.outcome).toBe('FILLED')
    await nextOrder({ kind: 'settleLater', afterMs: 30_000, outcome: 'fill' })
    expect((await machine.run('later', BUY)).report.outcome).toBe('FILLED')
    await loseAnswer('/v2/orders')
    expect((await machine.run('lost', { ...BUY, amount: '300' })).report.outcome).toBe('FILLED')
    expect((await machine.withdraw('withdraw', SEND)).report.outcome).toBe('COMPLETED')
    await loseAnswer('/v2/withdrawals')
    expect((await machine.withdraw('lost-send', { ...SEND, amount: '120' })).report.outcome).toBe('COMPLETED')
  },
  A_WHILE_MS,
)

test(
  'what runs of policies do',
  async () => {
    const rebalance = {
      kind: 'rebalance',
      weights: { BTC: '0.3', ETH: '0.3', USDC: '0.4' },
      band: { bps: 10 },
    }
    expect(await run(StateMachine.Rebalance, 'rebalance', { policy: rebalance })).toMatchObject({ outcome: 'SETTLED' })
    const asks = { ...rebalance, weights: { BTC: '0.4', ETH: '0.2', USDC: '0.4' }, approval: { above: '0' } }
    for (const name of ['asks', 'asks_2']) {
      expect(await run(StateMachine.Rebalance, name, { policy: asks })).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    }
    const sweep = {
      kind: 'sweep',
      rules: [
        { assets: ['ETH'], keep: { target: '1' }, convertInto: 'USDC', contactId: contactId('cold-usdc-polygon') },
        { assets: ['EUR'], keep: { target: '1000' }, contactId: contactId('house-bank-eur') },
      ],
    }
    expect(await run(StateMachine.Sweep, 'sweep', { policy: sweep })).toMatchObject({ outcome: 'SETTLED' })
    const pays = {
      ...{ kind: 'convert-and-withdraw', from: 'EUR', into: 'USD', amount: '100', approval: { above: '0' } },
      contactId: contactId('house-bank-usd'),
    }
    expect(await run(StateMachine.Sweep, 'pays', { policy: pays })).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  },
  A_WHILE_MS,
)

test(
  'what goes wrong',
  async () => {
    for (const [name, begin] of [
      ['sluice-quote', () => machine.run('no-quote', BUY)],
      ['sluice-check-withdrawal', () => machine.withdraw('no-check', { ...SEND, amount: '140' })],
    ] as const) {
      // Nobody has opened the intent, so Conclude opens it.
      machine.hook = ({ functionName, operation }) =>
        functionName === name && operation === 'GetItem' ? 'kill-function' : undefined
      await begin()
      machine.hook = undefined
    }
    const breaks = { kind: 'rebalance', weights: { LTC: '0.5', USDC: '0.5' }, breaker: { failures: 1 } }
    await machine.control('/rules', {
      ...{ match: { method: 'POST', path: '/v2/orders', times: 'always' } },
      fault: { kind: 'errorBeforeCommit', status: 422, code: 'insufficient_funds' },
    })
    await run(StateMachine.Rebalance, 'breaks', { policy: breaks })
    await machine.clearRules()
    // So low that the quoting function must wait its turn.
    await machine.control('/limits', { perKey: 5_000 })
    await machine.run('limited', BUY)
    await machine.run('limited-again', BUY)
    await machine.control('/limits', {})
  },
  A_WHILE_MS,
)

test(
  'what starts by itself',
  async () => {
    for (const name of ['hourly', 'payout']) machine.aws.schedules.fire(name, new Date('2026-12-01T09:00:00Z'), 2)
    const asked = [
      requested('Conversion Requested', BUY),
      requested('Withdrawal Requested', { ...SEND, amount: '150' }),
    ]
    await machine.aws.putEvents(asked)
    await ended()
    // Their names are taken already.
    await machine.aws.putEvents(asked)
    for (const name of ['hourly', 'payout']) machine.aws.schedules.fire(name, new Date('2026-12-01T09:00:00Z'))
    await ended()
    const { credentials, endpointUrl: endpoint, region } = machine.aws
    const s3 = new S3Client({ endpoint, region, credentials })
    const row = { id: 'june-1', contactId: contactId('exchange-usdc-eth'), asset: 'USDC', amount: '10' }
    for (const [name, line] of [
      ['june', row],
      ['bad', { ...row, amount: 'ten' }],
    ] as const) {
      const Key = `salaries/${name}.jsonl`
      await s3.send(new PutObjectCommand({ Bucket: 'company-payouts', Key, Body: JSON.stringify(line) }))
    }
    s3.destroy()
    await expect.poll(() => machine.aws.queueMessages(DEAD_LETTER_QUEUE)).toHaveLength(1)
    await expect.poll(() => machine.aws.queueMessages(FILE_QUEUE)).toEqual([])
    await machine.control('/balance', { assetSymbol: 'SOL', credit: '5' })
    await expect
      .poll(() => relay.arrived.some(({ body }) => body.toString().includes('deposit')), { interval: 5 })
      .toBe(true)
    await deliverWebhooks()
    await ended()
    await machine.pass(3_600_000)
    await machine.reconcile()
    await machine.aws.invokeFunction('sluice-look-again', '{}')
  },
  A_WHILE_MS,
)

test('the actions of people', async () => {
  const { askMovement, decide, requestRun, resume, throwSwitch } = peopleDoor(machine.aws)
  for (const [kind, stem] of [
    ['convert', 'cv'],
    ['withdraw', 'wd'],
  ] as const) {
    const movement = { kind, intent: `${stem}-${'0'.repeat(32)}`, requestHash: 'f'.repeat(64) }
    expect(await askMovement(movement)).toMatchObject({ outcome: 'RECORDED' })
  }
  const asked = { run: `rb-${'0'.repeat(32)}`, request: { policy: 'hourly' } }
  expect(await requestRun(asked)).toMatchObject({ outcome: 'STARTED', run: asked.run })
  await ended()
  await decide({ decision: 'approved', run: 'pays', planHash: await waitingPlan('pays'), because: 'it is due' })
  await ended()
  await machine.pass(3_600_000)
  await machine.reconcile()
  await throwSwitch({ action: 'halt', scope: '*', because: 'an audit' })
  const { at, by } = await throwSwitch({ action: 'halt', scope: 'core', because: 'an audit' })
  const halts = [{ scope: 'core', by, at, because: 'an audit' }]
  await resume({ action: 'resume', scope: 'core', because: 'it is over', halts })
  await decide({ decision: 'rejected', run: 'asks', planHash: await waitingPlan('asks'), because: 'a test' })
})

async function waitingPlan(runId: string): Promise<string> {
  const table = journalTable(machine.aws)
  const run = await createRunJournal(table).runs.find(runId)
  table.client.destroy()
  return run?.approval?.planHash ?? ''
}

/** Why a role keeps permissions that these runs did not need. */
const REASONS: readonly (readonly [permission: RegExp, why: string])[] = [
  [/ (logs|xray):/, 'The embedded AWS keeps no logs and no traces.'],
  [/ lambda:InvokeFunction [^ ]*[^*]$/, 'The boot checks the invocations of schedules, and a release had no versions.'],
  [/ sqs:SendMessage /, 'AWS itself sends undeliverable events: the boot checks it.'],
  [/ states:StopExecution /, 'Step Functions stops the legs of a run that is stopped.'],
  [
    /^Announce events:PutEvents .*Approval Awaited$/,
    'For a movement that waits: test/workflow/notices.long.test.ts has one.',
  ],
  [/^Announce states:DescribeExecution /, 'For an end that is too large for its event.'],
  [/^\w+ states:DescribeExecution /, 'For a used name: whether it is the same request.'],
  [/^CheckWithdrawal dynamodb:PutItem .* A#account$/, 'Whichever step opens the first intent pins the account.'],
  [
    / dynamodb:(GetItem|PutItem) .* G#\*$/,
    'Only a run of more than a hundred rows has pages: the campaign `long-file` pays such files.',
  ],
  [/^Conclude dynamodb:\w+ .* X#\*$/, 'For a withdrawal whose record the journal has lost.'],
  [
    /^Plan\w+ dynamodb:PutItem .* (I#convert#\*|T#\*#\*)$/,
    'The next run of a policy ends one that was stopped, and its breaker counts it.',
  ],
  [
    /^(Order dynamodb:GetItem .* I#withdraw|Withdraw dynamodb:GetItem .* I#convert)#\*$/,
    'Intents of either kind hold parts of one budget, and are read when it is short.',
  ],
  [/^Conclude dynamodb:GetItem .* C#\w+#\*$/, 'An intent that is DONE, and whose end could not be read, has a claim.'],
  [/^Plan\w+ dynamodb:GetItem .* C#\w+#\*$/, 'An earlier leg may be DONE already.'],
  [/^Order dynamodb:GetItem .* C#convert#\*$/, 'For an order that is already claimed: its owner.'],
  [
    /^Reconcile dynamodb:GetItem .* O#(convert|withdraw)#\*$/,
    'A person’s declaration that a movement is foreign: nobody makes one here.',
  ],
  [
    /^Reconcile dynamodb:GetItem .* N#(declareForeign|resolve|resume)#\*$/,
    'What people have resolved, declared and resumed: nobody does here. test/workflow/doubts.long.test.ts has them.',
  ],
  [
    /^Reconcile dynamodb:PutItem .* A#names$/,
    'For a policy that was renamed: test/integration/cli/halts.test.ts has one.',
  ],
  [
    /^(CheckWithdrawal|Quote|SettleRun) dynamodb:GetItem .* A#names$/,
    'For a policy that was renamed while its run was under way: test/unit/guards/policy-terms.test.ts.',
  ],
  [
    /^(LookAgain|Reconcile) dynamodb:GetItem .* A#account$/,
    'Without a named table, the account distinguishes a journal that lacks its table from a new one.',
  ],
  [
    /^(Order|Withdraw) dynamodb:GetItem .* ([RQ]#\*|D#\*#\*|N#decide#\*)$|^PeopleDecide dynamodb:GetItem .* I#\w+#\*$/,
    'A movement that a rule submits to people: test/integration/cli/approve-movement-aws.long.test.ts has one, and the simulated days have legs.',
  ],
  [/^\w+ kms:GetPublicKey /, 'As for the requests of decisions: read where a role finds one of them.'],
  [/^Backups /, 'AWS Backup works by itself, and the embedded AWS makes no backups.'],
  [
    /^LookAgain (dynamodb:GetItem .* ([HR]#\*|A#names|I#\w+#\*|T#\*#\*)$|secretsmanager:GetSecretValue|states:StartExecution) ?/,
    'For intents that stopped in doubt: test/workflow/look-again.long.test.ts enters each kind, under these roles.',
  ],
  [
    /^(Plan\w+ dynamodb:GetItem|SettleRun dynamodb:(GetItem|PutItem)) .* (H#\*|I#\w+#\*|T#\*#\*)$/,
    'Like PlanRebalance. A leg that never started is closed, and a trip whose write had no answer is read.',
  ],
  [/^People(Decide|RequestRun) states:StartExecution .*sluice-sweep$/, 'As for the other machine.'],
  [/^PeopleRequestRun dynamodb:PutItem .* Q#sw-\?+$/, 'As for the other machine.'],
  [
    /^PeopleResume dynamodb:PutItem .* T#\*#\*$/,
    'A trip that was resumed leaves the list of halts: test/unit/journal/shared-records.test.ts.',
  ],
  [
    /^(Doubts\w+|PeopleRelease) /,
    'For intents in doubt: people settle them in test/workflow/doubts.long.test.ts, under these roles.',
  ],
  [/^People\w+ dynamodb:GetItem .* N#\w+#\*$/, 'For an existing decision: test/workflow/signed-words.test.ts.'],
  [
    /^(LookAgain|PlanRebalance) dynamodb:GetItem .* N#decide#\*$/,
    'As for PlanSweep, for a run that people decided: test/workflow/decided-runs.long.test.ts.',
  ],
  [/^(PayoutFiles)?Start\w+ dynamodb:GetItem .* Q#\*$/, 'For a run that was requested before: its first requester.'],
  [
    /^PlanSweep dynamodb:Query .* MOVED#\*$/,
    'A renamed policy takes over the records of its former name, of either kind.',
  ],
]

test('asks for nothing that is denied, and leaves no permission unused without a reason', () => {
  expect(machine.aws.permissions().denied).toEqual([])
  const unexplained = unused()
    .map(inWords)
    .filter((permission) => !REASONS.some(([fits]) => fits.test(permission)))
  expect(unexplained.sort()).toEqual([])
})

// The app of another company on one machine: its function buys by the construct's grant, and its queue hears of the end.
import { join } from 'node:path'
import { GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { bundleOf } from '../helpers/assemble.ts'
import { withBundles } from '../helpers/bundles.ts'
import { declared } from '../helpers/declared-journal.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { ASKER, BUYER, createPaymentsApp, ENDS_QUEUE } from './payments-app.ts'

const KEY_SECRET = 'payments/service-key'
const TREASURY = {
  environment: 'acme',
  service: { url: 'https://service.example', stage: 'test' as const, keySecret: KEY_SECRET },
  timing: { pollInsideSeconds: 0 },
}
const PURCHASE = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }

const folder = folderOfFile()
let aws: EmbeddedAws
let sandbox: Sandbox
let queues: SQSClient

beforeAll(async () => {
  const codeDir = join(folder, 'code')
  buildSync({
    entryPoints: ['test/construct/buyer.ts'],
    ...{ outdir: codeDir, bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' },
  })
  const assemblyDir = join(folder, 'cdk.out')
  const bundleDir = bundleOf(inject('assemblyDir'))
  withBundles(bundleDir, () =>
    createPaymentsApp({ treasury: TREASURY, outDir: assemblyDir, code: () => Code.fromAsset(codeDir) }),
  ).synth()
  sandbox = await startSandbox()
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  const starting = startEmbeddedAws({
    ...{ assemblyDir, stateDir: join(folder, 'state'), executionEvents: true },
    parameters: { ServiceUrl: sandbox.baseUrl },
    secrets: { [KEY_SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
  })
  aws = await declared(starting, TREASURY.environment)
  const { credentials, endpointUrl: endpoint, region } = aws
  queues = new SQSClient({ endpoint, region, credentials })
})

afterAll(async () => {
  queues?.destroy()
  await aws?.stop()
  await sandbox?.stop()
})

const call = async (name: string, payload: object) =>
  JSON.parse(await aws.invokeFunction(name, JSON.stringify(payload)))
const buy = (name: string) => call(BUYER, { machine: 'CONVERT', name, input: PURCHASE })

const movements = async () => {
  const answer = await fetch(`${sandbox.controlUrl}/oracle`)
  return ((await answer.json()) as { movements: unknown[] }).movements
}

/** The messages that the queue shows now; each is shown once within these tests. */
async function receive(): Promise<unknown[]> {
  const { QueueUrl } = await queues.send(new GetQueueUrlCommand({ QueueName: ENDS_QUEUE }))
  const { Messages = [] } = await queues.send(new ReceiveMessageCommand({ QueueUrl }))
  return Messages.map(({ Body = '' }) => JSON.parse(Body))
}

test('their function buys once under one id, reads the end, and their queue receives it', async () => {
  const { executionArn } = await buy('invoice-17')
  expect(executionArn).toContain(':execution:acme-sluice-convert:invoice-17')
  expect(await aws.untilFinished(executionArn)).toMatchObject({ status: 'SUCCEEDED' })
  expect(await call(ASKER, { executionArn })).toMatchObject({
    status: 'SUCCEEDED',
    result: { outcome: 'FILLED', intentId: 'invoice-17' },
  })
  await expect(buy('invoice-17')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' })
  expect(await movements()).toHaveLength(1)

  await expect.poll(receive).toEqual([
    expect.objectContaining({
      'detail-type': 'Conversion Ended',
      source: 'sluice',
      detail: expect.objectContaining({
        execution: 'invoice-17',
        result: expect.objectContaining({ outcome: 'FILLED' }),
      }),
    }),
  ])
})

test('their function may not withdraw with a grant of conversions', async () => {
  await expect(call(BUYER, { machine: 'WITHDRAW', name: 'payout-1', input: {} })).rejects.toMatchObject({
    name: 'AccessDeniedException',
  })
})

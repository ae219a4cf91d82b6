// Tests `trigger --aws` and `dead-letters --aws`: the bus and the queue of a deployment, found by the AWS SDK's own
// settings.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { beforeAll, expect, test } from 'vitest'
import { recordVerified } from '../../../place/journal/journal-client.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

const deployed = deployedAws('events on AWS')
let dir: string
beforeAll(() => {
  const { service } = deployed()
  dir = service.dir
  // The deployment does not know this policy.
  const policies = { later: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }
  writeFileSync(
    path.join(dir, 'treasury.json'),
    JSON.stringify({ service: { url: service.sandbox.baseUrl, stage: 'test' }, policies }),
  )
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
})

const run = (...words: string[]) => runInProcess([...words, '--aws', '--config', path.join(dir, 'treasury.json')])

test('policies shows that schedules wait for verified keys, until a key has moved something', async () => {
  const waiting = await run('policies')
  expect(waiting.stderr).toContain(
    'schedules start nothing yet: nobody has verified the keys; npx sluice setup doctor --aws --after-deploy does',
  )
  expect(JSON.parse((await run('policies', '--json')).stdout)).toMatchObject({ schedulesWait: true })
  await recordVerified(deployed().aws, Date.now())
  expect((await run('policies')).stderr).not.toContain('schedules')
})

test('a conversion is put on the bus of AWS, begins, and is the same execution again', async () => {
  const words = ['events', 'trigger', 'conversion', path.join(dir, 'buy.json'), '--id', 'on-aws', '--json']
  const first = await run(...words)
  expect(first).toMatchObject({ exitCode: 0, stderr: '' })
  const { execution } = JSON.parse(first.stdout)
  const again = await run(...words)
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'ALREADY_STARTED', execution })
  const { aws, service } = deployed()
  const { executionArn } = aws.findExecution('sluice-convert', execution) ?? {}
  expect(await aws.untilFinished(executionArn ?? '')).toMatchObject({ status: 'SUCCEEDED' })
  const oracle = await (await fetch(`${service.sandbox.controlUrl}/oracle`)).json()
  expect((oracle as { movements: object[] }).movements).toHaveLength(1)
})

test('a policy of the local file that is not deployed is refused before anything is put', async () => {
  const { exitCode, stderr } = await run(
    'events',
    'trigger',
    'rebalance',
    'later',
    '--id',
    'refused-there',
    '--wait',
    '2',
  )
  expect(exitCode).toBe(2)
  expect(stderr).toContain('the deployed configuration differs from')
  expect(stderr).toContain('later')
})

test('dead letters of AWS are listed and dropped; flags of a state directory are refused', async () => {
  const { endpointUrl: endpoint, region, credentials } = deployed().aws
  const client = new SQSClient({ endpoint, region, credentials, useQueueUrlAsEndpoint: false })
  const QueueUrl = `https://sqs.${region}.amazonaws.com/123456789012/sluice-dead-letters`
  const attribute = (StringValue: string) => ({ DataType: 'String', StringValue })
  const { MessageId: letter = '' } = await client.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: JSON.stringify({ source: 'schedule', policy: 'later', scheduledTime: '2026-01-31T09:00:00Z' }),
      MessageAttributes: { ERROR_CODE: attribute('THROTTLING'), ERROR_MESSAGE: attribute('too many') },
    }),
  )
  client.destroy()
  const { stdout } = await run('events', 'dead-letters', 'list', '--json')
  expect(JSON.parse(stdout).letters).toContainEqual(
    expect.objectContaining({ letter, detailType: 'schedule of later', reason: 'THROTTLING: too many' }),
  )
  const resent = await run('events', 'dead-letters', 'resend', letter)
  expect(resent).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('it is the start of a schedule') })
  const decision = ['--yes', '--because', 'too late', '--by', 'ada']
  expect(await run('events', 'dead-letters', 'drop', letter, ...decision)).toMatchObject({ exitCode: 0 })
  expect(JSON.parse((await run('events', 'dead-letters', 'list', '--json')).stdout).letters).toEqual([])
  expect(await run('events', 'dead-letters', 'list', '--state', dir)).toMatchObject({ exitCode: 2 })
})

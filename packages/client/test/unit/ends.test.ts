// Tests the judgement of each end, and the wait for the last entry, against a server that answers as Step Functions does.
import { SFNClient } from '@aws-sdk/client-sfn'
import { afterEach, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '../../../../test/helpers/local-server.ts'
import { createClient, ErrorCode, type Report } from '../../index.ts'
import { conversionResult, runResult, withdrawalResult } from '../../results.ts'

const ID = 'some-id'
const order = { orderId: 'order-1' }

describe('an ended execution', () => {
  const judge = { conversion: conversionResult, withdrawal: withdrawalResult, run: runResult }

  function codeOf(kind: keyof typeof judge, status: string, report: Report | undefined): string {
    const text = report && JSON.stringify(report)
    const ended = { status, input: '{}', error: undefined, output: undefined, cause: undefined }
    try {
      const result = judge[kind](ID)(status === 'SUCCEEDED' ? { ...ended, output: text } : { ...ended, cause: text })
      return result === undefined ? 'later' : 'result'
    } catch (error) {
      return (error as { readonly code: string }).code
    }
  }

  test.each([
    ['conversion', 'SUCCEEDED', { outcome: 'FILLED' }, 'result'],
    ['conversion', 'SUCCEEDED', { outcome: 'PRICE_REFUSED' }, ErrorCode.MovedNothing],
    ['conversion', 'SUCCEEDED', { outcome: 'FAILED' }, ErrorCode.MovedNothing],
    [
      'conversion',
      'SUCCEEDED',
      { outcome: 'FAILED', ...order, baseAmount: '0', quoteAmount: '0' },
      ErrorCode.MovedNothing,
    ],
    [
      'conversion',
      'SUCCEEDED',
      { outcome: 'FAILED', ...order, baseAmount: '0', quoteAmount: '0.01' },
      ErrorCode.MovedInPart,
    ],
    ['conversion', 'SUCCEEDED', { outcome: 'FAILED', ...order }, ErrorCode.NeedsPerson],
    ['conversion', 'FAILED', { outcome: 'OWN_FAULT' }, ErrorCode.OwnFault],
    ['conversion', 'FAILED', { outcome: 'STUCK' }, ErrorCode.NeedsPerson],
    ['conversion', 'SUCCEEDED', { outcome: 'COMPLETED' }, ErrorCode.NeedsPerson],
    ['conversion', 'SUCCEEDED', { outcome: 'toString' }, ErrorCode.NeedsPerson],
    ['conversion', 'SUCCEEDED', undefined, ErrorCode.NeedsPerson],
    ['conversion', 'ABORTED', undefined, ErrorCode.NeedsPerson],
    ['conversion', 'TIMED_OUT', undefined, ErrorCode.NeedsPerson],
    ['withdrawal', 'SUCCEEDED', { outcome: 'COMPLETED' }, 'result'],
    ['withdrawal', 'SUCCEEDED', { outcome: 'FAILED_REFUNDED' }, ErrorCode.MovedNothing],
    ['withdrawal', 'SUCCEEDED', { outcome: 'FAILED_REFUNDED', isByBalance: true }, ErrorCode.NeedsPerson],
    ['withdrawal', 'FAILED', { outcome: 'NEEDS_ATTENTION' }, ErrorCode.NeedsPerson],
    ['run', 'SUCCEEDED', { outcome: 'SETTLED' }, 'result'],
    ['run', 'SUCCEEDED', { outcome: 'PARTLY_SETTLED' }, ErrorCode.MovedInPart],
    ['run', 'SUCCEEDED', { outcome: 'AWAITING_APPROVAL' }, 'later'],
    ['run', 'SUCCEEDED', { outcome: 'HALTED' }, ErrorCode.MovedNothing],
  ] as const)('of a %s that is %s with %j is: %s', (kind, status, report, expected) => {
    expect(codeOf(kind, status, report)).toBe(expected)
  })
})

describe('a handle', () => {
  let server: LocalServer | undefined
  afterEach(() => server?.stop())

  /** Answers by the name of the execution. Undefined: no execution has the name. */
  async function clientOf(describe: (name: string) => object | undefined) {
    server = await startLocalServer(({ headers, body }, response) => {
      const operation = String(headers['x-amz-target']).split('.')[1]
      const { executionArn = '' } = JSON.parse(body.toString())
      const found =
        operation === 'StartExecution'
          ? { executionArn: 'arn', startDate: 1 }
          : describe(executionArn.split(':').at(-1))
      response.writeHead(found === undefined ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' })
      response.end(JSON.stringify(found ?? { __type: 'ExecutionDoesNotExist' }))
    })
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'none' }
    const sfn = new SFNClient({ endpoint: server.baseUrl, region: 'eu-west-1', credentials })
    let passedMs = 0
    const clock = {
      nowMs: () => passedMs,
      sleep: async (ms: number) => {
        passedMs += ms
      },
    }
    const policies = { balanced: { kind: 'rebalance' } }
    return createClient({ account: '111122223333', sfn, policies, clock })
  }
  const ended = (report: Report) => ({ status: 'SUCCEEDED', output: JSON.stringify(report) })

  test('waits past an approval, and returns the result of the entry that follows it', async () => {
    let reads = 0
    const client = await clientOf((name) => {
      if (name === 'r1') return ended({ outcome: 'AWAITING_APPROVAL' })
      reads += 1
      return name !== 'r1_2' || reads < 5 ? undefined : ended({ outcome: 'SETTLED' })
    })
    expect(await (await client.run('balanced', { id: 'r1' })).result()).toEqual({ outcome: 'SETTLED' })
  })

  test('takes the last entry, whose result may differ from the first', async () => {
    const entries: Record<string, object> = {
      r2: { status: 'FAILED', cause: JSON.stringify({ outcome: 'NEEDS_ATTENTION' }) },
      r2_2: { status: 'ABORTED' },
      r2_3: ended({ outcome: 'SETTLED' }),
    }
    const client = await clientOf((name) => entries[name])
    expect(await (await client.run('balanced', { id: 'r2' })).result()).toEqual({ outcome: 'SETTLED' })
  })

  test('stops waiting when its time is over, and can wait again', async () => {
    const client = await clientOf(() => ({ status: 'RUNNING' }))
    const handle = await client.run('balanced', { id: 'r3' })
    for (const withinMs of [0, 60_000]) {
      await expect(handle.result({ withinMs })).rejects.toMatchObject({ code: ErrorCode.NotYet, awaitsApproval: false })
    }
    expect(server?.arrived.length).toBeLessThan(30)
  })

  test('waits for an execution that Step Functions does not list yet', async () => {
    let reads = 0
    const client = await clientOf((name) => {
      reads += 1
      return name !== 'r4' || reads < 3 ? undefined : ended({ outcome: 'NOTHING_TO_DO' })
    })
    expect(await (await client.run('balanced', { id: 'r4' })).result()).toEqual({ outcome: 'NOTHING_TO_DO' })
  })

  test('stops at the signal of its caller', async () => {
    const client = await clientOf(() => ({ status: 'RUNNING' }))
    const handle = await client.run('balanced', { id: 'r5' })
    const reason = new Error('the caller ends')
    await expect(handle.result({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

test.each([
  [{ amount: 250 }, 'amount'],
  [{ amount: '0' }, 'amount'],
  [{ run: 'monday' }, 'run'],
  [{ requestId: 'x' }, 'requestId'],
  [{ amountAsset: 'ETH' }, 'amountAsset'],
])('a conversion with %j is refused at its field before anything starts', async (changed, field) => {
  const client = createClient({ account: '111122223333', sfn: new SFNClient({ region: 'eu-west-1' }) })
  const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250', ...changed }
  await expect(client.convert(request as never, { id: 'x' })).rejects.toMatchObject({
    code: ErrorCode.InvalidRequest,
    field,
  })
})

test.each(['', 'a_2', 'a b', 'x'.repeat(77)])('the id "%s" is refused', async (id) => {
  const client = createClient({ account: '111122223333', sfn: new SFNClient({ region: 'eu-west-1' }) })
  const request = { assetSymbol: 'USDC', amount: '1', contactId: 'c' }
  await expect(client.withdraw(request, { id })).rejects.toMatchObject({ code: ErrorCode.InvalidRequest, field: 'id' })
})

test('a client without credentials says that there are none, and not that AWS refused them', async () => {
  const credentials = async () => {
    throw Object.assign(new Error('no profile'), { name: 'CredentialsProviderError' })
  }
  const sfn = new SFNClient({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:9', credentials })
  const asking = createClient({ account: '123456789012', sfn }).withdraw(
    { assetSymbol: 'USDC', amount: '1', contactId: 'c' },
    { id: ID },
  )
  await expect(asking).rejects.toMatchObject({
    code: ErrorCode.NotAllowed,
    message: expect.stringMatching(/^the AWS client found no credentials for states:StartExecution on /),
  })
})

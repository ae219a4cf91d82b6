// Tests events put on a bus, through the endpoint and real functions: the rules that match, the input of their targets,
// and the rules that an assembly may not have.
import { describe, expect, test } from 'vitest'
import type { FailedInvocation } from '../../embedded-aws.ts'
import { ACCOUNT, type AssemblyFixture, functionArn, REGION } from './fixture/assembly.ts'
import {
  allow,
  BUS,
  boot,
  event,
  machineArn,
  role,
  rule,
  ruleArn,
  runs,
  START_MS,
  TO_MACHINE,
  toFunction,
  untilDelivered,
} from './fixture/event-assemblies.ts'
import { ask } from './fixture/signed.ts'

describe('PutEvents', () => {
  test('starts the state machine of a rule that matches, with the part that the rule selects', async () => {
    const booted = await boot(TO_MACHINE)
    const { body } = await ask(booted.aws, 'AWSEvents.PutEvents', {
      Entries: [event({ a: 1 }), event({ a: 2 }, { Source: 'other' }), event({ a: 3 }, { EventBusName: 'default' })],
    })
    expect(body).toMatchObject({
      FailedEntryCount: 0,
      Entries: [{ EventId: expect.any(String) }, { EventId: expect.any(String) }, { EventId: expect.any(String) }],
    })
    await untilDelivered(booted)
    expect(await runs(booted.aws)).toEqual([{ input: '{"a":1}', output: '{"a":1}', status: 'SUCCEEDED' }])
  })

  test('refuses the same entries and requests as AWS', async () => {
    const { aws } = await boot(TO_MACHINE)
    const entries = [
      event(),
      event(undefined, { Detail: 'text' }),
      event(undefined, { Source: undefined }),
      event(undefined, { Source: 'aws.ec2' }),
      event(undefined, { EventBusName: 'other' }),
    ]
    const { body } = await ask(aws, 'AWSEvents.PutEvents', { Entries: entries })
    expect(body).toMatchObject({
      FailedEntryCount: 4,
      Entries: [
        { EventId: expect.any(String) },
        { ErrorCode: 'MalformedDetail' },
        { ErrorCode: 'InvalidArgument', ErrorMessage: expect.stringContaining('Source') },
        { ErrorCode: 'NotAuthorizedForSourceException' },
        { ErrorCode: 'ResourceNotFoundException' },
      ],
    })
    const tooMany = { Entries: Array.from({ length: 11 }, () => event()) }
    const tooLarge = { Entries: [event('x'.repeat(262_144))] }
    for (const refused of [tooMany, tooLarge, { Entries: [] }, {}]) {
      const response = await ask(aws, 'AWSEvents.PutEvents', refused)
      expect(response).toMatchObject({ status: 400, body: { __type: 'ValidationException' } })
    }
  })

  test('delivers twice if a test asks for it, and each delivery starts an execution', async () => {
    const booted = await boot(TO_MACHINE, { onDelivery: () => 'twice' })
    await booted.aws.putEvents([event()])
    await untilDelivered(booted)
    expect(await runs(booted.aws)).toHaveLength(2)
  })

  test('delivers after a restart an event that was not delivered before the stop', async () => {
    const booted = await boot(TO_MACHINE, { onDelivery: () => ({ errorCode: 'THROTTLING' }) })
    await booted.aws.putEvents([event()])
    await new Promise((resolve) => setImmediate(resolve))
    const aws = await booted.again()
    await untilDelivered({ aws, clock: booted.clock })
    expect(await runs(aws)).toMatchObject([{ status: 'SUCCEEDED' }])
  })

  test('writes a dead letter as EventBridge does when the retries are used up', async () => {
    const booted = await boot(TO_MACHINE, { onDelivery: () => ({ errorCode: 'THROTTLING' }) })
    const [result] = await booted.aws.putEvents([event()])
    await untilDelivered(booted)
    const [letter] = booted.aws.queueMessages('dead')
    expect(JSON.parse(letter?.body ?? '')).toMatchObject({
      version: '0',
      id: (result as { readonly EventId: string }).EventId,
      source: 'treasury',
      'detail-type': 'Deposit',
      account: ACCOUNT,
      region: REGION,
      time: '2026-01-31T09:00:00Z',
      resources: [],
      detail: { a: 1 },
    })
    const attributes = Object.entries(letter?.attributes ?? {}).map(([name, { StringValue }]) => [name, StringValue])
    expect(Object.fromEntries(attributes)).toEqual({
      ERROR_CODE: 'THROTTLING',
      ERROR_MESSAGE: 'injected',
      EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
      RETRY_ATTEMPTS: '1',
      RULE_ARN: ruleArn('rule'),
      TARGET_ARN: machineArn('Echo'),
    })
  })

  test('invokes the function of a rule with the whole event', async () => {
    const lines: string[] = []
    const booted = await boot(toFunction('print'), { onFunctionLog: (_name, line) => lines.push(line) })
    await booted.aws.putEvents([event()])
    await untilDelivered(booted)
    expect(lines).toContain('one line')
    expect(booted.aws.queueMessages('dead')).toEqual([])
  })

  test('calls a failing function three times and then sends to its on-failure queue', async () => {
    const failed: FailedInvocation[] = []
    const booted = await boot(toFunction('fail'), { onFailedInvocation: (invocation) => failed.push(invocation) })
    await booted.aws.putEvents([event()])
    await untilDelivered(booted)
    expect(failed.map(({ errorType, errorMessage }) => `${errorType}: ${errorMessage}`)).toEqual(
      Array(3).fill('Transient: try again'),
    )
    expect(JSON.parse(failed[0]?.payload ?? '')).toMatchObject({ source: 'treasury', detail: { a: 1 } })
    const [letter] = booted.aws.queueMessages('dead')
    expect(JSON.parse(letter?.body ?? '')).toMatchObject({
      version: '1.0',
      requestContext: {
        functionArn: `${functionArn('fail')}:$LATEST`,
        condition: 'RetriesExhausted',
        approximateInvokeCount: 3,
      },
      requestPayload: { source: 'treasury', detail: { a: 1 } },
      responsePayload: { errorType: 'Transient', errorMessage: 'try again' },
    })
    expect(booted.clock.nowMs() - START_MS).toBeGreaterThanOrEqual(180_000)
  })

  test('is allowed for a function whose role allows it on the bus', async () => {
    const bus = `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/sluice`
    const { aws } = await boot({
      functions: { send: { statements: [allow('events:PutEvents', bus)] } },
      resources: { Bus: BUS },
    })
    const send = async (entry: object) => JSON.parse(await aws.invokeFunction('send', JSON.stringify(entry))) as unknown
    expect(await send(event())).toMatchObject({ FailedEntryCount: 0 })
    expect(await send(event(1, { EventBusName: bus }))).toMatchObject({ FailedEntryCount: 1 })
    expect(await send(event(1, { EventBusName: 'default' }))).toBe('AccessDeniedException')
  })
})

describe('a rule is refused at the start', () => {
  const without = (name: string) => {
    const { [name]: _, ...resources } = TO_MACHINE.resources ?? {}
    return { ...TO_MACHINE, resources }
  }
  const changed = (name: string, resource: object) => ({
    ...TO_MACHINE,
    resources: { ...TO_MACHINE.resources, [name]: resource },
  })

  const elsewhere = {
    Type: 'AWS::Events::Rule',
    Properties: { EventBusName: 'elsewhere', EventPattern: { source: ['treasury'] } },
  }

  test.each<[string, AssemblyFixture, string]>([
    ['whose queue has no policy', without('QueuePolicy'), 'no AWS::SQS::QueuePolicy lets events.amazonaws.com send'],
    [
      'whose role may not start the machine',
      changed('RuleRole', role('rule', allow('states:StartExecution', machineArn('Other')))),
      'does not allow states:StartExecution',
    ],
    [
      'whose function does not permit it',
      changed('Rule', rule({ Arn: { 'Fn::GetAtt': ['Functionecho', 'Arn'] } })),
      'no AWS::Lambda::Permission lets events.amazonaws.com invoke',
    ],
    ['whose target is a topic', changed('Rule', rule({ Arn: 'arn:aws:sns:x' })), 'its target is not a function'],
    ['whose bus is not in the assembly', changed('Rule', elsewhere), 'its event bus is not in the assembly: elsewhere'],
  ])('%s', async (_name, fixture, message) => {
    await expect(boot(fixture)).rejects.toThrow(message)
  })
})

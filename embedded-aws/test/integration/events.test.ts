// Events, schedules and dead-letter queues through the endpoints and real functions, over the
// template's own resources.
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedAws, type EmbeddedAwsOptions, startEmbeddedAws } from '../../embedded-aws.ts'
import { eventClock } from '../unit/event-clock.ts'
import {
  ACCOUNT,
  type AssemblyFixture,
  functionArn,
  oneTask,
  REGION,
  temporaryDirectory,
  writeAssembly,
} from './fixture/assembly.ts'
import { ask } from './fixture/signed.ts'

const START_MS = Date.parse('2026-01-31T09:00:00Z')
const QUEUE_ARN = `arn:aws:sqs:${REGION}:${ACCOUNT}:dead`
const QUEUE_URL = `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/dead`
const machineArn = (name: string) => `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`
const ruleArn = (name: string) => `arn:aws:events:${REGION}:${ACCOUNT}:rule/sluice/${name}`

const allow = (Action: string | readonly string[], Resource: unknown) => ({ Effect: 'Allow', Action, Resource })
const role = (name: string, ...statements: object[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    RoleName: name,
    AssumeRolePolicyDocument: {},
    Policies: [{ PolicyName: 'own', PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
  },
})

const QUEUE = {
  Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead', SqsManagedSseEnabled: true } },
  QueuePolicy: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'Queue' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'sqs:*',
            Resource: QUEUE_ARN,
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          {
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] },
            Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': ['Rule', 'Arn'] } } },
          },
        ],
      },
    },
  },
}
const QUEUE_ONLY = { Queue: QUEUE.Queue }
const BUS = { Type: 'AWS::Events::EventBus', Properties: { Name: 'sluice' } }

function rule(target: object, pattern: object = { source: ['treasury'] }) {
  return {
    Type: 'AWS::Events::Rule',
    Properties: {
      Name: 'rule',
      EventBusName: { Ref: 'Bus' },
      EventPattern: pattern,
      Targets: [{ Id: 'T', ...target }],
    },
  }
}

/** Events of `treasury` start the machine `Echo` with their detail. */
const TO_MACHINE: AssemblyFixture = {
  functions: { echo: {} },
  machines: { Echo: oneTask('echo') },
  resources: {
    ...QUEUE,
    Bus: BUS,
    RuleRole: role('rule', allow('states:StartExecution', machineArn('Echo'))),
    Rule: rule({
      Arn: { Ref: 'MachineEcho' },
      RoleArn: { 'Fn::GetAtt': ['RuleRole', 'Arn'] },
      InputPath: '$.detail',
      RetryPolicy: { MaximumRetryAttempts: 1 },
      DeadLetterConfig: { Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
    }),
  },
}

/** Events of `treasury` invoke a function. */
function toFunction(name: string, settings: object = {}): AssemblyFixture {
  return {
    functions: { [name]: { statements: [allow('sqs:SendMessage', QUEUE_ARN)] } },
    resources: {
      ...QUEUE,
      Bus: BUS,
      Rule: rule({ Arn: { 'Fn::GetAtt': [`Function${name}`, 'Arn'] } }),
      Permission: {
        Type: 'AWS::Lambda::Permission',
        Properties: {
          Action: 'lambda:InvokeFunction',
          FunctionName: { 'Fn::GetAtt': [`Function${name}`, 'Arn'] },
          Principal: 'events.amazonaws.com',
          SourceArn: { 'Fn::GetAtt': ['Rule', 'Arn'] },
        },
      },
      Async: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: {
          FunctionName: { Ref: `Function${name}` },
          Qualifier: '$LATEST',
          DestinationConfig: { OnFailure: { Destination: QUEUE_ARN } },
          ...settings,
        },
      },
    },
  }
}

function schedule(fields: object = {}, target: object = {}): AssemblyFixture {
  return {
    functions: { print: {}, echo: {} },
    machines: { Echo: oneTask('echo') },
    resources: {
      Queue: QUEUE.Queue,
      ScheduleRole: role(
        'schedule',
        allow('states:StartExecution', machineArn('Echo')),
        allow('lambda:InvokeFunction', functionArn('print')),
        allow('sqs:SendMessage', QUEUE_ARN),
      ),
      Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'policies' } },
      Schedule: {
        Type: 'AWS::Scheduler::Schedule',
        Properties: {
          Name: 'sweep',
          GroupName: { Ref: 'Group' },
          ScheduleExpression: 'cron(0 12 * * ? *)',
          ScheduleExpressionTimezone: 'Europe/Berlin',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: {
            Arn: { Ref: 'MachineEcho' },
            RoleArn: { 'Fn::GetAtt': ['ScheduleRole', 'Arn'] },
            Input: '{"at":"<aws.scheduler.scheduled-time>"}',
            DeadLetterConfig: { Arn: QUEUE_ARN },
            ...target,
          },
          ...fields,
        },
      },
    },
  }
}

interface Booted {
  readonly aws: EmbeddedAws
  readonly clock: ReturnType<typeof eventClock>
  again(options?: Partial<EmbeddedAwsOptions>): Promise<EmbeddedAws>
}

async function boot(fixture: AssemblyFixture, options: Partial<EmbeddedAwsOptions> = {}): Promise<Booted> {
  const { directory, remove } = temporaryDirectory()
  const assemblyDir = await writeAssembly(path.join(directory, 'cdk.out'), fixture)
  const clock = eventClock(START_MS)
  let aws: EmbeddedAws | undefined
  onTestFinished(async () => {
    await aws?.stop()
    remove()
  })
  const again = async (more: Partial<EmbeddedAwsOptions> = {}) => {
    await aws?.stop()
    aws = await startEmbeddedAws({ assemblyDir, stateDir: path.join(directory, 'state'), clock, ...more })
    return aws
  }
  return { aws: await again(options), clock, again }
}

const event = (detail: unknown = { a: 1 }, fields: object = {}) => ({
  Source: 'treasury',
  DetailType: 'Deposit',
  Detail: JSON.stringify(detail),
  EventBusName: 'sluice',
  ...fields,
})

/** Time passes while functions, which live in the host's, answer. */
async function untilDelivered({ aws, clock }: Pick<Booted, 'aws' | 'clock'>): Promise<void> {
  let isDone = false
  const done = aws.untilDelivered().finally(() => {
    isDone = true
  })
  while (!isDone) await clock.untilQuiet()
  await done
}

async function runs(aws: EmbeddedAws) {
  const ended = await Promise.all(aws.listExecutions('Echo').map((each) => aws.untilFinished(each.executionArn)))
  return ended.map(({ input, output, status }) => ({ input, output, status }))
}

describe('PutEvents', () => {
  test('starts the state machine of a rule that matches, with the part that it selects', async () => {
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

  test('refuses what AWS refuses, entry by entry and as a whole', async () => {
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
      const answer = await ask(aws, 'AWSEvents.PutEvents', refused)
      expect(answer).toMatchObject({ status: 400, body: { __type: 'ValidationException' } })
    }
  })

  test('delivers twice where a test has it so, and each starts an execution', async () => {
    const booted = await boot(TO_MACHINE, { onDelivery: () => 'twice' })
    await booted.aws.putEvents([event()])
    await untilDelivered(booted)
    expect(await runs(booted.aws)).toHaveLength(2)
  })

  test('is delivered after a stop of the process that came first', async () => {
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

  test('has a failing function tried three times, and then tells its on-failure queue', async () => {
    const booted = await boot(toFunction('fail'))
    await booted.aws.putEvents([event()])
    await untilDelivered(booted)
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

  test('is allowed to a function whose role allows it on the bus', async () => {
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
    [
      'without a policy of its queue',
      without('QueuePolicy'),
      'no AWS::SQS::QueuePolicy lets events.amazonaws.com send',
    ],
    [
      'whose role may not start the machine',
      changed('RuleRole', role('rule', allow('states:StartExecution', machineArn('Other')))),
      'does not allow states:StartExecution',
    ],
    [
      'whose function does not let it',
      changed('Rule', rule({ Arn: { 'Fn::GetAtt': ['Functionecho', 'Arn'] } })),
      'no AWS::Lambda::Permission lets events.amazonaws.com invoke',
    ],
    [
      'whose target is a topic',
      changed('Rule', rule({ Arn: 'arn:aws:sns:x' })),
      'its target is neither a function nor',
    ],
    ['whose bus is not there', changed('Rule', elsewhere), 'its event bus is none of the assembly: elsewhere'],
  ])('%s', async (_what, fixture, message) => {
    await expect(boot(fixture)).rejects.toThrow(message)
  })
})

describe('a schedule', () => {
  test('starts its state machine at its time once schedules are started', async () => {
    const { aws, clock } = await boot(schedule())
    await clock.untilQuiet(START_MS + 24 * 3_600_000)
    expect(aws.listExecutions('Echo')).toEqual([])
    aws.schedules.start()
    await clock.untilQuiet(START_MS + 48 * 3_600_000)
    expect((await runs(aws)).map(({ output }) => output)).toEqual(['{"at":"2026-02-01T11:00:00Z"}'])
  })

  test('fires by hand, twice where asked, for the time it is given', async () => {
    const booted = await boot(schedule({ State: 'DISABLED' }))
    booted.aws.schedules.fire('sweep', new Date('2026-03-01T00:00:00Z'), 2)
    await untilDelivered(booted)
    expect((await runs(booted.aws)).map(({ output }) => output)).toEqual([
      '{"at":"2026-03-01T00:00:00Z"}',
      '{"at":"2026-03-01T00:00:00Z"}',
    ])
    expect(booted.aws.schedules.list()).toEqual([
      {
        name: 'sweep',
        arn: `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/policies/sweep`,
        expression: 'cron(0 12 * * ? *)',
        zone: 'Europe/Berlin',
        isEnabled: false,
      },
    ])
  })

  test('invokes a function', async () => {
    const lines: string[] = []
    const booted = await boot(schedule({}, { Arn: { 'Fn::GetAtt': ['Functionprint', 'Arn'] } }), {
      onFunctionLog: (_name, line) => lines.push(line),
    })
    booted.aws.schedules.fire('sweep', new Date(START_MS))
    await untilDelivered(booted)
    expect(lines).toContain('one line')
  })

  test.each<[string, object, string]>([
    ['without input for a state machine', { Input: { Ref: 'AWS::NoValue' } }, 'Target.Input: is missing'],
    ['with input that is not JSON', { Input: '<aws.scheduler.scheduled-time>' }, 'Target.Input: must be JSON'],
    ['with a role of nobody', { RoleArn: 'arn:aws:iam::1:role/x' }, 'its role is none of the assembly'],
    ['with a universal target', { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage' }, 'its target is neither'],
    ['with a queue elsewhere', { DeadLetterConfig: { Arn: 'arn:aws:sqs:x' } }, 'its dead-letter queue is none'],
  ])('is refused at the start %s', async (_what, target, message) => {
    await expect(boot(schedule({}, target))).rejects.toThrow(message)
  })
})

test('the queue’s API sends, receives, counts and deletes', async () => {
  const { aws } = await boot({ resources: QUEUE_ONLY })
  const QueueUrl = QUEUE_URL
  const sent = await ask(aws, 'AmazonSQS.SendMessage', {
    QueueUrl,
    MessageBody: 'hello',
    MessageAttributes: { WHY: { DataType: 'String', StringValue: 'x' } },
  })
  expect(sent.body).toEqual({ MessageId: expect.any(String), MD5OfMessageBody: '5d41402abc4b2a76b9719d911017c592' })
  const count = async () =>
    (await ask(aws, 'AmazonSQS.GetQueueAttributes', { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] })).body
  expect(await count()).toEqual({ Attributes: { ApproximateNumberOfMessages: '1' } })
  const received = await ask(aws, 'AmazonSQS.ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 })
  const [message] = (received.body as { readonly Messages: readonly { readonly ReceiptHandle: string }[] }).Messages
  expect(message).toMatchObject({ Body: 'hello', MessageAttributes: { WHY: { StringValue: 'x' } } })
  expect(await count()).toEqual({ Attributes: { ApproximateNumberOfMessages: '0' } })
  await ask(aws, 'AmazonSQS.DeleteMessage', { QueueUrl, ReceiptHandle: message?.ReceiptHandle })
  expect(aws.queueMessages('dead')).toEqual([])
  expect(await ask(aws, 'AmazonSQS.GetQueueUrl', { QueueName: 'dead' })).toMatchObject({ body: { QueueUrl } })
  expect(await ask(aws, 'AmazonSQS.SendMessage', { QueueUrl: `${QueueUrl}x`, MessageBody: 'b' })).toMatchObject({
    status: 400,
    body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist' },
  })
})

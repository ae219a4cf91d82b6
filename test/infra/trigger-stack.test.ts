// Schedules, rules and webhooks start what treasury.json says and no more, and a start that fails is kept.
import type { Template } from 'aws-cdk-lib/assertions'
import { beforeAll, describe, expect, test } from 'vitest'
import { Environment } from '../../core/contract/environment.ts'
import { APPROVAL_AWAITED, RequestEvent, ResultEvent, SwitchEvent } from '../../core/contract/events.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { scheduledStart } from '../../core/contract/triggers.ts'
import { samplePolicies, synthesizeTemplates, webhooks } from './assembly.ts'
import { permissionsOf, statementsOf } from './permissions.ts'

const OTHERS = ['222222222222', '333333333333']
/** Requester record of a run that no person requested, by the form of its id. */
const STARTED = `Q#*-${'?'.repeat(26)}`

let triggers: Template
let bare: Template
beforeAll(() => {
  triggers = synthesizeTemplates({ policies: samplePolicies, webhooks, requesters: OTHERS }).triggers
  bare = synthesizeTemplates().triggers
})

const resources = (type: string, of = triggers) =>
  Object.values(of.findResources(type)).map(({ Properties }) => Properties)
const functionOf = (name: string) =>
  resources('AWS::Lambda::Function').find(({ FunctionName }) => FunctionName === name)
const ruleOf = (name: string) => resources('AWS::Events::Rule').find(({ Name }) => Name === name)

/** A readable name of the resource behind a reference. */
function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource)
  return (
    /execution:sluice-[a-z]+:\*|(?:StartRun|Announce|ReceiveWebhook|StartOnDeposit|SettleRun)(?:Log|Function)|function:sluice-[a-z-]+|stateMachine:sluice-[a-z]+|DeadLetters|DepositsQueue|RequestsBus|table\/sluice-journal/.exec(
      text,
    )?.[0] ?? text
  )
}
const mayDo = (roleReference: { 'Fn::GetAtt': [string, string] }) =>
  permissionsOf(triggers, roleReference['Fn::GetAtt'][0], nameOf)

describe('permissions', () => {
  // AWS has no resources for these actions.
  const traces = ['xray:PutTelemetryRecords → "*"', 'xray:PutTraceSegments → "*"']
  const logs = (id: string) => [`logs:CreateLogStream → ${id}Log`, `logs:PutLogEvents → ${id}Log`]
  const describes = ['convert', 'rebalance', 'sweep', 'withdraw'].map(
    (name) => `states:DescribeExecution → execution:sluice-${name}:*`,
  )
  const starts = ['convert', 'rebalance', 'sweep', 'withdraw'].map(
    (name) => `states:StartExecution → stateMachine:sluice-${name}`,
  )

  // The check that the table is the journal's own.
  const identity = ['dynamodb:DescribeTable → table/sluice-journal', 'dynamodb:GetItem → table/sluice-journal']
  test.each([
    [
      'sluice-start-run',
      [
        ...identity,
        'dynamodb:PutItem → table/sluice-journal',
        ...logs('StartRun'),
        'sqs:SendMessage → DeadLetters',
        ...describes,
        ...starts,
      ],
    ],
    [
      'sluice-announce',
      ['events:PutEvents → RequestsBus', ...logs('Announce'), 'sqs:SendMessage → DeadLetters', ...describes],
    ],
    ['sluice-receive-webhook', [...logs('ReceiveWebhook'), 'sqs:SendMessage → DepositsQueue']],
    [
      'sluice-start-on-deposit',
      [
        ...identity,
        'dynamodb:PutItem → table/sluice-journal',
        ...logs('StartOnDeposit'),
        'sqs:DeleteMessage → DepositsQueue',
        'sqs:GetQueueAttributes → DepositsQueue',
        'sqs:ReceiveMessage → DepositsQueue',
        'states:DescribeExecution → execution:sluice-rebalance:*',
        'states:StartExecution → stateMachine:sluice-rebalance',
      ],
    ],
  ])('%s may do exactly this, and reads no key', (name, permissions) => {
    expect(mayDo(functionOf(name)?.Role)).toEqual([...permissions, ...traces])
  })

  test.each([
    [
      'the starter of deposits reaches only the inbox and the requester records',
      ...(['sluice-start-on-deposit', ['E#*', 'A#verified', 'Q#*'], ['E#*', STARTED]] as const),
    ],
    [
      'the starter of runs reaches only the requester records, and reads whether keys work',
      ...(['sluice-start-run', ['A#verified', 'Q#*'], [STARTED]] as const),
    ],
  ])('in the journal, %s', (_fact, name, keys, writes) => {
    const role = functionOf(name)?.Role['Fn::GetAtt'][0]
    const ofJournal = statementsOf(triggers, role).filter(({ Action }) => String(Action).includes('dynamodb:'))
    // The check that the table is the journal's own comes first.
    const [describes, ...others] = ofJournal.map(({ Condition }) => Condition)
    expect(describes).toBeUndefined()
    const reads = [...keys, 'A#journal']
    expect(others[0]).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': reads } })
    for (const written of others.slice(1))
      expect(written).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': writes } })
  })

  test('Announce may announce ends and waits in our name, and put no request', () => {
    const role = functionOf('sluice-announce')?.Role['Fn::GetAtt'][0]
    const puts = statementsOf(triggers, role).filter(({ Action }) => Action === 'events:PutEvents')
    const types = [...Object.values(ResultEvent), SwitchEvent.Halted, APPROVAL_AWAITED]
    expect(puts.map(({ Condition }) => Condition)).toEqual([
      { StringEquals: { 'events:source': 'sluice', 'events:detail-type': types } },
    ])
    expect(types).not.toEqual(expect.arrayContaining([expect.stringContaining('Requested')]))
  })

  test('a schedule may invoke StartRun and send to the dead-letter queue, for this account alone', () => {
    const [{ Target }] = resources('AWS::Scheduler::Schedule') as [
      { Target: { RoleArn: { 'Fn::GetAtt': [string, string] } } },
    ]
    expect(mayDo(Target.RoleArn)).toEqual(['lambda:InvokeFunction → StartRunFunction', 'sqs:SendMessage → DeadLetters'])
    const roles = resources('AWS::IAM::Role').map(
      ({ AssumeRolePolicyDocument }) => AssumeRolePolicyDocument.Statement[0],
    )
    const trust = roles.find(({ Principal }) => Principal.Service === 'scheduler.amazonaws.com')?.Condition
    expect(trust.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } })
    expect(JSON.stringify(trust.ArnEquals['aws:SourceArn'])).toContain(':schedule-group/sluice"')
  })
})

describe('schedules', () => {
  const scheduleOf = (name: string) => resources('AWS::Scheduler::Schedule').find(({ Name }) => Name === name)

  test('each policy with a schedule has one, also in shadow mode', () => {
    expect(
      resources('AWS::Scheduler::Schedule')
        .map(({ Name }) => Name)
        .sort(),
    ).toEqual(['begun', 'each-morning', 'hourly', 'over'])
    expect(resources('AWS::Scheduler::ScheduleGroup')).toEqual([{ Name: 'sluice' }])
    expect(resources('AWS::Scheduler::Schedule', bare)).toEqual([])
  })

  test('use the time zone of treasury.json', () => {
    expect(scheduleOf('hourly')).toMatchObject({
      GroupName: 'sluice',
      ScheduleExpression: 'cron(0 * * * ? *)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
    })
    expect(scheduleOf('each-morning')).toMatchObject({
      ScheduleExpression: 'cron(0 9 ? * MON-FRI *)',
      ScheduleExpressionTimezone: 'Europe/Madrid',
    })
  })

  test('have neither start nor end, because past ones could not be deployed again', () => {
    expect(scheduleOf('begun')).toMatchObject({ ScheduleExpression: 'cron(0 23 * * ? *)' })
    for (const { StartDate, EndDate } of resources('AWS::Scheduler::Schedule')) {
      expect([StartDate, EndDate]).toEqual([undefined, undefined])
    }
  })

  test('pass the due time to StartRun, so that two attempts at one start are one run', () => {
    const { Input } = scheduleOf('hourly')?.Target ?? {}
    expect(JSON.parse(Input).scheduledTime).toBe('<aws.scheduler.scheduled-time>')
    const filled = Input.replace('<aws.scheduler.scheduled-time>', '2026-12-01T09:00:00Z')
    expect(scheduledStart.parse(JSON.parse(filled))).toEqual({
      source: 'schedule',
      policy: 'hourly',
      scheduledTime: '2026-12-01T09:00:00Z',
    })
  })

  test('give up within their bounds, and leave undelivered starts in the dead-letter queue', () => {
    const retryOf = (name: string) => scheduleOf(name)?.Target.RetryPolicy
    expect(retryOf('hourly')).toEqual({ MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 900 })
    expect(retryOf('each-morning')).toEqual({ MaximumRetryAttempts: 1, MaximumEventAgeInSeconds: 60 })
    expect(nameOf(scheduleOf('hourly')?.Target.DeadLetterConfig.Arn)).toBe('DeadLetters')
  })
})

describe('rules', () => {
  test('requests on the bus go to StartRun, of any version', () => {
    expect(ruleOf('sluice-requests')).toMatchObject({
      EventBusName: { Ref: expect.stringContaining('RequestsBus') },
      EventPattern: { 'detail-type': Object.values(RequestEvent) },
      State: 'ENABLED',
    })
    expect(nameOf(ruleOf('sluice-requests')?.Targets[0].Arn)).toBe('StartRunFunction')
  })

  test('ends of the four machines, and no other change, go to Announce', () => {
    const rule = ruleOf('sluice-ends')
    expect(rule).not.toHaveProperty('EventBusName')
    expect(rule?.EventPattern).toMatchObject({
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: { status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] },
    })
    expect(rule?.EventPattern.detail.stateMachineArn.map(nameOf)).toEqual([
      'stateMachine:sluice-convert',
      'stateMachine:sluice-withdraw',
      'stateMachine:sluice-rebalance',
      'stateMachine:sluice-sweep',
    ])
    expect(nameOf(rule?.Targets[0].Arn)).toBe('AnnounceFunction')
  })

  test('aborted and timed out executions of runs go to SettleRun', () => {
    const rule = ruleOf('sluice-aborted-runs')
    expect(rule?.EventPattern).toMatchObject({
      source: ['aws.states'],
      detail: { status: ['ABORTED', 'TIMED_OUT'] },
    })
    expect(rule?.EventPattern.detail.stateMachineArn.map(nameOf)).toEqual([
      'stateMachine:sluice-rebalance',
      'stateMachine:sluice-sweep',
    ])
    expect(nameOf(rule?.Targets[0].Arn)).toBe('function:sluice-settle-run')
  })

  test('a resume goes to LookAgain, which carries out at once what was approved', () => {
    const { EventPattern, Targets } = ruleOf('sluice-resumed') ?? {}
    expect(EventPattern).toEqual({ source: ['sluice'], 'detail-type': ['Sending Resumed'] })
    expect(Targets.map(({ Arn, Input }: { Arn: object; Input: string }) => [nameOf(Arn), Input])).toEqual([
      ['function:sluice-look-again', '{"resumed":true}'],
    ])
  })

  test.each(['sluice-requests', 'sluice-ends', 'sluice-aborted-runs'])(
    '%s: what cannot be handed over is kept',
    (name) => {
      const [target, ...others] = ruleOf(name)?.Targets ?? []
      expect(others).toEqual([])
      expect(target.RetryPolicy).toEqual({ MaximumRetryAttempts: 20, MaximumEventAgeInSeconds: 3600 })
      expect(nameOf(target.DeadLetterConfig.Arn)).toBe('DeadLetters')
    },
  )

  test('each rule may invoke its own function and send to the queue, and nobody else may', () => {
    const permissions = resources('AWS::Lambda::Permission').filter(({ Principal }) => Principal !== '*')
    expect(permissions.map(({ Principal, FunctionName }) => [Principal, nameOf(FunctionName)])).toEqual([
      ['events.amazonaws.com', 'StartRunFunction'],
      ['events.amazonaws.com', 'AnnounceFunction'],
      ['events.amazonaws.com', 'function:sluice-look-again'],
      ['events.amazonaws.com', 'function:sluice-settle-run'],
    ])
    for (const { SourceArn } of permissions) expect(SourceArn['Fn::GetAtt'][1]).toBe('Arn')
  })
})

describe('the bus', () => {
  test('accepts requests from the accounts of treasury.json, and nothing in our name', () => {
    const [bus, ...others] = resources('AWS::Events::EventBus')
    expect(others).toEqual([])
    expect(bus?.Name).toBe('sluice')
    expect(bus?.Policy.Statement).toMatchObject([
      { Effect: 'Deny' },
      {
        Effect: 'Allow',
        Action: 'events:PutEvents',
        Condition: {
          StringEquals: { 'events:detail-type': Object.values(RequestEvent) },
          StringNotEquals: { 'events:source': 'sluice' },
        },
      },
    ])
    const principals = JSON.stringify(bus?.Policy.Statement[1].Principal)
    expect(principals.match(/:iam::\d{12}:root/g)).toEqual(OTHERS.map((account) => `:iam::${account}:root`))
  })

  test('has a policy that EventBridge accepts, of at most 10,240 characters, with the most accounts', () => {
    const requesters = Array.from({ length: 50 }, (_, index) => String(100_000_000_000 + index))
    const [bus] = resources('AWS::Events::EventBus', synthesizeTemplates({ requesters }).triggers)
    // With its pseudo parameters and joins the text is longer than the deployed one.
    expect(JSON.stringify(bus?.Policy).length).toBeLessThan(10_240)
  })

  test('accepts nothing from other accounts if treasury.json names none', () => {
    const [bus] = resources('AWS::Events::EventBus', bare)
    expect(bus?.Policy.Statement.map(({ Effect }: { readonly Effect: string }) => Effect)).toEqual(['Deny'])
    expect(resources('AWS::Events::EventBusPolicy', bare)).toEqual([])
  })

  test('accepts events in our name from the roles of Announce, ThrowSwitch and Resume alone', () => {
    const [{ Policy } = { Policy: undefined }] = resources('AWS::Events::EventBus', bare)
    const [{ Condition, ...statement }] = Policy.Statement
    expect(statement).toMatchObject({ Effect: 'Deny', Principal: '*', Action: 'events:PutEvents' })
    expect(Condition.StringEquals).toEqual({ 'events:source': 'sluice' })
    const roles: readonly unknown[] = Condition.ArnNotLike['aws:PrincipalArn']
    const own = ['sluice-announce', 'sluice-throw-switch', 'sluice-resume'].map(
      (name) => functionOf(name)?.Role['Fn::GetAtt'],
    )
    expect(roles.map((arn) => (arn as { readonly 'Fn::GetAtt': unknown })['Fn::GetAtt'])).toEqual(own)
  })
})

describe('the dead-letter queue', () => {
  test('is encrypted, keeps messages for 14 days, and requires TLS, like the queues of deposits and of payout files', () => {
    const kept = { SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 24 * 3600 }
    expect(resources('AWS::SQS::Queue')).toEqual([
      { QueueName: 'sluice-dead-letters', ...kept },
      expect.objectContaining({ QueueName: 'sluice-deposits', ...kept }),
      expect.objectContaining({ QueueName: 'sluice-payout-files', ...kept }),
    ])
    const policies = resources('AWS::SQS::QueuePolicy')
    expect(policies).toHaveLength(3)
    for (const { PolicyDocument } of policies)
      expect(PolicyDocument.Statement[0]).toMatchObject({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      })
    const [own] = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Sid }) => Sid === 'OwnSender')
    expect(own).toMatchObject({ Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sqs:SendMessage' })
    expect(JSON.stringify(own.Condition)).toMatch(/ArnNotEquals.*aws:PrincipalArn.*ReceiveWebhookRole/)
  })

  test('keeps what StartRun and Announce fail on, after two retries within an hour', () => {
    const configs = resources('AWS::Lambda::EventInvokeConfig')
    expect(configs.map(({ FunctionName }) => nameOf(FunctionName)).sort()).toEqual([
      'AnnounceFunction',
      'StartRunFunction',
    ])
    for (const { DestinationConfig, MaximumEventAgeInSeconds, MaximumRetryAttempts, Qualifier } of configs) {
      expect({ MaximumEventAgeInSeconds, MaximumRetryAttempts, Qualifier }).toEqual({
        MaximumEventAgeInSeconds: 3600,
        MaximumRetryAttempts: 2,
        Qualifier: '$LATEST',
      })
      expect(nameOf(DestinationConfig.OnFailure.Destination)).toBe('DeadLetters')
    }
  })
})

describe('webhooks', () => {
  test('have an address and a function only if treasury.json receives them', () => {
    expect(resources('AWS::Lambda::Url').filter(({ AuthType }) => AuthType === 'NONE')).toHaveLength(1)
    expect(resources('AWS::Lambda::Url', bare).map(({ AuthType }) => AuthType)).toEqual(Array(5).fill('AWS_IAM'))
    expect(
      resources('AWS::Lambda::Function', bare)
        .map(({ FunctionName }) => FunctionName)
        .sort(),
    ).toEqual([
      ...['sluice-announce', 'sluice-decide', 'sluice-release', 'sluice-request-run', 'sluice-resume'],
      ...['sluice-start-run', 'sluice-throw-switch'],
    ])
  })

  test.each<[string, object, object]>([
    [
      'have 10 of the account’s concurrency and ThrowSwitch 5 of its own',
      {},
      { 'throw-switch': 5, 'receive-webhook': 10 },
    ],
    [
      'have as many as treasury.json says',
      { webhooks: { signatureHeader: 'X-S', mostAtOnce: 7 } },
      { 'throw-switch': 5, 'receive-webhook': 7 },
    ],
    ['share it with everything, if the account has too little', { concurrency: 'shared' }, {}],
  ])('%s', (_fact, changes, shares) => {
    const webhooks = { signatureHeader: 'X-S' }
    const functions = resources('AWS::Lambda::Function', synthesizeTemplates({ webhooks, ...changes }).triggers)
    const reserved = functions.flatMap(({ FunctionName, ReservedConcurrentExecutions: share }) =>
      share === undefined ? [] : [[FunctionName.replace('sluice-', ''), share]],
    )
    expect(Object.fromEntries(reserved)).toEqual(shares)
  })

  test('pass through a queue, whose messages are repeated for an hour and are then dead letters', () => {
    const [, queue] = resources('AWS::SQS::Queue')
    expect(queue?.RedrivePolicy.maxReceiveCount * queue?.VisibilityTimeout).toBe(3600)
    expect(nameOf(queue?.RedrivePolicy.deadLetterTargetArn)).toBe('DeadLetters')
    const mappings = resources('AWS::Lambda::EventSourceMapping')
    const mapping = mappings.find(({ EventSourceArn }) => nameOf(EventSourceArn) === 'DepositsQueue')
    expect(nameOf(mapping?.FunctionName)).toBe('StartOnDepositFunction')
    expect(mapping).toMatchObject({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    })
    // Lambda refuses a mapping whose messages others can see while the function works, and recommends this value.
    expect(queue?.VisibilityTimeout).toBe(6 * functionOf('sluice-start-on-deposit')?.Timeout)
  })

  test('keep their queue when they are removed from treasury.json, so that no message in it is deleted', () => {
    expect(resources('AWS::SQS::Queue', bare).map(({ QueueName }) => QueueName)).toContain('sluice-deposits')
    expect(resources('AWS::Lambda::EventSourceMapping', bare)).toEqual([])
  })

  test('know the header and no key', () => {
    const { Environment: environment } = functionOf('sluice-receive-webhook') ?? {}
    expect(environment.Variables).toMatchObject({ [Environment.WebhookHeader]: 'X-Signature' })
    expect(environment.Variables).not.toHaveProperty(Environment.KeySecret)
  })
})

test('StartRun knows the ARN of every machine, StartOnDeposit only its own, ReceiveWebhook none', () => {
  const machinesOf = (name: string) =>
    Object.values(StateMachine).filter((machine) =>
      JSON.stringify(functionOf(name)?.Environment.Variables[Environment.StateMachines] ?? '').includes(machine),
    )
  expect(machinesOf('sluice-start-run')).toEqual(Object.values(StateMachine))
  expect(machinesOf('sluice-start-on-deposit')).toEqual([StateMachine.Rebalance])
  expect(machinesOf('sluice-receive-webhook')).toEqual([])
})

describe('payout files', () => {
  const named = (type: string, field: string, name: string) =>
    resources(type).find((properties) => properties[field] === name)

  test('their function reads objects of the place alone, and starts sweeps alone', () => {
    const role = named('AWS::Lambda::Function', 'FunctionName', 'sluice-start-on-file')?.Role['Fn::GetAtt'][0]
    const statements = statementsOf(triggers, role)
    const resourcesOf = (action: string) =>
      JSON.stringify(statements.filter(({ Action, Effect }) => Effect === 'Allow' && [Action].flat().includes(action)))
    expect(JSON.stringify(statements)).not.toMatch(/secretsmanager:Get|s3:Put|s3:List/)
    expect(resourcesOf('s3:GetObjectVersion')).toContain(':s3:::company-payouts/salaries/*')
    expect(resourcesOf('states:StartExecution')).toContain('sluice-sweep')
    expect(resourcesOf('states:StartExecution')).not.toMatch(/sluice-(convert|withdraw|rebalance)/)
  })

  test('the rule passes new objects of the place and of this account, to a queue that only it fills', () => {
    expect(named('AWS::Events::Rule', 'Name', 'sluice-payout-files')?.EventPattern).toEqual({
      ...{ source: ['aws.s3'], 'detail-type': ['Object Created'], account: [{ Ref: 'AWS::AccountId' }] },
      detail: { bucket: { name: ['company-payouts'] }, object: { key: [{ prefix: 'salaries/' }] } },
    })
    const queue = named('AWS::SQS::Queue', 'QueueName', 'sluice-payout-files')
    expect(queue).toMatchObject({ VisibilityTimeout: 900, RedrivePolicy: { maxReceiveCount: 96 } })
  })

  test('without a policy that takes files there is no function, no queue and no rule of them, and never a bucket', () => {
    expect(JSON.stringify(bare)).not.toMatch(/payout-files|start-on-file/)
    expect(resources('AWS::S3::Bucket')).toEqual([])
  })
})

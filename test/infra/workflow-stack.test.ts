// Each function has one place in the deployment, with the key, the permissions and the files that its step needs.
import type { Template } from 'aws-cdk-lib/assertions'
import { beforeAll, describe, expect, test } from 'vitest'
import { Environment } from '../../core/contract/environment.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { synthesizeTemplates, type Templates, treasury } from './assembly.ts'
import { permissionsOf as rolePermissions, statementsOf } from './permissions.ts'

let templates: Templates
let functions: Record<string, ReturnType<Template['findResources']>[string]>
beforeAll(() => {
  templates = synthesizeTemplates()
  functions = Object.fromEntries(
    Object.values(templates.workflow.findResources('AWS::Lambda::Function')).map((resource) => [
      resource.Properties.FunctionName,
      resource,
    ]),
  )
})

const permissionsOf = (roleId: string): string[] => rolePermissions(templates.workflow, roleId, nameOf)

/** A readable name of the resource behind a reference, from its logical id. */
function nameOf(resource: unknown): string {
  if (typeof resource === 'string') return resource
  const text = JSON.stringify(resource)
  const named =
    /table\/sluice-journal|secret:[A-Za-z/-]+(?=-\?{6})|key\/\*|(?:Quote|PollOrder|Order|CheckWithdrawal|PollWithdrawal|Withdraw|Conclude|Reconcile|Convert|PlanRebalance|PlanSweep|SettleRun|LookAgain)(?:Log|Function)|(?:Convert|Withdraw|Rebalance|Sweep)Machine|execution:sluice-[a-z]+:\*|rule\/\w+/.exec(
      text,
    )?.[0] ?? text
  return named + (/\/index\/\w+/.exec(text)?.[0] ?? '') + (text.endsWith('":*"]]}') ? ':*' : '')
}

const roleOf = (name: string): string => functions[name]?.Properties.Role['Fn::GetAtt'][0]

describe('functions', () => {
  test('each verb has one, on Node 24 and arm64, from one asset, with its own log group', () => {
    expect(Object.keys(functions).sort()).toEqual([
      'sluice-check-withdrawal',
      'sluice-conclude',
      'sluice-declare-foreign',
      'sluice-describe',
      'sluice-look-again',
      'sluice-order',
      'sluice-plan-rebalance',
      'sluice-plan-sweep',
      'sluice-poll-order',
      'sluice-poll-withdrawal',
      'sluice-quote',
      'sluice-reconcile',
      'sluice-resolve',
      'sluice-settle-run',
      'sluice-withdraw',
    ])
    const settings = Object.values(functions).map(({ Properties }) => Properties)
    for (const { Runtime, Architectures, LoggingConfig } of settings) {
      expect({ Runtime, Architectures }).toEqual({ Runtime: 'nodejs24.x', Architectures: ['arm64'] })
      expect(LoggingConfig.LogGroup.Ref).toBeDefined()
    }
    expect(new Set(settings.map(({ Code }) => JSON.stringify(Code))).size).toBe(1)
  })

  test('every log group has a retention', () => {
    const groups = Object.values(templates.workflow.findResources('AWS::Logs::LogGroup'))
    // Fifteen functions and four machines.
    expect(groups.map((group) => group.Properties.RetentionInDays)).toEqual(Array(19).fill(180))
  })

  test.each([
    ['sluice-quote', 'trade'],
    ['sluice-order', 'trade'],
    ['sluice-poll-order', 'read'],
    ['sluice-check-withdrawal', 'read'],
    ['sluice-withdraw', 'transfer'],
    ['sluice-poll-withdrawal', 'read'],
    ['sluice-reconcile', 'read'],
    ['sluice-plan-rebalance', 'read'],
    ['sluice-plan-sweep', 'read'],
    ['sluice-settle-run', 'read'],
    ['sluice-look-again', 'read'],
  ])('%s calls the service of the parameter, with the %s key', (name, keyRole) => {
    expect(functions[name]?.Properties.Environment.Variables).toMatchObject({
      [Environment.ServiceUrl]: { Ref: 'ServiceUrl' },
      [Environment.Stage]: 'test',
      [Environment.KeyRole]: keyRole,
      [Environment.Timing]: JSON.stringify(treasury.timing),
    })
  })

  test('only functions that check guards or quiet hours, plan, or describe know the treasury file beside their code', () => {
    const knowing = Object.keys(functions).filter(
      (name) => functions[name]?.Properties.Environment.Variables[Environment.TreasuryFile] === 'treasury.json',
    )
    expect(knowing.sort()).toEqual([
      'sluice-check-withdrawal',
      'sluice-describe',
      'sluice-look-again',
      'sluice-order',
      'sluice-plan-rebalance',
      'sluice-plan-sweep',
      'sluice-quote',
      'sluice-reconcile',
      'sluice-settle-run',
      'sluice-withdraw',
    ])
  })

  test('conclude knows neither the service nor a key', () => {
    expect(Object.keys(functions['sluice-conclude']?.Properties.Environment.Variables).sort()).toEqual(
      [Environment.JournalTable, Environment.Timing].sort(),
    )
  })

  test('the address of the service is a parameter, by default the one of treasury.json', () => {
    expect(templates.workflow.findParameters('ServiceUrl').ServiceUrl).toMatchObject({
      Type: 'String',
      Default: treasury.service.url,
    })
  })
})

/** AWS has no resources for these actions. */
const TRACES = ['xray:PutTelemetryRecords → *', 'xray:PutTraceSegments → *']

describe('permissions', () => {
  const logs = (id: string) => [`logs:CreateLogStream → ${id}Log`, `logs:PutLogEvents → ${id}Log`]
  const table = 'table/sluice-journal'
  const reads = [`dynamodb:DescribeTable → ${table}`, `dynamodb:GetItem → ${table}`]
  const journal = [...reads, `dynamodb:PutItem → ${table}`]
  const listedJournal = [...journal, `dynamodb:Query → ${table}/index/listed`]
  const counts = ['kms:GetPublicKey → key/*']
  const key = [`secretsmanager:GetSecretValue → secret:${treasury.service.keySecret}`]

  test.each([
    ['sluice-quote', [...journal, ...counts, ...logs('Quote'), ...key]],
    ['sluice-order', [...journal, ...counts, ...logs('Order'), `never dynamodb:PutItem → ${table}`, ...key]],
    ['sluice-poll-order', [...reads, ...logs('PollOrder'), ...key]],
    ['sluice-check-withdrawal', [...journal, ...counts, ...logs('CheckWithdrawal'), ...key]],
    ['sluice-withdraw', [...journal, ...counts, ...logs('Withdraw'), ...key]],
    ['sluice-poll-withdrawal', [...reads, ...logs('PollWithdrawal'), ...key]],
    ['sluice-conclude', [...journal, ...logs('Conclude')]],
    ['sluice-reconcile', [...listedJournal, ...counts, ...logs('Reconcile'), ...key]],
    ['sluice-plan-rebalance', [...listedJournal, ...counts, ...logs('PlanRebalance'), ...key]],
    ['sluice-plan-sweep', [...listedJournal, ...counts, ...logs('PlanSweep'), ...key]],
    ['sluice-settle-run', [...journal, ...logs('SettleRun'), ...key]],
    [
      'sluice-look-again',
      [
        `dynamodb:DescribeTable → ${table}`,
        `dynamodb:GetItem → ${table}`,
        `dynamodb:Query → ${table}/index/listed`,
        ...counts,
        ...logs('LookAgain'),
        ...key,
        ...['convert', 'rebalance', 'sweep', 'withdraw'].map(
          (machine) => `states:DescribeExecution → execution:sluice-${machine}:*`,
        ),
        'states:ListExecutions → WithdrawMachine',
        ...['Convert', 'Rebalance', 'Sweep', 'Withdraw'].map((machine) => `states:StartExecution → ${machine}Machine`),
      ],
    ],
  ])('%s may do exactly this', (name, permissions) => {
    expect(permissionsOf(roleOf(name))).toEqual([...permissions, ...TRACES])
  })

  const children = (...machines: readonly string[]) => [
    ...machines.map((machine) => `states:DescribeExecution → execution:sluice-${machine.toLowerCase()}:*`),
    ...machines.map((machine) => `states:StartExecution → ${machine}Machine`),
    ...machines.map((machine) => `states:StopExecution → execution:sluice-${machine.toLowerCase()}:*`),
  ]
  // Step Functions learns through these of the end of an execution that it waits for.
  const waiting = ['DescribeRule', 'PutRule', 'PutTargets'].map(
    (action) => `events:${action} → rule/StepFunctionsGetEventsForStepFunctionsExecutionRule`,
  )
  test.each([
    [StateMachine.Convert, ['Conclude', 'Order', 'PollOrder', 'Quote'], []],
    [StateMachine.Withdraw, ['CheckWithdrawal', 'Conclude', 'PollWithdrawal', 'Withdraw'], []],
    [StateMachine.Rebalance, ['PlanRebalance', 'SettleRun'], [...waiting, ...children('Convert')]],
    [StateMachine.Sweep, ['PlanSweep', 'SettleRun'], [...waiting, ...children('Convert', 'Withdraw')]],
  ])(
    '%s may invoke its functions, run the machines of its legs, and otherwise only write logs and traces',
    (name, invoked, runs) => {
      const machines = Object.values(templates.workflow.findResources('AWS::StepFunctions::StateMachine'))
      const machine = machines.find(({ Properties }) => Properties.StateMachineName === name)
      const permissions = permissionsOf(machine?.Properties.RoleArn['Fn::GetAtt'][0])
      const others = permissions.filter((permission) => !/^(logs|xray):[A-Za-z]+ → \*$/.test(permission))
      // The role may call any version of a function, because earlier definitions name earlier versions.
      const called = invoked.map((verb) => `${verb}Function:*`)
      // Announce belongs to another stack, so its function is known by name.
      const announces = others.filter(
        (each) => each.startsWith('lambda:') && each.includes(':function:sluice-announce"'),
      )
      expect(announces).toHaveLength(name === StateMachine.Convert || name === StateMachine.Withdraw ? 1 : 0)
      const ofThis = others.filter((each) => !announces.includes(each))
      expect(ofThis).toEqual([...runs, ...called.map((each) => `lambda:InvokeFunction → ${each}`)].sort())
    },
  )

  test('the audit may write its own watermark and the log of configurations, and no other record of the journal', () => {
    const writes = statementsOf(templates.workflow, roleOf('sluice-reconcile')).filter(({ Action }) =>
      [Action].flat().includes('dynamodb:PutItem'),
    )
    expect(writes).toMatchObject([
      {
        Action: 'dynamodb:PutItem',
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['W#reconcile', 'Y#configuration*', 'A#names'] },
        },
      },
    ])
  })

  test('Step Functions and Scheduler assume a role for one resource of this account', () => {
    const roles = Object.values(templates.workflow.findResources('AWS::IAM::Role'))
    const trusts = roles.map(({ Properties }) => Properties.AssumeRolePolicyDocument.Statement[0])
    const sources = trusts.flatMap(({ Condition, Principal }) => {
      if (Principal.Service === 'lambda.amazonaws.com') return []
      expect(Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } })
      return /:(stateMachine:[^"]*|schedule-group[^"]*)"/.exec(JSON.stringify(Condition.ArnEquals))?.[1]
    })
    const machines = ['convert', 'rebalance', 'sweep', 'withdraw'].map((name) => `stateMachine:sluice-${name}`)
    expect(sources.sort()).toEqual(['schedule-group/sluice-checks', 'schedule-group/sluice-checks', ...machines])
  })

  test.each([
    ['sluice-audit', 'cron(0 * * * ? *)', 3, 'Reconcile', '{}'],
    ['sluice-audit-continued', 'cron(15,30,45 * * * ? *)', 3, 'Reconcile', '{"continues":true}'],
    ['sluice-look-again', 'cron(0/5 * * * ? *)', 2, 'LookAgain', '{}'],
  ])('%s runs by a role that may invoke it and nothing else', (name, expression, retries, verb, input) => {
    const schedules = Object.values(templates.workflow.findResources('AWS::Scheduler::Schedule'))
    const schedule = schedules.find(({ Properties }) => Properties.Name === name)
    const { ScheduleExpression, State, Target } = schedule?.Properties ?? {}
    expect({ ScheduleExpression, State }).toEqual({ ScheduleExpression: expression, State: undefined })
    expect(Target).toMatchObject({ Input: input, RetryPolicy: { MaximumRetryAttempts: retries } })
    expect(permissionsOf(Target.RoleArn['Fn::GetAtt'][0])).toEqual([`lambda:InvokeFunction → ${verb}Function`])
  })

  test('no function may do anything but write traces on every resource, and no role has a managed policy', () => {
    for (const name of Object.keys(functions)) {
      expect(permissionsOf(roleOf(name)).filter((permission) => permission.endsWith(' → *'))).toEqual(TRACES)
    }
    for (const role of Object.values(templates.workflow.findResources('AWS::IAM::Role'))) {
      expect(role.Properties.ManagedPolicyArns).toBeUndefined()
    }
  })
})

describe('roles with keys of their own', () => {
  const KMS_KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
  const service = (tradeKmsKey: string) => ({
    ...treasury.service,
    keys: { read: { secret: 'read-key' }, trade: { secret: 'trade-key', kmsKey: tradeKmsKey } },
  })

  function synthesize(kmsKey: string) {
    templates = synthesizeTemplates({ service: service(kmsKey) })
    const roles = Object.values(templates.workflow.findResources('AWS::Lambda::Function')).map(({ Properties }) => [
      Properties.FunctionName,
      {
        keys: permissionsOf(Properties.Role['Fn::GetAtt'][0]).filter((line) => /^(kms|secretsmanager):/.test(line)),
        variables: Properties.Environment.Variables,
      },
    ])
    return Object.fromEntries(roles)
  }

  test('a function reads the secret of its role only, and only the sending function may have KMS sign', () => {
    const of = synthesize(KMS_KEY)
    const trade = 'secretsmanager:GetSecretValue → secret:trade-key'
    const counts = 'kms:GetPublicKey → key/*'
    expect(of['sluice-quote'].keys).toEqual([counts, trade])
    expect(of['sluice-order'].keys).toEqual([counts, `kms:Sign → ${KMS_KEY}`, trade])
    expect(of['sluice-poll-order'].keys).toEqual(['secretsmanager:GetSecretValue → secret:read-key'])
    expect(of['sluice-conclude'].keys).toEqual([])
    expect(of['sluice-order'].variables).toMatchObject({ [Environment.KmsKey]: KMS_KEY })
    expect(of['sluice-poll-order'].variables).not.toHaveProperty(Environment.KmsKey)
  })

  test('a condition asks for an alias, because IAM knows keys only', () => {
    synthesize('alias/sluice-trade')
    const statements = Object.values(templates.workflow.findResources('AWS::IAM::Policy'))
      .flatMap((policy) => policy.Properties.PolicyDocument.Statement)
      .filter(({ Action, Effect }) => Effect === 'Allow' && JSON.stringify(Action).includes('kms:Sign'))
    expect(statements).toEqual([
      {
        Effect: 'Allow',
        Action: 'kms:Sign',
        Resource: expect.anything(),
        Condition: { StringEquals: { 'kms:RequestAlias': 'alias/sluice-trade' } },
      },
    ])
    expect(JSON.stringify(statements[0].Resource)).toMatch(/kms:.*:key\/\*/)
  })
})

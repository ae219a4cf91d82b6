// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Fn::Sub and DefinitionSubstitutions write their placeholders like this.
import { expect, test } from 'vitest'
import { planDeployment } from '../../assembly/plan-deployment.ts'
import type { Assembly } from '../../assembly/read-assembly.ts'
import { Access } from '../../endpoint/access.ts'

function assemblyOf(type: string, properties: object, condition?: string): Assembly {
  const role = { type: 'AWS::IAM::Role', properties: { RoleName: 'x' }, path: 'App/Role', condition: undefined }
  const resource = { type, properties, path: 'App/Thing', condition }
  const template = { parameters: {}, outputs: {}, resources: { Role: role, Thing: resource } }
  const stack = { name: 'Stack', account: '111122223333', region: 'eu-west-1', template }
  return { stacks: [stack], assetDirs: new Map([['code.zip', import.meta.dirname]]) }
}

const FUNCTION = {
  Runtime: 'nodejs24.x',
  Handler: 'index.handler',
  Role: 'arn:aws:iam::111122223333:role/x',
  Code: { S3Bucket: 'b', S3Key: 'code.zip' },
}
const MACHINE = { RoleArn: 'arn:aws:iam::111122223333:role/x', DefinitionString: '{}' }

const SCHEDULE_TYPE = 'AWS::Scheduler::Schedule'
const SCHEDULE = {
  ScheduleExpression: 'rate(1 hour)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: 'arn:aws:sqs:eu-west-1:111122223333:x', RoleArn: 'arn:aws:iam::111122223333:role/x' },
}

test('a function takes the defaults of Lambda for fields that its template leaves out', () => {
  const [planned] = planDeployment(assemblyOf('AWS::Lambda::Function', FUNCTION), {}).functions
  expect(planned).toMatchObject({ name: 'Stack-Thing', timeoutSeconds: 3, memoryMb: 128, environment: {} })
})

test('a name that would be too long ends in a hash', () => {
  const assembly = assemblyOf('AWS::Lambda::Function', FUNCTION)
  const [stack] = assembly.stacks
  const long = { stacks: [{ ...stack, name: 'S'.repeat(80) }], assetDirs: assembly.assetDirs } as Assembly
  expect(planDeployment(long, {}).functions[0]?.name).toMatch(/^S{55}-[0-9a-f]{8}$/)
})

test('the ARN of a version is the ARN of its function and a number', () => {
  const assembly = assemblyOf('AWS::Lambda::Function', FUNCTION)
  const [stack] = assembly.stacks
  const resource = (type: string, properties: object) => ({
    type,
    properties,
    path: `Stack/${type}`,
    condition: undefined,
  })
  const resources = {
    ...stack?.template.resources,
    Version: resource('AWS::Lambda::Version', { FunctionName: { Ref: 'Thing' } }),
    Machine: resource('AWS::StepFunctions::StateMachine', { ...MACHINE, DefinitionString: { Ref: 'Version' } }),
  }
  const changed = { ...assembly, stacks: [{ ...stack, template: { ...stack?.template, resources } }] } as Assembly
  const [machine] = planDeployment(changed, {}).stateMachines
  expect(machine?.definitionText).toMatch(/:function:Stack-Thing:1$/)
})

/** A role below a path, with a policy, a function, and a boundary of the same assembly. */
function boundAssembly(boundary: string): Assembly {
  const assembly = assemblyOf('AWS::Lambda::Function', { ...FUNCTION, Role: { 'Fn::GetAtt': ['Role', 'Arn'] } })
  const [stack] = assembly.stacks
  const resource = (type: string, properties: object) => ({
    type,
    properties,
    path: `App/${type}`,
    condition: undefined,
  })
  const allow = (...actions: string[]) => ({ Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] })
  const resources = {
    ...stack?.template.resources,
    Role: resource('AWS::IAM::Role', { RoleName: 'x', Path: '/company/', PermissionsBoundary: boundary }),
    Policy: resource('AWS::IAM::Policy', { Roles: [{ Ref: 'Role' }], PolicyDocument: allow('sqs:*', 'sns:*') }),
    Boundary: resource('AWS::IAM::ManagedPolicy', { ManagedPolicyName: 'boundary', PolicyDocument: allow('sqs:*') }),
  }
  return { ...assembly, stacks: [{ ...stack, template: { ...stack?.template, resources } }] } as Assembly
}

const BOUND_ROLE = 'arn:aws:iam::111122223333:role/company/x'

test('the ARN of a role has its path, and a policy reaches the role by its name', () => {
  const { boundaries, functions, policies } = planDeployment(boundAssembly('arn:aws:iam::aws:policy/elsewhere'), {})
  expect(functions[0]?.roleArn).toBe(BOUND_ROLE)
  expect([...policies].map(([role, statements]) => [role, statements.length])).toEqual([[BOUND_ROLE, 1]])
  // Nobody here knows a boundary from outside the assembly.
  expect(boundaries.size).toBe(0)
})

test('a permissions boundary of the assembly takes from a role what it does not allow itself', () => {
  const { account, boundaries, policies } = planDeployment(
    boundAssembly('arn:aws:iam::111122223333:policy/boundary'),
    {},
  )
  const access = new Access({ account, policies, boundaries, resourcePolicies: new Map() })
  const ask = (action: string) => () =>
    access.authorise({ roleArn: BOUND_ROLE, functionName: 'f' }, { action, resource: '*' })
  expect(ask('sqs:SendMessage')).not.toThrow()
  expect(ask('sns:Publish')).toThrow(
    'User: arn:aws:sts::111122223333:assumed-role/x/f is not authorized to perform: sns:Publish on resource: * because no permissions boundary allows the sns:Publish action',
  )
})

test('DefinitionSubstitutions fill a definition', () => {
  const properties = {
    ...MACHINE,
    DefinitionString: '{"StartAt":"${First}"}',
    DefinitionSubstitutions: { First: 'A$&' },
  }
  const [planned] = planDeployment(assemblyOf('AWS::StepFunctions::StateMachine', properties), {}).stateMachines
  expect(planned?.definitionText).toBe('{"StartAt":"A$&"}')
})

test.each<[string, string, object, string]>([
  ['an unknown type', 'AWS::EC2::Instance', {}, 'App/Thing: resources of type AWS::EC2::Instance'],
  ['a FIFO queue', 'AWS::SQS::Queue', { FifoQueue: true }, 'App/Thing.FifoQueue'],
  ['a rule on a schedule', 'AWS::Events::Rule', { ScheduleExpression: 'rate(1 hour)' }, 'Thing.EventPattern'],
  [
    'an operator of a pattern',
    'AWS::Events::Rule',
    { EventPattern: { a: [{ cidr: '::/0' }] } },
    'cidr is not supported',
  ],
  ['a partner’s bus', 'AWS::Events::EventBus', { EventSourceName: 'x' }, 'App/Thing.EventSourceName'],
  ['a schedule with a window', SCHEDULE_TYPE, { ...SCHEDULE, FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, '.Mode'],
  [
    'an invalid schedule expression',
    SCHEDULE_TYPE,
    { ...SCHEDULE, ScheduleExpression: 'daily' },
    'Thing.ScheduleExpression',
  ],
  ['a target outside the assembly', SCHEDULE_TYPE, SCHEDULE, 'its target is not a function, state machine or queue'],
  ['a custom resource', 'Custom::Thing', {}, 'App/Thing: resources of type Custom::Thing'],
  ['a stream of a table', 'AWS::DynamoDB::Table', { StreamSpecification: {} }, 'App/Thing.StreamSpecification'],
  ['layers of a function', 'AWS::Lambda::Function', { ...FUNCTION, Layers: [] }, 'App/Thing.Layers'],
  ['another runtime', 'AWS::Lambda::Function', { ...FUNCTION, Runtime: 'python3.13' }, 'python3.13 is not supported'],
  [
    'code that is not an asset',
    'AWS::Lambda::Function',
    { ...FUNCTION, Code: { S3Key: 'x.zip' } },
    'no folder for the asset',
  ],
  ['inline code', 'AWS::Lambda::Function', { ...FUNCTION, Code: { ZipFile: 'x' } }, 'App/Thing.Code.S3Key'],
  ['an express machine', 'AWS::StepFunctions::StateMachine', { ...MACHINE, StateMachineType: 'EXPRESS' }, 'EXPRESS'],
  [
    'a definition in S3',
    'AWS::StepFunctions::StateMachine',
    { RoleArn: 'a', DefinitionS3Location: {} },
    'DefinitionString',
  ],
  [
    'a managed policy',
    'AWS::IAM::Role',
    { ManagedPolicyArns: ['arn:aws:iam::aws:policy/X'] },
    'policy/X is not supported',
  ],
])('%s is refused', (_name, type, properties, message) => {
  expect(() => planDeployment(assemblyOf(type, properties), {})).toThrow(message)
})

test('a role outside the assembly is refused', () => {
  const elsewhere = { ...FUNCTION, Role: 'arn:aws:iam::111122223333:role/elsewhere' }
  expect(() => planDeployment(assemblyOf('AWS::Lambda::Function', elsewhere), {})).toThrow(
    'App/Thing: its role is not in the assembly',
  )
})

test('a resource under a condition is refused', () => {
  expect(() => planDeployment(assemblyOf('AWS::IAM::Role', {}, 'C'), {})).toThrow('App/Thing: a Condition')
})

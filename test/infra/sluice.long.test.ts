// The construct in another company's app: the same templates as ours, and what it gives to their stacks.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, type Environment, Stack, Validations } from 'aws-cdk-lib'
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions'
import { SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import { EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { AwsSolutionsChecks } from 'cdk-nag'
import { expect, test } from 'vitest'
import { FAULT_METRICS, METRICS, type MetricName } from '../../core/contract/metrics.ts'
import { declareStacks } from '../../infra/declare-stacks.ts'
import { ConfigError, parseTreasury, RequestEvent, Sluice, type SluiceProps } from '../../infra/index.ts'
import { BUNDLES_CONTEXT } from '../../infra/sluice.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { makeAuthority } from '../helpers/self-signed.ts'
import { buildApp, samplePolicies, stackOf, treasury, webhooks } from './assembly.ts'
import { largestTreasury, RECEIVERS } from './largest-treasury.ts'

const ROOT = join(import.meta.dirname, '../..')
const settings = { ...treasury, policies: samplePolicies, webhooks }
/** Outside of any construct. */
const ALONE = { env: {}, network: undefined, alarmTopics: undefined }
const KEYS = ['state', 'workflow', 'triggers', 'monitoring'] as const
const NAMES = {
  state: 'SluiceState',
  workflow: 'SluiceWorkflow',
  triggers: 'SluiceTriggers',
  monitoring: 'SluiceMonitoring',
}
const PLACE = { account: '123456789012', region: 'eu-west-1' }

function emptyBundle(folder: string): string {
  const bundleDir = join(folder, 'code')
  mkdirSync(bundleDir)
  writeFileSync(join(bundleDir, 'movements.js'), '')
  return bundleDir
}

/** Their stack, and the construct in it. */
function theirs(props: Partial<SluiceProps> = {}, env: Environment = PLACE, bundles = emptyBundle(temporaryFolder())) {
  const folder = temporaryFolder()
  const app = new App({
    outdir: join(folder, 'theirs'),
    context: { ...CURRENTLY_RECOMMENDED_FLAGS, [BUNDLES_CONTEXT]: bundles },
    // No test reads them, and they take a third of the time.
    ...{ analyticsReporting: false, stackTraces: false, treeMetadata: false },
  })
  const stack = new Stack(app, 'Payments', { env })
  const sluice = new Sluice(stack, 'Treasury', { treasury: settings, ...props })
  return {
    app,
    stack,
    sluice,
    role: new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
  }
}

const lambdaIn = (stack: Stack) =>
  new Lambda(stack, 'Listener', { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code: Code.fromInline('//') })

/** A permission of a rule has the path of its function in its id. */
const PATH_IN_ID = /(AllowEventRule)(?:PaymentsTreasury)?(\w+?)[0-9A-F]{16}"/g

/** The template without the paths of constructs, which begin with those of the app. */
const withoutPaths = (template: object) =>
  JSON.parse(JSON.stringify(template).replace(PATH_IN_ID, '$1$2"'), (key, value) =>
    key === 'aws:cdk:path' ? undefined : value,
  )

const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:123456789012:${resource}`

/** The partition is the only part that a stack in a known place leaves open. */
const resolved = (statements: object) =>
  JSON.parse(
    JSON.stringify(statements).replaceAll(
      /\{"Fn::Join":\["",\["arn:",\{"Ref":"AWS::Partition"\},"([^"]*)"\]\]\}/g,
      '"arn:aws$1"',
    ),
  )

const statementsOf = (stack: Stack) =>
  Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy')).flatMap(({ Properties }) =>
    resolved(Properties.PolicyDocument.Statement),
  )

test("the stacks are the same as our own app's, in an app with every feature flag of the CDK", () => {
  const folder = temporaryFolder()
  const ours = buildApp(folder, { policies: samplePolicies, webhooks })
  const { sluice } = theirs({}, {})
  for (const key of KEYS) {
    const stack = stackOf(ours, NAMES[key])
    expect(withoutPaths(Template.fromStack(sluice.stacks[key]).toJSON())).toEqual(
      withoutPaths(Template.fromStack(stack).toJSON()),
    )
    expect(sluice.stacks[key].stackName).toBe(stack.stackName)
    expect(sluice.stacks[key].terminationProtection).toBe(key === 'state')
  }
})

test.each(RECEIVERS)(
  'an app with cdk-nag that pins its place accepts the largest treasury, notices by %s',
  (receiver) => {
    const { aws } = largestTreasury(receiver)
    const { app } = theirs({ treasury: largestTreasury(receiver) }, aws)
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
    app.synth()
  },
)

test('the stacks are in the account and region of the stack around them', () => {
  const { sluice } = theirs()
  for (const key of KEYS) expect(sluice.stacks[key]).toMatchObject(PLACE)
})

test('each environment of one app has its own stacks', () => {
  const { app, sluice, stack } = theirs()
  const other = new Sluice(stack, 'Second', {
    treasury: { ...settings, environment: 'second' },
  })
  app.synth()
  expect(KEYS.map((key) => other.stacks[key].stackName)).toEqual(
    KEYS.map((key) => `second-${sluice.stacks[key].stackName}`),
  )
})

test.each([
  ['conversions', 'sluice-convert', (sluice: Sluice, role: Role) => sluice.grantConvert(role)],
  ['withdrawals', 'sluice-withdraw', (sluice: Sluice, role: Role) => sluice.grantWithdraw(role)],
  ['runs of a rebalance', 'sluice-rebalance', (sluice: Sluice, role: Role) => sluice.grantRebalance(role, 'hourly')],
  ['runs of a sweep', 'sluice-sweep', (sluice: Sluice, role: Role) => sluice.grantSweep(role, 'each-morning')],
] as const)('a grant of %s is for the executions of one state machine, and for nothing else', (_, machine, grant) => {
  const { role, sluice, stack } = theirs()
  grant(sluice, role)
  expect(statementsOf(stack)).toEqual([
    { Effect: 'Allow', Action: 'states:StartExecution', Resource: arn('states', `stateMachine:${machine}`) },
    { Effect: 'Allow', Action: 'states:DescribeExecution', Resource: arn('states', `execution:${machine}:*`) },
  ])
})

test('a grant of a request is for this kind of event, and never in the name of Sluice', () => {
  const { role, sluice, stack } = theirs()
  sluice.grantRequest(role, RequestEvent.Conversion)
  expect(statementsOf(stack)).toEqual([
    {
      Effect: 'Allow',
      Action: 'events:PutEvents',
      Resource: arn('events', 'event-bus/sluice'),
      Condition: {
        StringEquals: { 'events:detail-type': 'Conversion Requested' },
        StringNotEquals: { 'events:source': 'sluice' },
      },
    },
  ])
})

test('grants and rules of an environment carry its name', () => {
  const { role, sluice, stack } = theirs({ treasury: { ...settings, environment: 'live' } })
  sluice.grantConvert(role)
  sluice.onRunEnded('Ended')
  expect(statementsOf(stack)[0]).toMatchObject({ Resource: arn('states', 'stateMachine:live-sluice-convert') })
  Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', { EventBusName: 'live-sluice' })
})

test.each([
  ['an unknown policy', (sluice: Sluice, role: Role) => sluice.grantSweep(role, 'no-such'), 'each-morning'],
  ['a policy of another machine', (sluice: Sluice, role: Role) => sluice.grantSweep(role, 'hourly'), 'each-morning'],
])('a grant for %s is refused, with the policies that the machine runs', (_, grant, known) => {
  const { role, sluice } = theirs()
  expect(() => grant(sluice, role)).toThrow(ConfigError)
  expect(() => grant(sluice, role)).toThrow(known)
})

test('a grant for a policy names every policy that IAM cannot tell from it', () => {
  const { role, sluice } = theirs()
  sluice.grantRebalance(role, 'hourly')
  Annotations.fromStack(sluice.stacks.triggers).hasInfo(
    '*',
    Match.stringLikeRegexp('may start hourly, begun, over, on-request, and policies of its own'),
  )
})

test('a listener of ends is in their stack, which is deployed after the bus', () => {
  const { sluice, stack } = theirs()
  sluice.onConversionEnded('Ended', {
    target: new LambdaFunction(lambdaIn(stack)),
    eventPattern: { detail: { id: ['invoice-17'] } },
  })
  sluice.onWithdrawalEnded('Paid', { target: new SqsQueue(new Queue(stack, 'Queue')) })
  Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', {
    EventBusName: 'sluice',
    EventPattern: { source: ['sluice'], 'detail-type': ['Conversion Ended'], detail: { id: ['invoice-17'] } },
  })
  expect(stack.dependencies).toEqual([sluice.stacks.triggers])
})

test('a listener can be in another stack of theirs', () => {
  const { app, sluice } = theirs()
  const other = new Stack(app, 'Other')
  sluice.onSendingHalted('Halted', { target: new LambdaFunction(lambdaIn(other)), crossStackScope: other })
  Template.fromStack(other).hasResourceProperties('AWS::Events::Rule', {
    EventPattern: { source: ['sluice'], 'detail-type': ['Sending Halted'] },
  })
})

test('a construct directly in an app puts its listeners into the stack of the bus', () => {
  const folder = temporaryFolder()
  const app = new App({ outdir: join(folder, 'theirs'), context: { [BUNDLES_CONTEXT]: emptyBundle(folder) } })
  const sluice = new Sluice(app, 'Treasury', { treasury: settings })
  const rule = sluice.onApprovalAwaited('Awaited', { target: new LambdaFunction(lambdaIn(new Stack(app, 'Theirs'))) })
  expect(rule.stack).toBe(sluice.stacks.triggers)
  app.synth()
})

test('their stack imports nothing from ours, so that it never holds a resource of ours in its place', () => {
  const { role, sluice, stack } = theirs()
  sluice.grantConvert(role)
  sluice.stateMachines.withdraw.grantStartExecution(role)
  sluice.onSendingResumed('Resumed')
  new Rule(stack, 'Own', { eventBus: sluice.bus, eventPattern: { source: ['sluice'] } })
  EventBus.grantAllPutEvents(role)
  expect(JSON.stringify(Template.fromStack(stack).toJSON())).not.toMatch(/ImportValue|GetStackOutput/)
  for (const key of KEYS) expect(Template.fromStack(sluice.stacks[key]).findOutputs('Exports*')).toEqual({})
})

test('every function runs in the given VPC, reaches HTTPS only, and cannot change the network itself', () => {
  const { app, sluice } = theirs({ vpc: aVpc() })
  for (const stack of [sluice.stacks.workflow, sluice.stacks.triggers]) {
    const template = Template.fromStack(stack)
    const functions = Object.values(template.findResources('AWS::Lambda::Function'))
    const groups = functions.map(({ Properties }) => JSON.stringify(Properties.VpcConfig))
    expect(groups.length).toBeGreaterThan(2)
    expect(new Set(groups).size).toBe(1)
    expect(groups[0]).toContain('"SubnetIds":["subnet-1","subnet-2"]')
    template.hasResourceProperties('AWS::EC2::SecurityGroup', {
      SecurityGroupEgress: [Match.objectLike({ CidrIp: '0.0.0.0/0', IpProtocol: 'tcp', FromPort: 443, ToPort: 443 })],
    })
    const policies = Object.values(template.findResources('AWS::IAM::Policy')).map((each) => JSON.stringify(each))
    const connecting = policies.filter((text) => text.includes('ec2:CreateNetworkInterface'))
    expect(connecting).toHaveLength(functions.length)
    for (const text of connecting) expect(text).toContain('"Sid":"ConnectsNoOther"')
  }
  app.synth()

  function aVpc() {
    return Vpc.fromVpcAttributes(new Stack(new App(), 'Network', { env: PLACE }), 'Vpc', {
      vpcId: 'vpc-1',
      availabilityZones: ['eu-west-1a', 'eu-west-1b'],
      privateSubnetIds: ['subnet-1', 'subnet-2'],
    })
  }
})

test('functions run in the subnets and groups that treasury.json names, and a desk in none', () => {
  const subnets = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1']
  const groups = ['sg-0123456789abcdef0']
  const vpc = { id: 'vpc-0123456789abcdef0', subnets, securityGroups: groups }
  const aws = { account: '123456789012', region: 'eu-west-1', vpc }
  const bundleDir = emptyBundle(temporaryFolder())
  const stacksOf = (isDesk: boolean) =>
    declareStacks(new App(), {
      ...ALONE,
      treasury: parseTreasury(JSON.stringify({ ...treasury, aws })),
      bundleDir,
      isDesk,
    })
  const deployed = stacksOf(false)
  for (const stack of [deployed.workflow, deployed.triggers])
    Template.fromStack(stack).allResourcesProperties('AWS::Lambda::Function', {
      VpcConfig: { SecurityGroupIds: groups, SubnetIds: subnets },
    })
  expect(JSON.stringify(Template.fromStack(stacksOf(true).workflow).toJSON())).not.toContain('VpcConfig')
})

test('functions know the proxy and the authorities that treasury.json names, and a desk none', () => {
  const { cert } = makeAuthority()
  const proxy = { url: 'http://proxy.company.example:3128', except: ['.eu-west-1.amazonaws.com', 'vault.example'] }
  const vpc = { id: 'vpc-0123456789abcdef0', subnets: ['subnet-0123456789abcdef0'] }
  const aws = { account: '123456789012', region: 'eu-west-1', vpc, proxy, certificateAuthorities: [cert, cert] }
  const folder = temporaryFolder()
  const bundleDir = emptyBundle(folder)
  const outdir = join(folder, 'cdk.out')
  const stacksOf = (isDesk: boolean, app = new App()) =>
    declareStacks(app, { ...ALONE, treasury: parseTreasury(JSON.stringify({ ...treasury, aws })), bundleDir, isDesk })
  const app = new App({ outdir })
  const deployed = stacksOf(false, app)
  for (const stack of [deployed.workflow, deployed.triggers]) {
    const template = Template.fromStack(stack)
    template.allResourcesProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          HTTPS_PROXY: proxy.url,
          NODE_USE_ENV_PROXY: '1',
          NO_PROXY: '.eu-west-1.amazonaws.com,vault.example',
          NODE_EXTRA_CA_CERTS: '/var/task/certificate-authorities.pem',
        }),
      },
    })
    template.hasResourceProperties('AWS::EC2::SecurityGroup', {
      SecurityGroupEgress: [443, 3128].map((ToPort) => Match.objectLike({ ToPort })),
    })
  }
  app.synth()
  const [file = ''] = globSync(join(outdir, 'asset.*/certificate-authorities.pem'))
  expect(readFileSync(file, 'utf8')).toBe(`${cert}${cert}`)
  expect(JSON.stringify(Template.fromStack(stacksOf(true).workflow).toJSON())).not.toMatch(/PROXY|CA_CERTS/)
})

test('a port of the service is opened beside that of HTTPS, and given groups stand for our own', () => {
  const { stack } = theirs()
  const vpc = Vpc.fromVpcAttributes(stack, 'Vpc', {
    vpcId: 'vpc-1',
    availabilityZones: ['eu-west-1a'],
    isolatedSubnetIds: ['subnet-9'],
  })
  const place = { vpc, vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED } }
  const service = { ...treasury.service, url: 'https://service.example:8443' }
  const own = new Sluice(stack, 'Own', { treasury: { ...treasury, environment: 'own', service }, ...place })
  const securityGroups = [SecurityGroup.fromSecurityGroupId(stack, 'Group', 'sg-1')]
  const given = new Sluice(stack, 'Given', {
    treasury: { ...treasury, environment: 'given' },
    securityGroups,
    ...place,
  })
  Template.fromStack(own.stacks.workflow).hasResourceProperties('AWS::EC2::SecurityGroup', {
    SecurityGroupEgress: [443, 8443].map((ToPort) => Match.objectLike({ ToPort })),
  })
  const template = Template.fromStack(given.stacks.workflow)
  template.resourceCountIs('AWS::EC2::SecurityGroup', 0)
  template.allResourcesProperties('AWS::Lambda::Function', {
    VpcConfig: { SecurityGroupIds: ['sg-1'], SubnetIds: ['subnet-9'] },
  })
})

test('subnets without a VPC are refused', () => {
  expect(() => theirs({ vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED } })).toThrow(
    'vpcSubnets: expected vpc too',
  )
})

test('a given key encrypts what treasury.json names no key for, and is in the deployed configuration', () => {
  const keyArn = (last: string) => `arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890${last}`
  const { sluice } = theirs({
    treasury: { ...settings, encryption: { logs: keyArn('22') } },
    encryptionKey: Key.fromKeyArn(new Stack(new App(), 'Keys'), 'Key', keyArn('11')),
  })
  Template.fromStack(sluice.stacks.state).hasResourceProperties('AWS::DynamoDB::Table', {
    SSESpecification: { KMSMasterKeyId: keyArn('11') },
  })
  Template.fromStack(sluice.stacks.workflow).allResourcesProperties('AWS::Logs::LogGroup', { KmsKeyId: keyArn('22') })
})

test('a key that the same deployment makes is refused, because its ARN is not known', () => {
  const encryptionKey = new Key(new Stack(new App(), 'Keys'), 'Key')
  expect(() => theirs({ encryptionKey })).toThrow('encryptionKey: expected a key whose ARN is known')
})

test('alarms of a severity also notify a topic of theirs', () => {
  const { app } = theirs()
  const operations = new Stack(app, 'Operations', { env: PLACE })
  const { stacks } = new Sluice(operations, 'Watched', {
    treasury: { ...settings, environment: 'watched' },
    alarmTopics: { page: Topic.fromTopicArn(operations, 'OnCall', 'arn:aws:sns:eu-west-1:123456789012:on-call') },
  })
  const alarms = Object.values(Template.fromStack(stacks.monitoring).findResources('AWS::CloudWatch::Alarm'))
  for (const { Properties } of alarms) {
    const isPage = Properties.AlarmDescription.startsWith('page')
    expect(JSON.stringify(Properties.AlarmActions).includes(':on-call')).toBe(isPage)
  }
  expect(new Set(alarms.map(({ Properties }) => Properties.AlarmActions.length))).toEqual(new Set([1, 2]))
})

test('a treasury.json that cannot be used is refused with its findings', () => {
  expect(() => theirs({ treasury: { service: { url: 'ftp://x', stage: 'test' } } })).toThrow(ConfigError)
  expect(() => theirs({ treasury: join(temporaryFolder(), 'none.json') })).toThrow(/no such file; .*property treasury$/)
  expect(() => theirs({ treasury: {} as never })).toThrow(/^treasury: service:/m)
})

test('a folder without bundles is refused by its path', () => {
  expect(() => theirs({}, PLACE, '/no/such/folder')).toThrow('/no/such/folder')
})

test('each metric has a function that writes it', () => {
  const sources = globSync('{functions,core}/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('metrics.ts'))
  const written = sources.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
  const counted = Object.values(FAULT_METRICS).flat()
  const silent = Object.keys(METRICS).filter(
    (name) => !new RegExp(`\\b${name}\\b[:,]| ${name} }`).test(written) && !counted.includes(name as MetricName),
  )
  expect(silent).toEqual([])
})

test('another app of the same place starts runs, listens and reads metrics by the names of a deployment', () => {
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS })
  const stack = new Stack(app, 'Theirs', { env: PLACE })
  const sluice = Sluice.fromEnvironment(stack, 'Treasury', { environment: 'acme' })
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  sluice.grantSweep(role, 'to-cold')
  sluice.grantRequest(role, RequestEvent.Conversion)
  sluice.onRunEnded('Ended', { target: new LambdaFunction(lambdaIn(stack)) })
  expect(sluice.metric('OwnFaults').namespace).toBe('acme-Sluice')
  const template = Template.fromStack(stack)
  const [policy] = Object.values(template.findResources('AWS::IAM::Policy'))
  const words = JSON.stringify(policy)
  for (const named of ['stateMachine:acme-sluice-sweep', 'execution:acme-sluice-sweep:*', 'event-bus/acme-sluice'])
    expect(words).toContain(named)
  template.hasResourceProperties('AWS::Events::Rule', { EventBusName: 'acme-sluice' })
  // Nothing of the deployment is declared here, and nothing is imported.
  expect(Object.keys(template.findResources('AWS::StepFunctions::StateMachine'))).toEqual([])
  expect(JSON.stringify(template.toJSON())).not.toContain('Fn::ImportValue')
})

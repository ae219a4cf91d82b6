// Tests which networks of functions an assembly may have: those that Lambda would take.
import { expect, test } from 'vitest'
import { planDeployment } from '../../assembly/plan-deployment.ts'
import type { Assembly } from '../../assembly/read-assembly.ts'

const ROLE = 'arn:aws:iam::111122223333:role/x'
const CONNECTING = 'arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole'

/** An assembly with VPCs, a subnet and a group of each, and a function. */
function planned(vpcConfig: object | undefined, role: object = { ManagedPolicyArns: [CONNECTING] }) {
  const resource = (type: string, properties: object) => ({
    type,
    properties,
    path: `App/${type}`,
    condition: undefined,
  })
  const inVpc = (at: number) => ({
    [`Vpc${at}`]: resource('AWS::EC2::VPC', { CidrBlock: `10.${at}.0.0/16` }),
    [`Subnet${at}`]: resource('AWS::EC2::Subnet', {
      VpcId: { Ref: `Vpc${at}` },
      CidrBlock: { 'Fn::GetAtt': [`Vpc${at}`, 'CidrBlock'] },
      AvailabilityZone: { 'Fn::Select': [0, { 'Fn::GetAZs': '' }] },
    }),
    [`Group${at}`]: resource('AWS::EC2::SecurityGroup', { GroupDescription: 'x', VpcId: { Ref: `Vpc${at}` } }),
  })
  const resources = {
    ...inVpc(1),
    ...inVpc(2),
    Nat: resource('AWS::EC2::NatGateway', { SubnetId: { Ref: 'Subnet1' } }),
    Role: resource('AWS::IAM::Role', { RoleName: 'x', ...role }),
    Function: resource('AWS::Lambda::Function', {
      ...{ Runtime: 'nodejs24.x', Handler: 'index.handler', Role: ROLE, Code: { S3Bucket: 'b', S3Key: 'code.zip' } },
      ...(vpcConfig !== undefined && { VpcConfig: vpcConfig }),
    }),
    Zone: resource('AWS::SQS::Queue', { QueueName: { 'Fn::GetAtt': ['Subnet1', 'AvailabilityZone'] } }),
  }
  const template = { parameters: {}, outputs: {}, resources }
  const stack = { name: 'Stack', account: '111122223333', region: 'eu-west-1', template }
  const assembly: Assembly = { stacks: [stack], assetDirs: new Map([['code.zip', import.meta.dirname]]) }
  return planDeployment(assembly, {})
}

const subnet = (at: number) => ({ Ref: `Subnet${at}` })
const group = (at: number) => ({ 'Fn::GetAtt': [`Group${at}`, 'GroupId'] })
const config = (SubnetIds: readonly unknown[], SecurityGroupIds: readonly unknown[]) => ({
  SubnetIds,
  SecurityGroupIds,
})

test('a function keeps the ids of its subnets and groups, and a subnet is in a zone of the region', () => {
  const { functions, queues } = planned(config([subnet(1)], [group(1)]))
  expect(functions[0]?.vpc).toEqual({
    subnetIds: [expect.stringMatching(/^subnet-[0-9a-f]{17}$/)],
    securityGroupIds: [expect.stringMatching(/^sg-[0-9a-f]{17}$/)],
  })
  expect(queues[0]?.name).toBe('eu-west-1a')
})

test('subnets and groups of the account, outside the assembly, are accepted', () => {
  const vpc = planned(config(['subnet-0123456789abcdef0', subnet(1)], ['sg-01234567'])).functions[0]?.vpc
  expect(vpc?.subnetIds[0]).toBe('subnet-0123456789abcdef0')
})

test.each([
  ['no VpcConfig', undefined],
  ['empty lists', config([], [])],
])('a function with %s is in no VPC', (_what, given) => {
  expect(planned(given, {}).functions[0]?.vpc).toBeUndefined()
})

const MANY = Array.from({ length: 17 }, (_, at) => `subnet-${String(at).padStart(8, '0')}`)

test.each<[string, object, RegExp]>([
  [
    'subnets of two VPCs',
    config([subnet(1), subnet(2)], [group(1)]),
    /subnet-\w+ is in vpc-\w+, and subnet-\w+ is in vpc-\w+$/,
  ],
  ['a group of another VPC', config([subnet(1)], [group(2)]), /sg-\w+ is in vpc-\w+, and subnet-\w+ is in vpc-\w+$/],
  ['subnets without a group', config([subnet(1)], []), /SecurityGroupIds: must name a security group/],
  ['a group without subnets', config([], [group(1)]), /SubnetIds: must name a subnet/],
  ['17 subnets', config(MANY, [group(1)]), /SubnetIds: must have at most 16/],
  ['an id of something else', config([group(1)], [group(1)]), /SubnetIds: sg-\w+ is not the id of a subnet/],
  ['an unknown field', { ...config([subnet(1)], [group(1)]), Other: 1 }, /VpcConfig\.Other/],
])('%s are refused', (_what, given, message) => {
  expect(() => planned(given)).toThrow(message)
})

test('a role that may not connect the function is refused, as Lambda refuses it', () => {
  const Statement = [{ Effect: 'Allow', Action: ['ec2:CreateNetworkInterface'], Resource: '*' }]
  const role = { Policies: [{ PolicyName: 'p', PolicyDocument: { Version: '2012-10-17', Statement } }] }
  expect(() => planned(config([subnet(1)], [group(1)]), role)).toThrow(
    `its role ${ROLE} does not allow ec2:DescribeNetworkInterfaces, which Lambda needs to connect it`,
  )
})

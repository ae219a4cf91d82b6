// Gives functions the VPC that they run in, the company's forward proxy and its certificate authorities. Each stack
// sets them once, for everything in it. Without a VPC, Lambda's own network reaches the service and AWS.
import { Stack } from 'aws-cdk-lib'
import { type ISecurityGroup, type IVpc, Peer, Port, SecurityGroup, type SubnetSelection } from 'aws-cdk-lib/aws-ec2'
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { AUTHORITIES_FILE, NetworkVariable } from '../../core/contract/network-variables.ts'
import type { Treasury } from '../../core/contract/treasury.ts'

export interface NetworkProps {
  /** The network of the functions, which their own code cannot change. Default: Lambda's own network. */
  readonly vpc?: IVpc | undefined
  /** Subnets with a way to the service and to AWS. Default: the private subnets with a NAT gateway. */
  readonly vpcSubnets?: SubnetSelection | undefined
  /** Default: one group for the functions of each stack, which sends to ports of HTTPS, the service and the proxy only. */
  readonly securityGroups?: readonly ISecurityGroup[] | undefined
}

export interface Network extends NetworkProps {
  readonly vpc: IVpc
  /** Ports to which the functions' own groups send: those of HTTPS, the service and the proxy. */
  readonly ports: readonly number[]
}

const NETWORK = 'sluice:network'

/**
 * Call this function before anything is created in the stack. A function makes the network when it is needed first.
 */
export function setNetwork(stack: Stack, network: Network | (() => Network | undefined) | undefined): void {
  stack.node.setContext(NETWORK, network)
}

/** Properties of a function; empty without a VPC. */
export function networkOf(scope: Construct): Pick<FunctionOptions, 'vpc' | 'vpcSubnets' | 'securityGroups'> {
  const network = findNetwork(scope)
  if (network === undefined) return {}
  const { securityGroups = [ownGroup(Stack.of(scope), network)], vpc, vpcSubnets } = network
  return { vpc, securityGroups: [...securityGroups], ...(vpcSubnets !== undefined && { vpcSubnets }) }
}

/** Actions by which Lambda connects a function to a VPC. EC2 does not know the resources before. */
const CONNECTS = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
]

/**
 * Permissions of Lambda to connect the function, which the function's own code may not use.
 * Source: AWS Lambda Developer Guide, "Giving Lambda functions access to resources in an Amazon VPC".
 */
export function mayConnect(scope: Construct, sources: readonly string[]): readonly PolicyStatement[] {
  if (findNetwork(scope) === undefined) return []
  return [
    new PolicyStatement({ actions: CONNECTS, resources: ['*'] }),
    new PolicyStatement({
      sid: 'ConnectsNoOther',
      effect: Effect.DENY,
      actions: CONNECTS,
      resources: ['*'],
      conditions: { ArnLike: { 'lambda:SourceFunctionArn': sources } },
    }),
  ]
}

function findNetwork(scope: Construct): Network | undefined {
  const network: Network | (() => Network | undefined) | undefined = scope.node.tryGetContext(NETWORK)
  return typeof network === 'function' ? network() : network
}

function ownGroup(stack: Stack, { ports, vpc }: Network): ISecurityGroup {
  const existing = stack.node.tryFindChild('FunctionsGroup')
  if (existing instanceof SecurityGroup) return existing
  const group = new SecurityGroup(stack, 'FunctionsGroup', {
    vpc,
    description: 'Functions of Sluice: they call the service and AWS, and nobody calls them by the network.',
    allowAllOutbound: false,
  })
  for (const port of new Set(ports)) group.addEgressRule(Peer.anyIpv4(), Port.tcp(port))
  return group
}

const WAY_OUT = 'sluice:way-out'
/** Folder in which Lambda unzips the bundle and the files beside it. */
const TASK_FOLDER = '/var/task'

/** Call this function before anything is created in the stack. */
export function setWayOut(stack: Stack, aws: Treasury['aws']): void {
  stack.node.setContext(WAY_OUT, aws)
}

/** Variables of a function; empty without a proxy and without authorities. */
export function wayOutVariables(scope: Construct): Readonly<Record<string, string>> {
  const aws: Treasury['aws'] = scope.node.tryGetContext(WAY_OUT)
  const { certificateAuthorities, proxy } = aws ?? {}
  return {
    ...(proxy !== undefined && {
      [NetworkVariable.HttpsProxy]: proxy.url,
      [NetworkVariable.UseEnvProxy]: '1',
      ...(proxy.except !== undefined && { [NetworkVariable.NoProxy]: proxy.except.join() }),
    }),
    ...(certificateAuthorities !== undefined && {
      [NetworkVariable.ExtraAuthorities]: `${TASK_FOLDER}/${AUTHORITIES_FILE}`,
    }),
  }
}

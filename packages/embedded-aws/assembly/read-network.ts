// Reads the network of functions: the VPC, subnets and security groups of the assembly, and each function's VpcConfig.
// Nothing here is a network, so routes, gateways and endpoints have no effect. It refuses a VpcConfig that Lambda would
// refuse. An id from outside the assembly belongs to the account, whose network is unknown.
// Source: CloudFormation template reference, AWS::EC2::*; AWS Lambda API Reference, VpcConfig.

import { Refusal } from '../aws-error.ts'
import { allows } from '../endpoint/access-policy.ts'
import type { Fields } from '../fields.ts'
import type { FunctionVpc } from '../lambda/function-definition.ts'
import type { Deployment } from './deployment.ts'
import type { Placed } from './identity.ts'

/** The resource by which CDK empties the default security group of a VPC. Its function is not run. */
export const CDK_DEFAULT_GROUP = 'Custom::VpcRestrictDefaultSG'

/** Source: AWS Lambda API Reference, VpcConfig. */
const MOST_SUBNETS = 16
const MOST_GROUPS = 5

/** Reads a function's VpcConfig. Undefined without one, and for empty lists, which stand for no VPC. */
export function readVpcConfig(properties: Fields): FunctionVpc | undefined {
  if (!properties.has('VpcConfig')) return undefined
  const config = properties.object('VpcConfig').ignore(['Ipv6AllowedForDualStack'])
  const subnetIds = idsOf(config, 'SubnetIds', 'subnet', MOST_SUBNETS)
  const securityGroupIds = idsOf(config, 'SecurityGroupIds', 'sg', MOST_GROUPS)
  config.close()
  if (subnetIds.length === 0 && securityGroupIds.length === 0) return undefined
  if (subnetIds.length === 0) throw config.refuse('SubnetIds', 'must name a subnet, as SecurityGroupIds has a group')
  if (securityGroupIds.length === 0)
    throw config.refuse('SecurityGroupIds', 'must name a security group, as SubnetIds has a subnet')
  return { subnetIds, securityGroupIds }
}

function idsOf(config: Fields, name: string, prefix: string, most: number): readonly string[] {
  const ids = config.findList(name).map(String)
  if (ids.length > most) throw config.refuse(name, `must have at most ${most} entries`)
  const wrong = ids.find((id) => !new RegExp(`^${prefix}-[0-9a-f]{8,17}$`).test(id))
  if (wrong !== undefined) throw config.refuse(name, `${wrong} is not the id of a ${prefix}`)
  return ids
}

/** Permissions that Lambda requires of the role before it makes a function in a VPC. */
const CONNECTING = ['ec2:CreateNetworkInterface', 'ec2:DescribeNetworkInterfaces', 'ec2:DeleteNetworkInterface']

export class NetworkReader {
  /** The VPC of each subnet and of each security group of the assembly, by its id. */
  readonly #vpcs = new Map<string, string>()

  /** Returns whether the resource is a part of a network. */
  add(type: string, properties: Fields, { name }: Placed): boolean {
    switch (type) {
      case 'AWS::EC2::VPC':
        properties.ignore(['CidrBlock', 'EnableDnsHostnames', 'EnableDnsSupport', 'InstanceTenancy', 'Tags'])
        properties.ignore(['Ipv4IpamPoolId', 'Ipv4NetmaskLength'])
        return true
      case 'AWS::EC2::Subnet':
        properties.ignore(['AvailabilityZone', 'AvailabilityZoneId', 'CidrBlock', 'MapPublicIpOnLaunch', 'Tags'])
        properties.ignore(['AssignIpv6AddressOnCreation', 'Ipv6CidrBlock', 'PrivateDnsNameOptionsOnLaunch'])
        this.#vpcs.set(name, properties.text('VpcId'))
        return true
      case 'AWS::EC2::SecurityGroup':
        properties.ignore(['GroupDescription', 'GroupName', 'SecurityGroupEgress', 'SecurityGroupIngress', 'Tags'])
        this.#vpcs.set(name, properties.text('VpcId'))
        return true
      default:
        return false
    }
  }

  /** @throws Refusal for subnets and groups of several VPCs, and for a role that may not connect the function */
  check({ functions, policies }: Deployment): void {
    for (const { path, roleArn, vpc } of functions) {
      if (vpc === undefined) continue
      const known = [...vpc.subnetIds, ...vpc.securityGroupIds].flatMap((id) => {
        const of = this.#vpcs.get(id)
        return of === undefined ? [] : [{ id, of }]
      })
      const stray = known.find(({ of }) => of !== known[0]?.of)
      if (stray !== undefined)
        throw new Refusal(path, `${stray.id} is in ${stray.of}, and ${known[0]?.id} is in ${known[0]?.of}`)
      const statements = policies.get(roleArn) ?? []
      const missing = CONNECTING.find((action) => !allows(statements, { action, resource: '*' }))
      if (missing !== undefined)
        throw new Refusal(path, `its role ${roleArn} does not allow ${missing}, which Lambda needs to connect it`)
    }
  }
}

// Makes the network of the functions that treasury.json names. Its VPC, subnets and groups are the account's own, and
// known by their ids only.
import type { Stack } from 'aws-cdk-lib'
import { SecurityGroup, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2'
import { Construct } from 'constructs'
import type { Treasury } from '../../core/contract/treasury.ts'
import { portsOf } from '../../core/treasury/network-ports.ts'
import type { Network } from './network.ts'

/** Undefined where the file names none. */
export function namedNetwork(stack: Stack, treasury: Treasury): Network | undefined {
  const { aws: { vpc } = {} } = treasury
  if (vpc === undefined) return undefined
  const { id, securityGroups, subnets } = vpc
  const named = new Construct(stack, 'Network')
  return {
    vpc: Vpc.fromVpcAttributes(named, 'Vpc', {
      vpcId: id,
      privateSubnetIds: subnets,
      // No template names the zones.
      availabilityZones: subnets.map((_, at) => `zone-${at}`),
    }),
    vpcSubnets: { subnets: subnets.map((subnet) => Subnet.fromSubnetId(named, subnet, subnet)) },
    securityGroups: securityGroups?.map((group) => SecurityGroup.fromSecurityGroupId(named, group, group)),
    ports: portsOf(treasury),
  }
}

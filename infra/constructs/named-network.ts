// Makes the network of the functions that treasury.json names. Its VPC, subnets and groups are the account's own, and
// known by their ids only.
import type { Stack } from 'aws-cdk-lib'
import { SecurityGroup, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2'
import { Construct } from 'constructs'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { Network } from './network.ts'

/** Default ports of the service's address. */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Undefined where the file names none. */
export function namedNetwork(stack: Stack, { aws, service }: Treasury): Network | undefined {
  if (aws?.vpc === undefined) return undefined
  const { id, securityGroups, subnets } = aws.vpc
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
    servicePort: servicePortOf(service),
  }
}

export function servicePortOf({ url }: Treasury['service']): number {
  const { port, protocol } = new URL(url)
  return port === '' ? (PORTS[protocol] ?? 0) : Number(port)
}

// Asks EC2 what the VPC of treasury.json has: subnets, routes, NAT gateways, endpoints and security groups. Reads only, and
// judges nothing.
import type { NatGateway, RouteTable, SecurityGroup, Subnet, VpcEndpoint } from '@aws-sdk/client-ec2'
import type { FunctionVpc } from '../../../../core/contract/network.ts'
import { AWS_LIMITS, requestLimits } from '../../../../core/keys/aws-limits.ts'

export interface NetworkFacts {
  /** The named subnets that exist, in whatever VPC. */
  readonly subnets: readonly Subnet[]
  /** The named security groups that exist, in whatever VPC. */
  readonly groups: readonly SecurityGroup[]
  readonly routeTables: readonly RouteTable[]
  readonly natGateways: readonly NatGateway[]
  readonly endpoints: readonly VpcEndpoint[]
  /** The security groups of the endpoints. */
  readonly endpointGroups: readonly SecurityGroup[]
}

/** Permissions of the requests below. */
export const ASKED_OF_EC2 = [
  ...['ec2:DescribeSubnets', 'ec2:DescribeSecurityGroups', 'ec2:DescribeRouteTables'],
  ...['ec2:DescribeNatGateways', 'ec2:DescribeVpcEndpoints'],
] as const

/** EC2 gives up to 100 route tables a page, and a VPC has at most 200 by default. */
const MOST_PAGES = 20

/**
 * A filter by id finds what exists. The parameter for ids would fail the whole request for one that does not.
 * @throws the SDK's own errors
 */
export async function askNetwork({ id, securityGroups = [], subnets }: FunctionVpc): Promise<NetworkFacts> {
  // This client takes three times as long to load as any other, so only a file with a VPC loads it.
  const ec2 = await import('@aws-sdk/client-ec2')
  const client = new ec2.EC2Client(requestLimits(AWS_LIMITS))
  const where = (Name: string, Values: readonly string[]) => [{ Name, Values: [...Values] }]
  const Filters = where('vpc-id', [id])
  const groupsOf = async (ids: readonly string[]) => {
    const pages = chunksOf(ids).map((some) =>
      all(ec2.paginateDescribeSecurityGroups({ client }, { Filters: where('group-id', some) })),
    )
    return (await Promise.all(pages)).flat().flatMap(({ SecurityGroups = [] }) => SecurityGroups)
  }
  try {
    const [found, tables, gateways, endpoints, groups] = await Promise.all([
      all(ec2.paginateDescribeSubnets({ client }, { Filters: where('subnet-id', subnets) })),
      all(ec2.paginateDescribeRouteTables({ client }, { Filters })),
      all(ec2.paginateDescribeNatGateways({ client }, { Filter: Filters })),
      all(ec2.paginateDescribeVpcEndpoints({ client }, { Filters })),
      groupsOf(securityGroups),
    ])
    const ofEndpoints = endpoints.flatMap(({ VpcEndpoints = [] }) => VpcEndpoints)
    const names = [...new Set(ofEndpoints.flatMap(({ Groups = [] }) => Groups.flatMap(({ GroupId }) => GroupId ?? [])))]
    return {
      subnets: found.flatMap(({ Subnets = [] }) => Subnets),
      groups,
      routeTables: tables.flatMap(({ RouteTables = [] }) => RouteTables),
      natGateways: gateways.flatMap(({ NatGateways = [] }) => NatGateways),
      endpoints: ofEndpoints,
      endpointGroups: await groupsOf(names),
    }
  } finally {
    client.destroy()
  }
}

/** EC2 takes 200 values of a filter. Source: Amazon EC2 User Guide, "Filter resources using filters". */
const MOST_VALUES = 200

function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / MOST_VALUES)
  return Array.from({ length: count }, (_, index) => ids.slice(index * MOST_VALUES, (index + 1) * MOST_VALUES))
}

async function all<Page>(pages: AsyncIterable<Page>): Promise<readonly Page[]> {
  const read: Page[] = []
  for await (const page of pages) {
    read.push(page)
    if (read.length === MOST_PAGES) break
  }
  return read
}

// Judges whether one endpoint of a VPC serves the functions: its state, its private DNS or routes, its security groups and
// its policy. Pure.
import { BlockList } from 'node:net'
import type { IpPermission, SecurityGroup, Subnet, VpcEndpoint } from '@aws-sdk/client-ec2'
import { type KnownValues, parseLimitingPolicy } from '../permissions/limiting-policy.ts'
import { lacksOf, limitText } from '../permissions/limits.ts'
import type { Permission } from '../permissions/needed-permissions.ts'
import { letsThrough } from './groups.ts'
import type { NetworkFacts } from './network-facts.ts'
import { routeTableOf } from './ways-out.ts'

/** HTTPS, by which every service of AWS is called. */
const HTTPS_PORT = 443

interface EndpointFault {
  readonly text: string
  /** Calls go to the endpoint and fail there, although another way exists. */
  readonly isBlocking: boolean
}

/** The functions that use the endpoint. */
export interface Users {
  /** Their security groups. Undefined: each stack makes one, which no rule can know before. */
  readonly groups: readonly string[] | undefined
  readonly needed: readonly Permission[]
  /** Values of condition keys of their requests. */
  readonly known: KnownValues
}

/** Undefined for an endpoint that serves them. */
export function findFault(endpoint: VpcEndpoint, facts: NetworkFacts, users: Users): EndpointFault | undefined {
  const unused = findUnused(endpoint, facts)
  if (unused !== undefined) return { text: unused, isBlocking: false }
  const blocks = findClosed(endpoint, facts, users) ?? findRefused(endpoint, users)
  return blocks === undefined ? undefined : { text: blocks, isBlocking: true }
}

/** Without private DNS the name of the service leads to the internet. A gateway works by routes. */
function findUnused(endpoint: VpcEndpoint, facts: NetworkFacts): string | undefined {
  const { PrivateDnsEnabled, RouteTableIds = [], State = 'unknown', VpcEndpointId = '' } = endpoint
  if (State.toLowerCase() !== 'available') return `${VpcEndpointId} is ${State}`
  if (!isGateway(endpoint)) return PrivateDnsEnabled === true ? undefined : `${VpcEndpointId} has no private DNS`
  const without = facts.subnets.filter(({ SubnetId = '' }) => {
    const table = routeTableOf(SubnetId, facts)?.RouteTableId
    return table === undefined || !RouteTableIds.includes(table)
  })
  if (without.length === 0) return undefined
  return `${VpcEndpointId} is not in the routes of ${without.map(({ SubnetId }) => SubnetId).join(', ')}`
}

const isGateway = ({ VpcEndpointType }: VpcEndpoint) => VpcEndpointType === 'Gateway'

/** Its security groups let nobody in, or only others. A gateway has none. */
function findClosed(endpoint: VpcEndpoint, facts: NetworkFacts, { groups }: Users): string | undefined {
  const names = (endpoint.Groups ?? []).flatMap(({ GroupId }) => GroupId ?? [])
  const own = facts.endpointGroups.filter(({ GroupId = '' }) => names.includes(GroupId))
  if (isGateway(endpoint) || own.length === 0) return undefined
  const closed = facts.subnets.filter((subnet) => !own.some((group) => letsIn(group, subnet, groups)))
  if (closed.length === 0) return undefined
  const from = closed.map(({ CidrBlock, SubnetId }) => `${SubnetId} (${CidrBlock})`).join(', ')
  return `${endpoint.VpcEndpointId} is closed: no rule of ${names.join(', ')} lets TCP in to port ${HTTPS_PORT} from ${from}`
}

function letsIn({ IpPermissions = [] }: SecurityGroup, subnet: Subnet, groups: readonly string[] | undefined): boolean {
  return IpPermissions.some(
    (rule) => letsThrough(rule, HTTPS_PORT) && (namesGroup(rule, groups) || namesAddresses(rule, subnet)),
  )
}

function namesGroup({ UserIdGroupPairs = [] }: IpPermission, groups: readonly string[] = []): boolean {
  return UserIdGroupPairs.some(({ GroupId = '' }) => groups.includes(GroupId))
}

/** A prefix list may have any addresses, so it counts as one that has these. */
function namesAddresses({ IpRanges = [], PrefixListIds = [] }: IpPermission, { CidrBlock = '' }: Subnet): boolean {
  return PrefixListIds.length > 0 || IpRanges.some(({ CidrIp = '' }) => contains(CidrIp, CidrBlock))
}

/** Whether the first range has every address of the second. */
function contains(range: string, part: string): boolean {
  const [[address = '', bits = ''], [first = '', partBits = '']] = [range.split('/'), part.split('/')]
  if (bits === '' || partBits === '' || Number(bits) > Number(partBits)) return false
  const list = new BlockList()
  list.addSubnet(address, Number(bits))
  return list.check(first)
}

/** Its policy refuses what functions call by it. A condition on something unknown counts as met. */
function findRefused({ PolicyDocument = '', VpcEndpointId }: VpcEndpoint, users: Users): string | undefined {
  const policy = parseLimitingPolicy(PolicyDocument)
  if (policy === undefined) return undefined
  const { refused } = lacksOf(policy, users.needed, users.known)
  return refused.length === 0 ? undefined : `the policy of ${VpcEndpointId} refuses ${limitText(refused)}`
}

// Judges which way functions reach the services of AWS: by endpoints of the VPC, by the internet, or by the company's
// proxy. Pure.

import { BlockList } from 'node:net'
import type { IpPermission, SecurityGroup, Subnet, VpcEndpoint } from '@aws-sdk/client-ec2'
import type { FunctionProxy } from '../../../../core/contract/network.ts'
import { hostOfAws } from '../../../../core/contract/partition.ts'
import type { Treasury } from '../../../../core/contract/treasury.ts'
import { type Check, fail, ok, warn } from '../../check.ts'
import { type KnownValues, parseLimitingPolicy } from '../permissions/limiting-policy.ts'
import { knownOf, lacksOf, limitText } from '../permissions/limits.ts'
import { type Permission, permissionsByService } from '../permissions/needed-permissions.ts'
import type { Place } from '../place.ts'
import { letsThrough } from './groups.ts'
import type { NetworkFacts } from './network-facts.ts'
import { leadsOut, routeTableOf } from './ways-out.ts'

const CHECK = 'way of functions to AWS'

export function endpointsCheck(treasury: Treasury, facts: NetworkFacts, place: Place): Check {
  const { region } = place
  const { aws: { proxy, vpc } = {} } = treasury
  const known = {
    ...knownOf(place),
    ...(vpc !== undefined && { 'aws:sourcevpc': vpc.id }),
  }
  const called = Object.entries(permissionsByService(treasury, place)).flatMap(([name, needed]) => {
    const users = { groups: vpc?.securityGroups, needed, known }
    return needed.length === 0 ? [] : [{ name, ...reached(name, users, { facts, proxy, region }) }]
  })
  const by = (way: Reached['way']) => called.filter((each) => each.way === way)
  const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).join(', ')
  const closed = by('nothing')
  if (closed.length > 0) {
    const why = closed.map(({ fault, name }) => (fault === undefined ? name : `${name} (${fault})`)).join(', ')
    const blocked = closed.filter(({ endpoint }) => endpoint === 'blocking')
    const wanted = closed.filter((each) => !blocked.includes(each)).map(({ name }) => endpointName(name, region))
    const next = [
      ...(wanted.length === 0 ? [] : [`a NAT gateway, or endpoints in the VPC: ${wanted.join(', ')}`]),
      ...(blocked.length === 0 ? [] : ['let functions in by the groups and the policies of the named endpoints']),
    ]
    return fail(CHECK, `functions do not reach ${why}`, next.join('; '))
  }
  const detail = [
    ...ways('endpoints of the VPC', namesOf(by('endpoint'))),
    ...ways('the internet', namesOf(by('internet'))),
    ...ways('the proxy', namesOf(by('proxy'))),
  ].join('; ')
  const passedBy = by('proxy').filter(({ endpoint }) => endpoint === 'ready')
  if (passedBy.length > 0)
    return warn(
      CHECK,
      `${detail}; the proxy is used although the VPC has endpoints: ${namesOf(passedBy)}`,
      `add them to aws.proxy.except: ${passedBy.map(({ name }) => `"${hostOfAws(name, region)}"`).join(', ')}`,
    )
  const faulty = called.flatMap(({ fault, name }) => (fault === undefined ? [] : [`${name}: ${fault}`]))
  if (faulty.length > 0) return warn(CHECK, `${detail}; ${faulty.join('; ')}`, 'correct the endpoint, or remove it')
  return ok(CHECK, detail)
}

const ways = (what: string, names: string) => (names === '' ? [] : [`by ${what}: ${names}`])

interface Reached {
  readonly way: 'endpoint' | 'internet' | 'proxy' | 'nothing'
  readonly endpoint: 'none' | 'ready' | 'unusable' | 'blocking'
  /** Why the endpoint of the service does not serve functions. */
  readonly fault: string | undefined
}

interface Network {
  readonly facts: NetworkFacts
  readonly proxy: FunctionProxy | undefined
  readonly region: string
}

function reached(name: string, users: Users, { facts, proxy, region }: Network): Reached {
  const found = facts.endpoints.filter(({ ServiceName = '' }) => ServiceName.endsWith(`.${region}.${name}`))
  const faults = found.map((each) => findFault(each, facts, users))
  // An endpoint that takes the calls and refuses them is in the way of every other one.
  const blocking = faults.find((each) => each?.isBlocking === true)
  const isReady = blocking === undefined && faults.includes(undefined)
  const endpoint = isReady ? 'ready' : blocking !== undefined ? 'blocking' : found.length > 0 ? 'unusable' : 'none'
  const fault = isReady ? undefined : (blocking ?? faults.find((each) => each !== undefined))?.text
  if (proxy !== undefined && !isExcepted(hostOfAws(name, region), proxy)) return { way: 'proxy', endpoint, fault }
  if (isReady) return { way: 'endpoint', endpoint, fault }
  return { way: blocking === undefined && leadsOut(facts) ? 'internet' : 'nothing', endpoint, fault }
}

/** `com.amazonaws.eu-west-1.states` */
function endpointName(name: string, region: string): string {
  return `com.amazonaws.${region}.${name}${['dynamodb', 's3'].includes(name) ? ' (gateway)' : ''}`
}

/** Reads `except` as Node reads NO_PROXY: a whole host, or the end of a name after a dot, each at any or at one port. */
export function isExcepted(host: string, { except = [] }: FunctionProxy, port = 443): boolean {
  return except.some((entry) => {
    const [name = '', only = String(port)] = entry.toLowerCase().split(':')
    if (only !== String(port)) return false
    return name.startsWith('.') || name.startsWith('*.') ? host.endsWith(name.replace('*', '')) : host === name
  })
}

// Judges whether one endpoint of a VPC serves the functions: its state, its private DNS or routes, its security groups and
// its policy. Pure.

/** HTTPS, by which every service of AWS is called. */
const HTTPS_PORT = 443

interface EndpointFault {
  readonly text: string
  /** Calls go to the endpoint and fail there, although another way exists. */
  readonly isBlocking: boolean
}

/** The functions that use the endpoint. */
interface Users {
  /** Their security groups. Undefined: each stack makes one, which no rule can know before. */
  readonly groups: readonly string[] | undefined
  readonly needed: readonly Permission[]
  /** Values of condition keys of their requests. */
  readonly known: KnownValues
}

/** Undefined for an endpoint that serves them. */
function findFault(endpoint: VpcEndpoint, facts: NetworkFacts, users: Users): EndpointFault | undefined {
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

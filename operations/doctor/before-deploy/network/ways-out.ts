// Judges which way the subnets of functions lead out, by their default routes, and from which address. Pure.

import type { Route, Subnet } from '@aws-sdk/client-ec2'
import type { FunctionVpc } from '../../../../core/contract/network.ts'
import { advice, VERIFY } from '../../../../place/next-step.ts'
import { type Check, fail, ok, warn } from '../../check.ts'
import type { NetworkFacts } from './network-facts.ts'

/**
 * `closed`: no packet leaves. `inside`: no default route, but routes into other networks of the company. `unknown`: a
 * default route to something that somebody else keeps.
 */
interface Way {
  readonly kind: 'nat' | 'closed' | 'inside' | 'unknown'
  /** The subnet and its default route, in words. */
  readonly text: string
}

const ANYWHERE = '0.0.0.0/0'

export function subnetsCheck({ id, subnets }: FunctionVpc, facts: NetworkFacts, region: string): Check {
  const check = 'subnets of functions'
  const missing = subnets.filter((subnet) => !facts.subnets.some(({ SubnetId }) => SubnetId === subnet))
  if (missing.length > 0)
    return fail(
      check,
      `${region} has no ${missing.join(', ')}`,
      'correct aws.vpc.subnets, or AWS_PROFILE and AWS_REGION',
    )
  const stray = facts.subnets.filter(({ VpcId }) => VpcId !== id)
  if (stray.length > 0) {
    const where = stray.map(({ SubnetId, VpcId }) => `${SubnetId} is in ${VpcId}`).join(', ')
    return fail(check, `${where}, and not in ${id}`, 'name subnets of one VPC in aws.vpc')
  }
  const zones = [...new Set(facts.subnets.map(({ AvailabilityZone = '?' }) => AvailabilityZone))].sort()
  const detail = `${subnets.join(', ')} in ${id}, in ${zones.join(' and ')}`
  return zones.length > 1 ? ok(check, detail) : warn(check, detail, 'name a subnet of another zone too: one may fail')
}

/** The route table of a subnet is the main one of its VPC, unless it has one of its own. */
export function routeTableOf(subnet: string, { routeTables }: NetworkFacts) {
  const isFor = (test: (association: { SubnetId?: string | undefined; Main?: boolean | undefined }) => boolean) =>
    routeTables.find(({ Associations = [] }) => Associations.some(test))
  return isFor(({ SubnetId }) => SubnetId === subnet) ?? isFor(({ Main }) => Main === true)
}

interface Goal {
  /** Host of the service. */
  readonly host: string
  /** The company's proxy, where the functions reach the service by it. */
  readonly proxy: string | undefined
}

export function waysCheck(facts: NetworkFacts, { host, proxy }: Goal): Check {
  const check = 'way of functions to the service'
  const ways = facts.subnets.map((subnet) => wayOf(subnet, facts))
  const texts = (kind: Way['kind']) => ways.filter((way) => way.kind === kind).map(({ text }) => text)
  if (proxy !== undefined)
    return warn(
      check,
      `the proxy ${proxy} leads to ${host}: whether these subnets reach it is not known`,
      advice`${VERIFY} shows it after the deployment`,
    )
  const closed = texts('closed')
  if (closed.length > 0)
    return fail(
      check,
      `${closed.join('; ')}: functions do not reach ${host}`,
      'name subnets whose default route is a NAT gateway, or aws.proxy',
    )
  const others = [...texts('unknown'), ...texts('inside')]
  if (others.length > 0)
    return warn(
      check,
      `${others.join('; ')}: whether that reaches ${host} is not known`,
      advice`${VERIFY} shows it after the deployment`,
    )
  return ok(check, texts('nat').join('; '))
}

function wayOf({ SubnetId = '' }: Subnet, facts: NetworkFacts): Way {
  const routes = routeTableOf(SubnetId, facts)?.Routes ?? []
  const route = routes.find(({ DestinationCidrBlock }) => DestinationCidrBlock === ANYWHERE)
  if (route === undefined) {
    const others = routes.filter(({ GatewayId = '' }) => GatewayId !== 'local' && !GatewayId.startsWith('vpce-'))
    const kind = others.length > 0 ? 'inside' : 'closed'
    return { kind, text: `${SubnetId} has no default route` }
  }
  const to = targetOf(route)
  const text = `${SubnetId} sends to ${to}`
  if (route.State === 'blackhole') return { kind: 'closed', text: `${text}, which is gone` }
  if (to.startsWith('igw-'))
    return {
      kind: 'closed',
      text: `${text}, an internet gateway: functions have no public address, so nothing answers`,
    }
  if (route.NatGatewayId === undefined) return { kind: 'unknown', text }
  const state = facts.natGateways.find(({ NatGatewayId }) => NatGatewayId === to)?.State ?? 'unknown'
  return state === 'available' ? { kind: 'nat', text } : { kind: 'closed', text: `${text}, whose state is ${state}` }
}

function targetOf(route: Route): string {
  const { GatewayId, InstanceId, NatGatewayId, NetworkInterfaceId, TransitGatewayId, VpcPeeringConnectionId } = route
  const known = NatGatewayId ?? GatewayId ?? TransitGatewayId ?? VpcPeeringConnectionId ?? NetworkInterfaceId
  return known ?? InstanceId ?? 'something that EC2 does not name'
}

/** Whether all of them reach the internet as far as EC2 knows. */
export function leadsOut(facts: NetworkFacts): boolean {
  return facts.subnets.every((subnet) => ['nat', 'unknown'].includes(wayOf(subnet, facts).kind))
}

/** Empty where nobody knows the address. */
export function addressChecks(facts: NetworkFacts, { host, proxy }: Goal): readonly Check[] {
  const check = 'address of functions'
  if (proxy !== undefined)
    return [warn(check, `${host} sees the address of the proxy ${proxy}`, 'name it in the allow-list of the service')]
  const used = facts.subnets.flatMap(({ SubnetId = '' }) => {
    const routes = routeTableOf(SubnetId, facts)?.Routes ?? []
    return routes.filter(({ DestinationCidrBlock }) => DestinationCidrBlock === ANYWHERE).map(targetOf)
  })
  const addresses = facts.natGateways
    .filter(({ NatGatewayId = '', State }) => used.includes(NatGatewayId) && State === 'available')
    .flatMap(({ NatGatewayAddresses = [] }) => NatGatewayAddresses.flatMap(({ PublicIp }) => PublicIp ?? []))
  if (addresses.length === 0) return []
  return [ok(check, `${host} sees ${[...new Set(addresses)].join(', ')}: name each in the allow-list of the service`)]
}

// Judges which way functions reach the services of AWS: by endpoints of the VPC, by the internet, or by the company's
// proxy. Pure.
import type { VpcEndpoint } from '@aws-sdk/client-ec2'
import type { FunctionProxy } from '../../../../core/contract/network.ts'
import { KeyRole, roleKeyOf, type Treasury } from '../../../../core/contract/treasury.ts'
import { type Check, fail, ok, warn } from '../../check.ts'
import type { NetworkFacts } from './network-facts.ts'
import { leadsOut, routeTableOf } from './ways-out.ts'

const CHECK = 'way of functions to AWS'

/** Services that the code of functions calls, as endpoints name them. Lambda itself writes logs and traces. */
export function calledServices({ notices = [], service, webhooks }: Treasury): readonly string[] {
  const signsWithKms = Object.values(KeyRole).some((role) => roleKeyOf(service, role).kmsKey !== undefined)
  return [
    ...['dynamodb', 'events', 'secretsmanager', 'states', 'sts'],
    ...(signsWithKms ? ['kms'] : []),
    ...(notices.some(({ to }) => to.sns !== undefined) ? ['sns'] : []),
    ...(webhooks === undefined ? [] : ['sqs']),
  ]
}

export function endpointsCheck(treasury: Treasury, facts: NetworkFacts, region: string): Check {
  const { aws: { proxy } = {} } = treasury
  const called = calledServices(treasury).map((name) => ({ name, ...reached(name, { facts, proxy, region }) }))
  const by = (way: Reached['way']) => called.filter((each) => each.way === way)
  const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).join(', ')
  const closed = by('nothing')
  if (closed.length > 0) {
    const why = closed.map(({ fault, name }) => (fault === undefined ? name : `${name} (${fault})`)).join(', ')
    const wanted = closed.map(({ name }) => endpointName(name, region)).join(', ')
    return fail(CHECK, `functions do not reach ${why}`, `a NAT gateway, or endpoints in the VPC: ${wanted}`)
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
      `add them to aws.proxy.except: ${passedBy.map(({ name }) => `"${hostOf(name, region)}"`).join(', ')}`,
    )
  const faulty = called.flatMap(({ fault, name }) => (fault === undefined ? [] : [`${name}: ${fault}`]))
  if (faulty.length > 0) return warn(CHECK, `${detail}; ${faulty.join('; ')}`, 'correct the endpoint, or remove it')
  return ok(CHECK, detail)
}

const ways = (what: string, names: string) => (names === '' ? [] : [`by ${what}: ${names}`])

interface Reached {
  readonly way: 'endpoint' | 'internet' | 'proxy' | 'nothing'
  readonly endpoint: 'none' | 'ready' | 'unusable'
  /** Why the endpoint of the service is not used. */
  readonly fault: string | undefined
}

interface Place {
  readonly facts: NetworkFacts
  readonly proxy: FunctionProxy | undefined
  readonly region: string
}

function reached(name: string, { facts, proxy, region }: Place): Reached {
  const found = facts.endpoints.filter(({ ServiceName = '' }) => ServiceName.endsWith(`.${region}.${name}`))
  const faults = found.map((each) => faultOf(each, facts))
  const isReady = faults.includes(undefined)
  const endpoint = isReady ? 'ready' : found.length > 0 ? 'unusable' : 'none'
  const fault = isReady ? undefined : faults.find((each) => each !== undefined)
  if (proxy !== undefined && !isExcepted(hostOf(name, region), proxy)) return { way: 'proxy', endpoint, fault }
  if (isReady) return { way: 'endpoint', endpoint, fault }
  return { way: leadsOut(facts) ? 'internet' : 'nothing', endpoint, fault }
}

/** Without private DNS the name of the service leads to the internet. A gateway works by routes. */
function faultOf(endpoint: VpcEndpoint, facts: NetworkFacts): string | undefined {
  const { PrivateDnsEnabled, RouteTableIds = [], State = 'unknown', VpcEndpointId = '', VpcEndpointType } = endpoint
  if (State.toLowerCase() !== 'available') return `${VpcEndpointId} is ${State}`
  if (VpcEndpointType !== 'Gateway')
    return PrivateDnsEnabled === true ? undefined : `${VpcEndpointId} has no private DNS`
  const without = facts.subnets.filter(({ SubnetId = '' }) => {
    const table = routeTableOf(SubnetId, facts)?.RouteTableId
    return table === undefined || !RouteTableIds.includes(table)
  })
  if (without.length === 0) return undefined
  return `${VpcEndpointId} is not in the routes of ${without.map(({ SubnetId }) => SubnetId).join(', ')}`
}

/** `com.amazonaws.eu-west-1.states` */
function endpointName(name: string, region: string): string {
  return `com.amazonaws.${region}.${name}${name === 'dynamodb' ? ' (gateway)' : ''}`
}

function hostOf(name: string, region: string): string {
  return `${name}.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`
}

/** Reads `except` as Node reads NO_PROXY: a whole host, or the end of a name after a dot, each at any or at one port. */
export function isExcepted(host: string, { except = [] }: FunctionProxy, port = 443): boolean {
  return except.some((entry) => {
    const [name = '', only = String(port)] = entry.toLowerCase().split(':')
    if (only !== String(port)) return false
    return name.startsWith('.') || name.startsWith('*.') ? host.endsWith(name.replace('*', '')) : host === name
  })
}

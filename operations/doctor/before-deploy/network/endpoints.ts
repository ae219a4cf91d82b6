// Judges which way functions reach the services of AWS: by endpoints of the VPC, by the internet, or by the company's
// proxy. Pure.
import type { FunctionProxy } from '../../../../core/contract/network.ts'
import { hostOfAws } from '../../../../core/contract/partition.ts'
import type { Treasury } from '../../../../core/contract/treasury.ts'
import { type Check, fail, ok, warn } from '../../check.ts'
import { knownOf } from '../permissions/limits.ts'
import { permissionsByService } from '../permissions/needed-permissions.ts'
import type { Place } from '../place.ts'
import { findFault, type Users } from './endpoint-faults.ts'
import type { NetworkFacts } from './network-facts.ts'
import { leadsOut } from './ways-out.ts'

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

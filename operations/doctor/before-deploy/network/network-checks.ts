// Checks the network of the functions that treasury.json names, because nothing deploys it: the VPC's ways out, the
// company's proxy, and its certificates. It asks EC2 what is there, and sends nothing through it.
import { X509Certificate } from 'node:crypto'
import type { Treasury } from '../../../../core/contract/treasury.ts'
import { isLoopbackAddress } from '../../../../core/notices/public-address.ts'
import { portsOf } from '../../../../core/treasury/config.ts'
import { type Check, fail, notKnown, ok, warn } from '../../check.ts'
import type { Place } from '../place.ts'
import { endpointsCheck, isExcepted } from './endpoints.ts'
import { groupsCheck } from './groups.ts'
import { ASKED_OF_EC2, askNetwork } from './network-facts.ts'
import { addressChecks, subnetsCheck, waysCheck } from './ways-out.ts'

/** Empty where functions run in Lambda's own network. */
export async function networkChecks(treasury: Treasury, place: Place, nowMs = Date.now()): Promise<readonly Check[]> {
  return [
    ...proxyChecks(treasury.aws),
    ...certificateChecks(treasury.aws, nowMs),
    ...(await vpcChecks(treasury, place)),
  ]
}

async function vpcChecks(treasury: Treasury, place: Place): Promise<readonly Check[]> {
  const { aws: { proxy, vpc } = {}, service } = treasury
  if (vpc === undefined) return []
  let facts: Awaited<ReturnType<typeof askNetwork>>
  try {
    facts = await askNetwork(vpc)
  } catch (error) {
    const permit = `let these credentials call ${ASKED_OF_EC2.join(', ')}`
    return [notKnown(`network of functions in ${vpc.id}`, error, permit)]
  }
  const { hostname, port } = new URL(service.url)
  const isProxied = proxy !== undefined && !isExcepted(hostname, proxy, port === '' ? 443 : Number(port))
  const goal = { host: hostname, proxy: isProxied ? new URL(proxy.url).host : undefined }
  const subnets = subnetsCheck(vpc, facts, place.region)
  // Routes of other subnets would say nothing about these.
  if (subnets.status === 'fail') return [subnets]
  return [
    ...[subnets, waysCheck(facts, goal), ...addressChecks(facts, goal)],
    ...[endpointsCheck(treasury, facts, place), groupsCheck(vpc, facts, portsOf(treasury))],
  ]
}

function proxyChecks(aws: Treasury['aws']): readonly Check[] {
  if (aws?.proxy === undefined) return []
  const { host, hostname } = new URL(aws.proxy.url)
  const check = 'proxy of functions'
  // A desk runs functions on this machine, so the file itself may name it.
  if (isOwnMachine(hostname)) {
    const next = 'correct aws.proxy.url: name the proxy by the address that functions reach'
    return [fail(check, `${host} is the own machine of each function, where no proxy answers`, next)]
  }
  if (aws.vpc !== undefined) return []
  const detail = `functions call ${host} from Lambda's own network, as aws.vpc is absent`
  return [warn(check, detail, 'name the VPC in aws.vpc, unless the internet reaches this proxy')]
}

function isOwnMachine(hostname: string): boolean {
  return /^(.+\.)?localhost$|^0\.0\.0\.0$/.test(hostname) || isLoopbackAddress(hostname)
}

const MS_OF_30_DAYS = 30 * 24 * 3_600_000

function certificateChecks(aws: Treasury['aws'], nowMs: number): readonly Check[] {
  return (aws?.certificateAuthorities ?? []).map((pem) => {
    const { subject, validFrom, validTo } = new X509Certificate(pem)
    const check = `certificate ${subject.split('\n').at(-1)}`
    const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
    const until = new Date(to).toISOString().slice(0, 10)
    const next = 'put the current certificate into aws.certificateAuthorities'
    if (nowMs < from) return fail(check, `is not valid before ${new Date(from).toISOString().slice(0, 10)}`, next)
    if (nowMs > to) return fail(check, `ended on ${until}: functions trust nobody by it`, next)
    return to - nowMs < MS_OF_30_DAYS ? warn(check, `ends on ${until}`, next) : ok(check, `is valid until ${until}`)
  })
}

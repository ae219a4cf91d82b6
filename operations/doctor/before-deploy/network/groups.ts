// Judges whether the security groups of functions let out what functions send. Pure.
import type { IpPermission, SecurityGroup } from '@aws-sdk/client-ec2'
import type { FunctionVpc } from '../../../../core/contract/network.ts'
import { type Check, fail, ok } from '../../check.ts'
import type { NetworkFacts } from './network-facts.ts'

/** Any protocol, and TCP by its name and its number. */
const PROTOCOLS: readonly string[] = ['-1', 'tcp', '6']

/** `ports`: those of HTTPS, the service and the proxy. */
export function groupsCheck(
  { id, securityGroups }: FunctionVpc,
  { groups }: NetworkFacts,
  ports: readonly number[],
): Check {
  const check = 'security groups of functions'
  const wanted = [...new Set(ports)]
  if (securityGroups === undefined) return ok(check, `each stack makes its own, which sends to ${wanted.join(' and ')}`)
  const missing = securityGroups.filter((group) => !groups.some(({ GroupId }) => GroupId === group))
  if (missing.length > 0) return fail(check, `${missing.join(', ')} does not exist`, 'correct aws.vpc.securityGroups')
  const stray = groups.filter(({ VpcId }) => VpcId !== id).map(({ GroupId, VpcId }) => `${GroupId} is in ${VpcId}`)
  if (stray.length > 0) return fail(check, `${stray.join(', ')}, and not in ${id}`, 'name groups of the same VPC')
  // Rules of several groups add up.
  const closed = wanted.filter((port) => !groups.some((group) => letsOut(group, port)))
  const names = securityGroups.join(', ')
  if (closed.length > 0)
    return fail(
      check,
      `${names}: no rule lets TCP out to port ${closed.join(' or ')}`,
      'add an outbound rule, or name no groups: each stack then makes one',
    )
  return ok(check, `${names}: TCP goes out to ${wanted.join(' and ')}`)
}

function letsOut({ IpPermissionsEgress = [] }: SecurityGroup, port: number): boolean {
  return IpPermissionsEgress.some((rule) => {
    const { IpRanges, Ipv6Ranges, PrefixListIds, UserIdGroupPairs } = rule
    const targets = [IpRanges, Ipv6Ranges, PrefixListIds, UserIdGroupPairs]
    return letsThrough(rule, port) && targets.some((each = []) => each.length > 0)
  })
}

/** Whether the rule is about TCP at the port, in whichever direction and wherever to. */
export function letsThrough({ FromPort = 0, IpProtocol = '', ToPort = 65_535 }: IpPermission, port: number): boolean {
  return PROTOCOLS.includes(IpProtocol) && (IpProtocol === '-1' || (FromPort <= port && port <= ToPort))
}

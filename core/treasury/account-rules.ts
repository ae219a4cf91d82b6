// Finds faults across the settings of `aws`, `encryption` and `notices`, such as something of another account or
// region. Others are copies of backups in the same region, tags that IAM counts as the same, and a certificate that
// cannot be read. Pure.

import { X509Certificate } from 'node:crypto'
import { deployedName, givenNames } from '../contract/deployed-names.ts'
import { EVENT_BUS } from '../contract/events.ts'
import { JOURNAL_TABLE } from '../contract/records.ts'
import type { EncryptedData, Treasury } from '../contract/treasury.ts'
import { fault, findRepeat, type Path, type PolicyFault } from '../policies/policy-fault.ts'
import { nearestHint } from './nearest-name.ts'

export function findAccountFaults({ alarms, aws, journal, notices = [] }: Treasury): PolicyFault[] {
  return [
    ...listenerFaults(alarms),
    ...(aws === undefined
      ? []
      : [...settingFaults(aws), ...topicFaults({ alarms, notices }, aws), ...copyFaults(journal, aws)]),
  ]
}

function settingFaults(aws: Aws): PolicyFault[] {
  const given = givenNames(aws)
  return [
    ...ownerFaults('policy', aws.permissionsBoundary ?? '', ['aws', 'permissionsBoundary'], aws),
    ...(aws.deployRoles ?? []).flatMap((role, index) => ownerFaults('role', role, ['aws', 'deployRoles', index], aws)),
    ...tagFaults(aws),
    ...placeFaults('eventBus', aws),
    ...placeFaults('journalTable', aws),
    ...madeFaults('eventBus', given.bus, EVENT_BUS),
    ...madeFaults('journalTable', given.journal, JOURNAL_TABLE),
  ]
}

/** Nobody subscribes addresses to a topic that the deployment does not own. */
function listenerFaults(alarms: Treasury['alarms']): PolicyFault[] {
  return (['page', 'ticket'] as const).flatMap((severity) => {
    if (alarms?.topics?.[severity] === undefined || (alarms[severity] ?? []).length === 0) return []
    const message = `expected none beside alarms.topics.${severity}; subscribe the addresses to that topic`
    return [fault(['alarms', severity], message)]
  })
}

function topicFaults({ alarms, notices }: Required<Pick<Treasury, 'notices'>> & Pick<Treasury, 'alarms'>, aws: Aws) {
  const topics = [
    [['alarms', 'topicArn'], alarms?.topicArn] as const,
    ...Object.entries(alarms?.topics ?? {}).map(([severity, arn]) => [['alarms', 'topics', severity], arn] as const),
    ...(notices ?? []).map(({ to }, index) => [['notices', index, 'to', 'topicArn'], to.topicArn] as const),
  ]
  return topics.flatMap(([path, arn]) => {
    const region = arn?.split(':')[3]
    if (region === undefined || region === aws.region) return []
    return [fault(path, `expected a topic of ${aws.region}, as aws.region has it; got one of ${region}`)]
  })
}

/** A copy beside the backups would go into the very vault that has them. */
function copyFaults(journal: Treasury['journal'], { region }: Aws): PolicyFault[] {
  if (journal?.copyRegion !== region) return []
  return [fault(['journal', 'copyRegion'], `expected another region than aws.region, for copies; got ${region} too`)]
}

/** Something in another region or account cannot be a part of this deployment. */
function placeFaults(field: 'eventBus' | 'journalTable', aws: Aws): PolicyFault[] {
  const [scheme, , , region, account] = aws[field]?.split(':') ?? []
  if (scheme !== 'arn' || (region === aws.region && account === aws.account)) return []
  const expected = `expected one of the account ${aws.account} in ${aws.region}, as aws has them`
  return [fault(['aws', field], `${expected}; got one of ${account} in ${region}`)]
}

/**
 * A name that deployments give by themselves. It may be that of another environment, and two deployments with one journal
 * or bus would both act on the same requests.
 */
function madeFaults(field: 'eventBus' | 'journalTable', name: string | undefined, made: string): PolicyFault[] {
  if (name === undefined || (name !== made && !name.endsWith(deployedName(made, '')))) return []
  const message = `expected a name that does not end with ${made}, which a deployment of Sluice makes itself; leave the field out to have that one`
  return [fault(['aws', field], message)]
}

type Aws = NonNullable<Treasury['aws']>

function ownerFaults(what: 'policy' | 'role', arn: string, path: Path, { account }: Aws): PolicyFault[] {
  const [scheme, , , , owner] = arn.split(':')
  // AWS's own policies belong to no account.
  if (scheme !== 'arn' || owner === account || owner === 'aws') return []
  return [fault(path, `expected a ${what} of the account ${account}, as aws.account has it; got one of ${owner}`)]
}

/** IAM does not tell capital letters in the keys of tags. Source: IAM User Guide, "Rules for tagging". */
function tagFaults({ tags = {} }: Aws): PolicyFault[] {
  const keys = Object.keys(tags)
  const repeated = keys[findRepeat(keys) ?? keys.length]
  if (repeated === undefined) return []
  return [fault(['aws', 'tags', repeated], 'expected a key that differs by more than capital letters; IAM takes one')]
}

export function findNetworkFaults({ aws }: Treasury): PolicyFault[] {
  const { certificateAuthorities = [], proxy } = aws ?? {}
  return [
    ...portFaults(proxy?.url),
    ...certificateAuthorities.flatMap((pem, index) =>
      isReadable(pem)
        ? []
        : [
            fault(
              ['aws', 'certificateAuthorities', index],
              'expected a certificate in PEM, byte for byte as its authority gives it; got one that cannot be read',
            ),
          ],
    ),
  ]
}

function portFaults(url: string | undefined): PolicyFault[] {
  const found = (got: string) => [fault(['aws', 'proxy', 'url'], `expected a port from 1 to 65535; got ${got}`)]
  if (url === undefined) return []
  if (!URL.canParse(url)) return found('a larger one')
  return new URL(url).port === '0' ? found('0') : []
}

/** Node ignores a certificate that it cannot read, so functions would then not trust the authority. */
function isReadable(pem: string): boolean {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}

export function findNoticeFaults({ notices = [], policies }: Treasury): PolicyFault[] {
  const names = notices.map(({ name }) => name)
  return notices.flatMap(({ name, about, policies: named = [] }, index) => [
    ...(names.indexOf(name) === index
      ? []
      : [fault(['notices', index, 'name'], `expected another name; ${name} is that of another notice`)]),
    ...about.flatMap((each, at) =>
      about.indexOf(each) === at
        ? []
        : [fault(['notices', index, 'about', at], `expected each once; got ${each} again`)],
    ),
    ...named.flatMap((policy, at) => {
      if (Object.hasOwn(policies, policy)) return []
      const hint = nearestHint(policy, Object.keys(policies))
      return [fault(['notices', index, 'policies', at], `expected a policy of this file; got ${policy}${hint}`)]
    }),
  ])
}

export function findEncryptionFaults({ aws, encryption = {}, journal: { copyRegion } = {} }: Treasury): PolicyFault[] {
  const { copies, ...here } = encryption
  const regions = Object.entries(here).flatMap(([field, arn]) =>
    arn === undefined ? [] : [[field, regionOf(arn)] as const],
  )
  const home = aws?.region ?? regions[0]?.[1]
  return [
    ...regions.flatMap(([field, region]) =>
      region === home ? [] : [fault(pathOf(field), `expected a key of ${home}; got one of ${region}`)],
    ),
    ...copyKeyFaults(copies, here.journal, copyRegion),
  ]
}

function copyKeyFaults(copies?: string, journal?: string, copyRegion?: string): PolicyFault[] {
  const path = pathOf('copies' satisfies EncryptedData)
  if (copyRegion === undefined) {
    return copies === undefined ? [] : [fault(path, 'expected journal.copyRegion too; without it there are no copies')]
  }
  // Copies under a key of AWS would be readable without the journal's own key.
  if (copies === undefined) {
    return journal === undefined
      ? []
      : [fault(path, `expected a key of ${copyRegion}, as encryption.journal is set; it is missing`)]
  }
  const region = regionOf(copies)
  return region === copyRegion ? [] : [fault(path, `expected a key of ${copyRegion}; got one of ${region}`)]
}

const pathOf = (field: string) => ['encryption', field]

function regionOf(arn: string): string {
  return arn.split(':')[3] ?? ''
}

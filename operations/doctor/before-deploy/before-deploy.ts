// The doctor before a deployment: finds what would prevent it, and says what to do about each
// finding. It checks the place first, because without it nothing else can be known. Compares the file with the
// partition of AWS. Reads only.
import { partitionOf } from '../../../core/contract/partition.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { pathText } from '../../../core/policies/policy-fault.ts'
import { findForeign } from '../../../core/treasury/partition.ts'
import { type Check, fail, ok } from '../check.ts'
import { listenersCheck } from '../deployed/alarms.ts'
import { payoutFileChecks } from '../deployed/payout-files.ts'
import { ownKeyChecks } from '../own-keys.ts'
import { serviceAddressCheck } from '../placeholder.ts'
import { bootstrapCheck } from './bootstrap.ts'
import { givenChecks } from './given-resources.ts'
import { networkChecks } from './network/network-checks.ts'
import { roleChecks } from './permissions/roles.ts'
import { functionUrlCheck, type Place, placeCheck, servicesCheck } from './place.ts'
import { concurrencyCheck, homeCheck, journalNameCheck, secretChecks } from './resources.ts'

export async function beforeDeployChecks(treasury: Treasury): Promise<readonly Check[]> {
  const { checks, place } = await placeCheck(treasury.aws)
  if (place === undefined) return checks
  const further = await Promise.all([
    servicesCheck(place),
    bootstrapCheck(place),
    concurrencyCheck(treasury),
    journalNameCheck(treasury),
    homeCheck(treasury, place),
    listenersCheck(treasury, place),
  ])
  const [secrets, ownKeys, roles, network, given, files] = await Promise.all([
    secretChecks(treasury),
    ownKeyChecks(treasury),
    roleChecks(treasury, place),
    networkChecks(treasury, place),
    givenChecks(treasury, place),
    payoutFileChecks(treasury),
  ])
  const ofFile = [serviceAddressCheck(treasury.service.url), partitionCheck(treasury, place), functionUrlCheck(place)]
  return [...checks, ...ofFile, ...network, ...further, ...secrets, ...ownKeys, ...roles, ...given, ...files]
}

const CHECK = 'partition'

export function partitionCheck(treasury: Treasury, { region }: Pick<Place, 'region'>): Check {
  const { id, name } = partitionOf(region)
  const foreign = findForeign(treasury, region).map(({ path, text }) => `${pathText(path)} is ${text}`)
  if (foreign.length === 0) return ok(CHECK, `${id}, ${name}`)
  const detail = `${region} is in ${id} (${name}); ${foreign.join('; ')}`
  return fail(CHECK, detail, `name resources of ${id}: nothing crosses from one partition to another`)
}

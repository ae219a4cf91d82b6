// `sluice setup doctor --aws --before-deploy`: finds what would prevent a deployment, and says what to do about each
// finding. It checks the place first, because without it nothing else can be known. Reads only.
import type { Treasury } from '../../../core/contract/treasury.ts'
import type { Check } from '../check.ts'
import { payoutFileChecks } from '../deployed/payout-files.ts'
import { ownKeyChecks } from '../own-keys.ts'
import { serviceAddressCheck } from '../placeholder.ts'
import { bootstrapCheck } from './bootstrap.ts'
import { givenChecks } from './given-resources.ts'
import { networkChecks } from './network/network-checks.ts'
import { partitionCheck } from './partition.ts'
import { roleChecks } from './permissions/roles.ts'
import { placeCheck, servicesCheck } from './place.ts'
import { functionUrlCheck } from './region-gaps.ts'
import { concurrencyCheck, homeCheck, journalNameCheck, listenersCheck, secretChecks } from './resources.ts'

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

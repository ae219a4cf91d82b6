// Examines a deployment on AWS: the journal and its backups, subscribers of alarms, schedules, and the service with the
// deployed keys, against the account of the journal. Reads only, except for probes of signatures and scopes that move
// nothing.

import type { Treasury } from '../../../core/contract/treasury.ts'
import type { OperationContext } from '../../../place/context.ts'
import type { Check } from '../check.ts'
import { configurationCheck, deployedFile, type ReportedDeployment } from '../configuration-check.ts'
import { type Examined, examine, type Setup } from '../examine.ts'
import { haltChecks } from '../halt-checks.ts'
import { journalCheck } from '../journal-check.ts'
import { keysOfSecrets } from '../key-checks.ts'
import { ownKeyChecks } from '../own-keys.ts'
import { type AccountRecord, type Accounts, accountChecks, type FoundFacts } from './accounts.ts'
import { alarmChecks } from './alarms.ts'
import { journalPolicyCheck } from './journal-policy.ts'
import { decisionKeyCheck, secretPolicyChecks } from './key-policies.ts'
import { noticeChecks } from './notices.ts'
import { payoutFileChecks } from './payout-files.ts'
import { peopleCheck } from './people.ts'
import { journalBackupsCheck, recoveryPointChecks } from './recovery-points.ts'
import { scheduleChecks } from './schedules.ts'
import { underOwnKeysChecks } from './under-own-keys.ts'

export interface DeployedSetup extends Pick<Setup, 'references' | 'isSigningProbed'> {
  /** The file in hand. */
  readonly local: Treasury
  readonly told: ReportedDeployment
  /** The file by which service and keys are examined. */
  readonly treasury: Treasury
  readonly record: AccountRecord
  /** The configuration file that was named. */
  readonly config: string | undefined
}

export interface ExaminedDeployment extends Examined {
  readonly resources: readonly Check[]
  readonly facts: FoundFacts
  readonly agreed: Accounts['agreed']
}

/** Runs all checks side by side, except those that need the result of another. */
export async function examineDeployed(setup: DeployedSetup, context: OperationContext): Promise<ExaminedDeployment> {
  const { config, local, record, told } = setup
  const deployed = deployedFile(told) ?? local
  const connection = { aws: true, ...(config !== undefined && { config }) } as const
  const [ofService, ...resources] = await Promise.all([
    record.find().then((facts) => examineService(setup, facts, context)),
    haltChecks(connection, context),
    journalCheck(local),
    journalBackupsCheck(local),
    recoveryPointChecks(deployed, context.clock.nowMs()),
    journalPolicyCheck(local),
    decisionKeyCheck(local),
    secretPolicyChecks(deployed),
    peopleCheck(deployed),
    ownKeyChecks(deployed),
    underOwnKeysChecks(deployed),
    configurationCheck(local, told),
    alarmChecks(deployed),
    noticeChecks(deployed),
    scheduleChecks(deployed),
    payoutFileChecks(deployed),
  ])
  return { resources: resources.flat(), ...ofService }
}

async function examineService(
  { isSigningProbed, references, treasury }: DeployedSetup,
  facts: FoundFacts,
  { clock }: OperationContext,
): Promise<Omit<ExaminedDeployment, 'resources'>> {
  const { service } = treasury
  const pin = typeof facts === 'object' ? facts.pin : undefined
  const keyFinder = await keysOfSecrets(service, clock)
  let agreed: Accounts['agreed']
  const accountsOf: Setup['accountsOf'] = async (keys) => {
    const accounts = await accountChecks({ baseUrl: service.url, keys, pin }, clock)
    agreed = accounts.agreed
    return accounts.checks
  }
  const { stage, url } = service
  const examined = await examine({ url, stage, keyFinder, references, treasury, isSigningProbed, accountsOf }, clock)
  return { ...examined, facts, agreed }
}

// The doctor after a deployment, which `sluice setup doctor` runs: checks whether the deployment
// works, by the deployed file. If the keys work it records that in the journal, with their account, and schedules
// start. It moves nothing unless a market is named. It then converts that market's minimum once, with a test key.

import { KeyRole } from '../../../core/contract/service-settings.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { EVERYTHING } from '../../../core/journal/halts.ts'
import { isWithdrawing } from '../../../core/policies/kinds.ts'
import type { OperationContext } from '../../../place/context.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { type Advice, advice } from '../../../place/next-step.ts'
import { withConnection } from '../../../place/service/service-connection.ts'
import { findHalts } from '../../cases/find-halts.ts'
import { haltedText, resumeStep } from '../../words/halt-words.ts'
import { type Check, countOf, fail } from '../check.ts'
import { deployedFile } from '../configuration-check.ts'
import { settleAccount } from '../deployed/accounts.ts'
import { type DeployedSetup, type ExaminedDeployment, examineDeployed } from '../deployed/examine-deployed.ts'
import { JOURNAL_TABLE_CHECK } from '../journal-check.ts'
import { keyCheckOf, type RoleKey } from '../key-checks.ts'
import { serviceAccountCheck } from '../service-account/service-account-check.ts'
import { type ConversionWords, convertOnce } from './convert-once.ts'
import { assertConvertible, CONVERSION, leastConversion } from './least-conversion.ts'
import { tieOutChecks } from './tie-out.ts'

interface Verification extends Omit<DeployedSetup, 'isSigningProbed' | 'treasury'> {
  /** The market whose minimum is converted. Absent: nothing is moved. */
  readonly market: string | undefined
  readonly telling: ConversionWords
}

/**
 * Passes each finding to `found` at once, so that a failing conversion does not lose them.
 * @throws OperationError, with exit 3 where the conversion's end is not known.
 */
export async function verifyDeployed(
  verification: Verification,
  context: OperationContext,
  found: (checks: readonly Check[]) => void,
): Promise<ExitCode> {
  const { config, local, market, record, told: report, telling } = verification
  const deployed = deployedFile(report)
  const treasury = deployed ?? local
  if (market !== undefined) assertConvertible(treasury.service.stage)
  const examined = await examineDeployed({ ...verification, treasury, isSigningProbed: true }, context)
  const { agreed, facts, keys, named, resources } = examined
  // Checked before schedules may start, because another environment may work with the same account. Keys that do not
  // work say nothing about this environment to others.
  const unfit = deployed === undefined ? 'which file is deployed is not known' : obstacleIn(examined, treasury)
  const elsewhere = await serviceAccountCheck(treasury, { isWritten: unfit === undefined, known: agreed })
  const obstacle = unfit ?? obstacleIn({ keys: [elsewhere], resources: [] }, { policies: {} })
  const verified = await settleAccount({ record, facts, agreed, obstacle, config, nowMs: context.clock.nowMs() })
  const checks = [...resources, ...keys, elsewhere, verified, ...named]
  found(checks)
  const failed = countOf(checks, 'fail')
  const exitCode = failed === 0 ? ExitCode.Done : ExitCode.Failed
  if (market === undefined) return exitCode
  if (failed === 0) {
    return convertAndTieOut({ market, treasury, config, readKey: examined.readKey, telling }, context, found)
  }
  found([
    fail(
      CONVERSION,
      'not started: other checks fail',
      advice`${{ do: 'verify-deployed', config }}, when they are corrected`,
    ),
  ])
  return exitCode
}

/** The reason not to trust the keys with the journal; undefined where there is no such reason. */
export function obstacleIn(
  { keys, resources }: Pick<ExaminedDeployment, 'keys' | 'resources'>,
  { policies }: Pick<Treasury, 'policies'>,
): string | undefined {
  const needed = [...resources.filter(({ check }) => check === JOURNAL_TABLE_CHECK), ...keys]
  // Without a transfer key everything but withdrawals works.
  const withdraws = Object.values(policies).some(isWithdrawing)
  const isLacking = ({ check, status }: Check) =>
    status === 'fail' || (withdraws && status === 'warn' && check === keyCheckOf(KeyRole.Transfer))
  const failed = needed.filter(isLacking)
  return failed.length === 0 ? undefined : `${failed.map(({ check }) => check).join(', ')} failed`
}

interface Allowed {
  readonly readKey: RoleKey | undefined
  readonly market: string
  readonly treasury: Treasury
  readonly config: string | undefined
  readonly telling: ConversionWords
}

async function convertAndTieOut(
  { config, market, readKey, treasury, telling }: Allowed,
  context: OperationContext,
  found: (checks: readonly Check[]) => void,
): Promise<ExitCode> {
  const flags = { aws: true, ...(config !== undefined && { config }) } as const
  const refuse = (why: string, next: Advice) => {
    found([fail(CONVERSION, `not started: ${why}`, next)])
    return ExitCode.Failed
  }
  const known = await findHalts(flags, context)
  if ('why' in known) return refuse(`halts are not known: ${known.why}`, { do: 'list-cases', at: flags })
  const halt = known.found.find(({ scope }) => scope === EVERYTHING)
  if (halt !== undefined) return refuse(`halted: ${haltedText(halt)}`, { ...resumeStep(halt.scope), at: flags })
  // Every check of the keys passed, so one of them can read.
  if (readKey === undefined) return refuse('no key reads', { do: 'verify-deployed', config })
  const connection = { baseUrl: treasury.service.url, key: readKey.key, clock: context.clock }
  return withConnection(connection, async (client) => {
    const least = await leastConversion(market, client)
    if ('check' in least) {
      found([least])
      return ExitCode.Failed
    }
    const converted = await convertOnce({ request: least, treasury, config, telling }, context)
    found([converted.check])
    if (converted.exitCode !== ExitCode.Done) return converted.exitCode
    const ties = await tieOutChecks({ ...converted, treasury, config }, client)
    found(ties)
    return countOf(ties, 'fail') === 0 ? ExitCode.Done : ExitCode.DoesNotTieOut
  })
}

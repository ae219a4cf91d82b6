// Runs the rows of a payout file as one run of its policy, or plans them without moving anything. The ids of rows keep each row
// from moving twice, whatever runs have it. The rows of a long file reach its run through the journal's pages.
import { MOST_ROWS_IN_REQUEST } from '../../core/contract/payouts.ts'
import type { Policy } from '../../core/contract/policies.ts'
import type { RunRequest } from '../../core/contract/runs.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { pageHashes } from '../../core/journal/pages.ts'
import { takesRows } from '../../core/policies/kinds.ts'
import { type FiledRow, rowOf } from '../../core/runs/payouts/payout-file.ts'
import { treasuryFor } from '../../place/aws/deployed-configuration.ts'
import { type NamedService, readNamedService } from '../../place/configuration.ts'
import type { OperationContext } from '../../place/context.ts'
import { findRequester, type Who } from '../../place/decider.ts'
import { findPolicy, keyRolesOf, verbOf } from '../../place/named-policy.ts'
import { usageError } from '../../place/operation-error.ts'
import type { Progress } from '../../place/progress.ts'
import { resolveConnection, type Settings } from '../../place/settings.ts'
import { type ConnectionFlags, commandIn, commandNeedingKeys } from '../../place/words/command-line.ts'
import { intentIdOf, newRunId } from '../movements/intent-id.ts'
import type { Watch } from '../runs/execution-events.ts'
import { type PolicyRunResult, policyOperations } from '../runs/policy-run.ts'
import { runOnAws, runToEnd } from '../runs/run-to-end.ts'

/** The policy of a command, with everything that its runs need. */
export interface PayoutDesk {
  readonly name: string
  readonly policy: Policy
  readonly treasury: Treasury
  readonly settings: Settings
  readonly service: NamedService | undefined
  readonly flags: ConnectionFlags
  /** Who asks for its runs and checks, where a state directory records that. */
  readonly requester: string | undefined
}

/** `by`: who asks, where the place takes a name. */
export type PayoutFlags = ConnectionFlags & Pick<Who, 'by'>

export interface Reporting {
  readonly watch: Watch<RunRequest>
  readonly progress: Progress
}

/** @throws OperationError (exit 2) for a policy that pays no rows */
export async function openPayoutDesk(
  name: string,
  { by, ...flags }: PayoutFlags,
  { variables, stdin, output }: OperationContext,
): Promise<PayoutDesk> {
  const settings = resolveConnection(flags, variables)
  const treasury = await treasuryFor({ flags, configFile: settings.configFile, output })
  const policy = findPayoutsPolicy(name, treasury, flags)
  const roles = [KeyRole.Read, ...keyRolesOf(policy)]
  const service = flags.aws === true ? undefined : await readNamedService(settings, treasury, roles, stdin)
  const requester = findRequester({ ...flags, ...(by !== undefined && { by }) }, variables)
  return { name, policy, treasury, settings, service, flags, requester }
}

/** @throws OperationError (exit 2) */
export function findPayoutsPolicy(name: string, treasury: Treasury, flags: ConnectionFlags): Policy {
  const policy = findPolicy(name, treasury, { source: '--policy', flags })
  if (takesRows(policy)) return policy
  const message = `--policy: expected a policy that pays the rows of files; got one of kind ${policy.kind}`
  throw usageError('input', message, commandIn('policies', flags))
}

interface FileRun {
  readonly rows: readonly FiledRow[]
  /** Names the run: the same id gives the first result again. Absent: the rows are only planned. */
  readonly runId?: string
  /** The command that continues. */
  readonly again: string
}

/** @throws OperationError without a result */
export function runFile(
  { name, policy, treasury, settings, service, flags, requester }: PayoutDesk,
  { rows: filed, runId, again }: FileRun,
  { watch, progress }: Reporting,
  context: OperationContext,
): Promise<PolicyRunResult> {
  const verb = verbOf(policy)
  const rows = filed.map(rowOf)
  const isLong = rows.length > MOST_ROWS_IN_REQUEST
  const request: RunRequest = {
    ...{ policy: name, trigger: { by: 'person' } },
    ...(isLong ? { pages: pageHashes(rows) } : { rows }),
    ...(runId === undefined && { shadow: true }),
  }
  const run = {
    ...{ operation: policyOperations[verb], watch, settings, request, treasury, service, again },
    ...(isLong && { rows }),
    intentId: intentIdOf(verb, runId ?? newRunId()),
    requester,
    ...(runId !== undefined && { ownId: runId }),
    ...(runId === undefined && { leavesUnfinishedTo: commandNeedingKeys('serve', flags) }),
  }
  return flags.aws === true ? runOnAws(run, progress, context) : runToEnd(run, progress, context)
}

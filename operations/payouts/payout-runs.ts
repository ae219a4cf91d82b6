// Runs the rows of a payout file as one run of its policy, or plans them without moving anything. The ids of rows keep
// each row from moving twice, whatever runs have it. The rows of a long file reach its run through the journal's
// pages. Refuses a file with each of its findings: commands print them as lines, and pages as a table.

import { MOST_ROWS_IN_REQUEST } from '../../core/contract/payouts.ts'
import type { PayoutsPolicy } from '../../core/contract/policies.ts'
import type { RunRequest } from '../../core/contract/runs.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { pageHashes } from '../../core/journal/pages.ts'
import { takesRows } from '../../core/policies/kinds.ts'
import { checkLines, type PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import { type FiledRow, type PayoutFile, rowOf } from '../../core/runs/payouts/payout-file.ts'
import type { NamedService } from '../../place/configuration.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { findRequester, type Who } from '../../place/decider.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { findPolicy, keyRolesOf, verbOf } from '../../place/named-policy.ts'
import { type Advice, advice, type ConnectionFlags, option, type Step } from '../../place/next-step.ts'
import { OperationError, usageError } from '../../place/operation-error.ts'
import { findPlace, type Place, readKeys } from '../../place/place.ts'
import { idMadeOf, newRunId } from '../movements/intent-id.ts'
import { runExitCode } from '../run-exit-code.ts'
import type { Watch } from '../runs/execution-events.ts'
import { type PolicyRunResult, policyOperations } from '../runs/policy-run.ts'
import { runToEnd } from '../runs/run-to-end.ts'

/** The policy of a command, with everything that its runs need. */
export interface PayingPolicy {
  readonly name: string
  readonly policy: PayoutsPolicy
  readonly treasury: Treasury
  readonly place: Place
  readonly service: NamedService | undefined
  /** Who asks for its runs and checks, where a state directory records that. */
  readonly requester: string | undefined
}

/** `by`: who asks, where the place takes a name. */
type PayoutFlags = ConnectionFlags & Pick<Who, 'by'>

export interface Reporting {
  readonly watch: Watch<RunRequest>
  readonly progress: Progress
}

/** @throws OperationError (exit 2) for a policy that pays no rows */
export async function readPayingPolicy(
  name: string,
  { by, ...flags }: PayoutFlags,
  context: OperationContext,
): Promise<PayingPolicy> {
  const place = findPlace(flags, context)
  const treasury = await place.treasury()
  const policy = findPayoutsPolicy(name, treasury)
  const service = await readKeys(place, [KeyRole.Read, ...keyRolesOf(policy)])
  const requester = findRequester({ ...flags, ...(by !== undefined && { by }) }, context.variables)
  return { name, policy, treasury, place, service, requester }
}

/** @throws OperationError (exit 2) */
export function findPayoutsPolicy(name: string, treasury: Treasury): PayoutsPolicy {
  const policy = findPolicy(name, treasury, option('policy'))
  if (takesRows(policy)) return policy
  const message = advice`${option('policy')}: expected a policy that pays the rows of files; got one of kind ${policy.kind}`
  throw usageError('input', message, { do: 'list-policies' })
}

interface FileRun {
  readonly rows: readonly FiledRow[]
  /** Names the run: the same id gives the first result again. Absent: the rows are only planned. */
  readonly runId?: string
  /** The command that continues. */
  readonly again: Step
}

/** @throws OperationError without a result */
export function runFile(
  { name, policy, treasury, place, service, requester }: PayingPolicy,
  { rows: filed, runId, again }: FileRun,
  { watch, progress }: Reporting,
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
    ...{ operation: policyOperations[verb], watch, place, request, treasury, service, again },
    ...(isLong && { rows }),
    intentId: idMadeOf(verb, runId ?? newRunId()),
    requester,
    ...(runId !== undefined && { ownId: runId }),
    ...(runId === undefined && { leavesUnfinishedTo: { do: 'serve', needsKeys: true } as const }),
  }
  return runToEnd(run, progress)
}

export interface PaidFile {
  readonly result: PolicyRunResult
  /** By the end of the run alone. Rows that it left out may not be paid. */
  readonly exitCode: ExitCode
}

interface Paying {
  readonly runId: string
  /** The command that continues. */
  readonly again: Step
}

/** @throws FaultyFile (exit 2), and then nothing was sent */
export async function payFile(
  file: PayoutFile,
  payingPolicy: PayingPolicy,
  paying: Paying,
  reporting: Reporting,
): Promise<PaidFile> {
  assertNoFindings(checkLines(payingPolicy.name, file).findings)
  const result = await runFile(payingPolicy, { rows: file.rows, ...paying }, reporting)
  const exitCode = runExitCode(result.outcome, 'tiesOut' in result ? result.tiesOut : undefined)
  return { result, exitCode }
}

/** Codes by their weight. */
const BY_WEIGHT = [ExitCode.NeedsPerson, ExitCode.DoesNotTieOut, ExitCode.AwaitsApproval, ExitCode.Failed]

/** The code of a file by those of its run and its rows: a run that had nothing to do has left rows that are not paid yet. */
export function heaviestOf(codes: readonly ExitCode[]): ExitCode {
  return BY_WEIGHT.find((code) => codes.includes(code)) ?? ExitCode.Done
}

/** Its message has a line for each finding. */
export class FaultyFile extends OperationError {
  readonly findings: readonly PayoutFinding[]

  constructor(findings: readonly PayoutFinding[], next: Advice) {
    const message = findings.map(findingText).join('\n')
    super({ exitCode: ExitCode.Usage, code: 'input', message, next: advice`${next}; nothing was sent` })
    this.findings = findings
  }
}

/** @throws FaultyFile (exit 2) */
export function assertNoFindings(
  findings: readonly PayoutFinding[],
  next = 'correct the file and run the command again',
): void {
  if (findings.length > 0) throw new FaultyFile(findings, next)
}

export function findingText({ line, id, says }: PayoutFinding): string {
  return [line === undefined ? 'file' : `line ${line}`, id && `row ${id}`, says].filter(Boolean).join(': ')
}

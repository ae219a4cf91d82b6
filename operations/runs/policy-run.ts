// Defines the operations of `sluice run rebalance` and `sluice run sweep`. The result is the report in the journal, and
// not the output of the execution.
import * as z from 'zod/mini'
import { executionEndText } from '../../core/contract/code-names.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import {
  planOutput,
  RunEnd,
  type RunReport,
  type RunRequest,
  runRequest,
  runSummary,
} from '../../core/contract/runs.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { printable } from '../../core/printable.ts'
import { isUnbegun, mayBeginAgain, type RunRecord, reportOfRun } from '../../core/runs/record/run-record.ts'
import { nearestName } from '../../core/treasury/nearest-name.ts'
import type { AwsAddress } from '../../place/aws/aws-address.ts'
import { assertHoldsAtDesk } from '../../place/configuration.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { keyRolesOf, machineOf, type PolicyVerb, policyOf } from '../../place/named-policy.ts'
import { usageError } from '../../place/operation-error.ts'
import { runExitCode } from '../run-exit-code.ts'
import { outcomeWords } from '../words/outcome-words.ts'
import { testOfPolicy } from './new-directory/movement-test.ts'
import { type FinishedExecution, type Operation, reportIn } from './operation.ts'

/** The journal's report. A run that ended before its first record has only the facts of its end. */
export type PolicyRunResult = RunReport | UnrecordedRun

interface UnrecordedRun {
  readonly outcome: string
  readonly runId: string
  readonly why: string
}

/** A run that names no trigger was started by the person who gave the command. */
const requestOfPerson = z.pipe(
  runRequest,
  z.transform((request): RunRequest => ({ trigger: { by: 'person' }, ...request })),
)

export const policyOperations: Readonly<Record<PolicyVerb, Operation<RunRequest, PolicyRunResult>>> = {
  rebalance: policyOperation('rebalance'),
  sweep: policyOperation('sweep'),
}

function policyOperation(verb: PolicyVerb): Operation<RunRequest, PolicyRunResult> {
  return {
    verb,
    stateMachine: machineOf[verb],
    schema: requestOfPerson,
    named: (name, treasury) => ({ policy: namedPolicy(name, treasury), trigger: { by: 'person' } }),
    noun: verb,
    keyRoles: (request, treasury, flags) => {
      const policy = policyOf(request, verb, treasury)
      if (flags?.aws !== true && typeof request.policy !== 'string') assertHoldsAtDesk(treasury, policy)
      return keyRolesOf(policy)
    },
    movesOf: (request, treasury) => {
      const policy = policyOf(request, verb, treasury)
      if (request.shadow === true || policy.mode === 'shadow') return undefined
      return testOfPolicy(policy, treasury.guards)
    },
    resultOf: async (execution, journal) => resultOf(execution, await findRun(execution, journal)),
    mayChange: async (execution, journal) => mayChange(await findRun(execution, journal)),
    exitCode: (result) => runExitCode(result.outcome, 'tiesOut' in result ? result.tiesOut : undefined),
  }
}

/** @throws OperationError (exit 2) with the nearest name */
function namedPolicy(name: string, { policies }: Treasury): string {
  if (Object.hasOwn(policies, name)) return name
  const names = Object.keys(policies)
  const nearest = nearestName(name, names)
  const known = names.length === 0 ? 'which has none' : `which has ${names.join(', ')}`
  const hint = nearest === undefined ? `, ${known}` : `; did you mean "${nearest}"?`
  const message = `${printable(name)}: expected an existing file, or the name of a policy of treasury.json; got neither${hint}`
  throw usageError('input', message, { do: 'list-policies' })
}

function findRun({ name }: FinishedExecution, journal: AwsAddress): Promise<RunRecord | undefined> {
  return withRunJournal(journal, ({ runs }) => runs.find(intentIdOf(name)))
}

/** Opens the journal of an embedded AWS while some work runs. */
export async function withRunJournal<Result>(
  address: AwsAddress,
  work: (journal: ReturnType<typeof createRunJournal>) => Promise<Result>,
): Promise<Result> {
  const table = journalTable(address)
  try {
    return await work(createRunJournal(table))
  } finally {
    table.client.destroy()
  }
}

/**
 * Whether the run is entered again. It was approved since, its legs were in doubt, or our own fault stopped it before a
 * leg began. A run in shadow mode is entered again too, because the mode may have changed, and so is a run that only met
 * another run of its policy.
 */
function mayChange(run: RunRecord | undefined): boolean {
  if (run === undefined) return false
  if (run.outcome === RunEnd.AwaitingApproval) return run.approval?.decision === 'approved'
  if (run.outcome === RunEnd.Shadowed) return run.request.shadow !== true
  if (run.outcome === RunEnd.AlreadyRunning) return mayBeginAgain(run)
  return run.outcome === RunEnd.NeedsAttention || isUnbegun(run)
}

function resultOf(execution: FinishedExecution, run: RunRecord | undefined): PolicyRunResult {
  const runId = intentIdOf(execution.name)
  if (run !== undefined) {
    const report = reportOfRun(run)
    if (execution.status === 'SUCCEEDED' || run.outcome === RunEnd.OwnFault) return report
    // Only settling failed, so the record may say RUNNING for ever.
    return { ...report, outcome: RunEnd.NeedsAttention, why: endedText(execution) }
  }
  const report = reportIn(execution, planOutput) ?? reportIn(execution, runSummary)
  if (report !== undefined)
    return { outcome: report.outcome, runId, why: report.why ?? outcomeWords(report.outcome).says }
  return { outcome: RunEnd.NeedsAttention, runId, why: endedText(execution) }
}

function endedText({ status, error }: FinishedExecution): string {
  return `the execution ${executionEndText(status)}${error === undefined ? '' : ` with ${error}`} and was not settled`
}

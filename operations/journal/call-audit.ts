// Runs one audit of the journal with the deployed function, on the embedded AWS or on AWS itself. Calls the function
// again as long as it leaves a part of the audit to its next call.

import { ErrorName } from '../../core/contract/errors.ts'
import {
  AuditOutcome,
  isWholeAudit,
  notDeclared,
  nothingLeft,
  type ReconcileInput,
  type ReconcileReport,
  reconcileReport,
} from '../../core/contract/reconcile.ts'
import { type AwsAddress, isDeployment } from '../../place/aws/aws-address.ts'
import { FunctionError, invokeFunction } from '../../place/aws/invoke-function.ts'
import { journalFailure } from '../../place/journal/journal-failure.ts'
import { type Step, VERIFY } from '../../place/next-step.ts'
import { type ErrorCode, failedWith, OperationError } from '../../place/operation-error.ts'

/** The name that infra/constructs/verb-function.ts gives it. */
const FUNCTION = 'sluice-reconcile'

/** The error codes of this command line, by the function's error names. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  [ErrorName.Transient]: 'unreachable',
  [ErrorName.RateLimited]: 'unreachable',
  [ErrorName.Refused]: 'refused',
  [ErrorName.KeyFault]: 'refused',
  [ErrorName.OwnFault]: 'refused',
  [ErrorName.Defect]: 'broken_answer',
}

/** Maximum number of calls. Each works for up to a quarter of an hour, so all of them take days. */
const MOST_CALLS = 500
/** Maximum number of findings in a report, as in that of one call. */
const MOST_FINDINGS = 200

/** The call does not judge the open intents again. */
const CONTINUE: ReconcileInput = { continues: true }

/** Receives the report so far, after each call that left a part to the next. */
export type OnPart = (soFar: ReconcileReport) => void

/** Runs one audit with the function that is deployed there. @throws OperationError (exit 1) where it did not end */
export async function auditAt(
  address: AwsAddress,
  input: ReconcileInput,
  again: Step,
  onPart: OnPart = () => undefined,
): Promise<ReconcileReport> {
  let report = await callAudit(address, input, again)
  for (let calls = 1; calls < MOST_CALLS && !isWholeAudit(report); calls += 1) {
    onPart(report)
    // A requested look back has no memory, so the next call gets the time to begin at.
    const next = input.since === undefined ? CONTINUE : { ...input, since: report.through }
    const part = await callAudit(address, next, again)
    // Without progress another audit is at work, or nothing more is old enough.
    if (part.through === report.through && part.againLeftFrom === report.againLeftFrom) break
    report = input.since === undefined ? withFindings(part, report) : together(report, part)
  }
  return report
}

/** The report of the last call counts from the beginning of the audit, and each call names its own findings. */
function withFindings(report: ReconcileReport, before: Pick<ReconcileReport, 'findings'>): ReconcileReport {
  return { ...report, findings: [...before.findings, ...report.findings].slice(0, MOST_FINDINGS) }
}

/** Adds up the reports of two look backs, of which one begins where the other ended. */
function together(first: ReconcileReport, second: ReconcileReport): ReconcileReport {
  const sum = (name: (typeof COUNTS)[number]) => first[name] + second[name]
  const findingsTotal = sum('findingsTotal')
  return {
    ...withFindings(second, first),
    since: first.since,
    outcome: findingsTotal + second.open.length === 0 ? AuditOutcome.TiesOut : AuditOutcome.Findings,
    ...{ orders: sum('orders'), fills: sum('fills'), withdrawals: sum('withdrawals'), entries: sum('entries') },
    ...{ intents: sum('intents'), foreign: sum('foreign'), findingsTotal },
  }
}

const COUNTS = ['orders', 'fills', 'withdrawals', 'entries', 'intents', 'foreign', 'findingsTotal'] as const

async function callAudit(address: AwsAddress, input: ReconcileInput, again: Step): Promise<ReconcileReport> {
  try {
    const answered: unknown = JSON.parse(await invokeFunction(address, FUNCTION, JSON.stringify(input)))
    if (notDeclared.safeParse(answered).success) throw undeclaredJournal()
    // Another caller has ended the audit meanwhile. A new one judges what has become old enough.
    if (input.continues === true && nothingLeft.safeParse(answered).success) return await callAudit(address, {}, again)
    return reconcileReport.parse(answered)
  } catch (error) {
    if (error instanceof OperationError) throw error
    if (!(error instanceof FunctionError)) throw isDeployment(address) ? journalFailure(error) : error
    const { name, message } = error
    throw failedWith(
      CODES[name] ?? 'defect',
      `the audit did not end: ${name}: ${message}`,
      { ...again, why: 'judges the same movements again; nothing was recorded' },
      error,
    )
  }
}

function undeclaredJournal(): OperationError {
  return failedWith(
    'refused',
    'the journal is empty, and nobody has said that it is a new one: there is nothing to compare the account with',
    { ...VERIFY, why: 'after a first deployment; else docs/runbook.md, "The journal is lost or restored"' },
  )
}

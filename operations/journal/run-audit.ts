// Runs one audit of the journal with the deployed function: on the embedded AWS of this process, at the desk of
// another, or on AWS. The function changes nothing except its watermark.

import {
  AuditOutcome,
  type ReconcileInput,
  type ReconcileReport,
  reconcileInput,
} from '../../core/contract/reconcile.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { admitService, assertAdmitted } from '../../place/account/admit-service.ts'
import { deploymentOf } from '../../place/aws/aws-address.ts'
import { readNamedService, readTreasury } from '../../place/configuration.ts'
import type { OperationContext } from '../../place/context.ts'
import { withEmbeddedSession } from '../../place/desk/embedded-session.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { usageError } from '../../place/operation-error.ts'
import type { Progress } from '../../place/progress.ts'
import { resolveConnection, type Settings } from '../../place/settings.ts'
import { type ConnectionFlags, commandNeedingKeys, commandWith } from '../../place/words/command-line.ts'
import { auditAt, type OnPart } from './audit.ts'

/** `since`: ISO-8601 with its zone. Absent: from the end of the last audit, or the last day. */
export interface AuditInput {
  readonly since?: string | undefined
}

/** @throws OperationError when there is no report; exit 2 for an invalid time */
export async function runAudit(
  { since }: AuditInput,
  flags: ConnectionFlags,
  progress: Progress,
  context: OperationContext,
): Promise<ReconcileReport> {
  const input = parseInput(since, flags)
  const settings = resolveConnection(flags, context.variables)
  const again = commandWith(since === undefined ? 'journal audit' : `journal audit --since ${since}`, flags)
  const treasury = readTreasury(settings.configFile)
  return flags.aws === true
    ? auditAt(deploymentOf(treasury), input, again, showPart(progress))
    : auditHere(input, { settings, treasury, again, flags, progress }, context)
}

export function auditExitCode({ outcome }: ReconcileReport): ExitCode {
  return outcome === AuditOutcome.TiesOut ? ExitCode.Done : ExitCode.DoesNotTieOut
}

function parseInput(since: string | undefined, flags: ConnectionFlags): ReconcileInput {
  const parsed = reconcileInput.safeParse(since === undefined ? {} : { since })
  if (parsed.success) return parsed.data
  const message = `--since: expected an ISO-8601 time with its zone; got ${JSON.stringify(since)}`
  throw usageError('usage', message, commandWith('journal audit --since 2026-01-31T00:00:00Z', flags))
}

/** Shows how far an audit of several calls has come. */
function showPart(progress: Progress): OnPart {
  return ({ through, againLeftFrom, orders, withdrawals }) => {
    const again = againLeftFrom === undefined ? '' : `, and again from ${againLeftFrom} on`
    const text = `${orders} orders and ${withdrawals} withdrawals so far, through ${through}${again}`
    progress.live({ label: 'audit', text, tone: 'wait' })
  }
}

interface Setup {
  readonly settings: Settings
  readonly treasury: Treasury
  /** The command that repeats this work. */
  readonly again: string
  readonly flags: ConnectionFlags
  readonly progress: Progress
}

/** Works in this process, or at the desk of the state directory. */
async function auditHere(
  input: ReconcileInput,
  { settings, treasury, again, flags, progress }: Setup,
  context: OperationContext,
): Promise<ReconcileReport> {
  const { stateDir } = settings
  const service = await readNamedService(settings, treasury, [KeyRole.Read], context.stdin)
  const options = {
    ...settings,
    treasury,
    service,
    command: 'journal audit',
    roles: [],
    prepare: () => admitService(stateDir, service, context.clock),
    onEvent: () => undefined,
    progress,
    again,
    leavesUnfinishedTo: commandNeedingKeys('serve', flags),
  }
  return withEmbeddedSession(
    options,
    context,
    ({ aws }) => auditAt(aws, input, again, showPart(progress)),
    async (desk) => {
      if (service !== undefined) await assertAdmitted(stateDir, service, context.clock)
      return auditAt(desk, input, again, showPart(progress))
    },
  )
}

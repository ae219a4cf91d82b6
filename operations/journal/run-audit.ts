// Runs one audit of the journal with the deployed function, at its place. The function changes nothing except its
// watermark.

import {
  AuditOutcome,
  type ReconcileInput,
  type ReconcileReport,
  reconcileInput,
} from '../../core/contract/reconcile.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import { type AwsAddress, deploymentOf } from '../../place/aws/aws-address.ts'
import { readTreasury } from '../../place/configuration.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { findPlace, readKeys } from '../../place/place.ts'
import { atRunningPlace } from '../../place/running-place.ts'
import { auditAt, type OnPart } from './call-audit.ts'

/** `since`: ISO-8601 with its zone. Absent: from the end of the last audit, or the last day. */
interface AuditInput {
  readonly since?: string | undefined
}

/** @throws OperationError when there is no report; exit 2 for an invalid time */
export async function runAudit(
  { since }: AuditInput,
  flags: ConnectionFlags,
  progress: Progress,
  context: OperationContext,
): Promise<ReconcileReport> {
  const input = parseInput(since)
  const again = { do: 'audit', since } as const
  const place = findPlace(flags, context)
  const audit = (address: AwsAddress) => auditAt(address, input, again, showPart(progress))
  if (place.isAws) return audit(deploymentOf(readTreasury(place.settings.configFile)))
  const service = await readKeys(place, [KeyRole.Read])
  const leavesUnfinishedTo = { do: 'serve', needsKeys: true } as const
  const needs = { service, command: 'journal audit', roles: [], progress, again, leavesUnfinishedTo }
  return atRunningPlace(place, needs, ({ address }) => audit(address))
}

export function auditExitCode({ outcome }: ReconcileReport): ExitCode {
  return outcome === AuditOutcome.TiesOut ? ExitCode.Done : ExitCode.DoesNotTieOut
}

function parseInput(since: string | undefined): ReconcileInput {
  const parsed = reconcileInput.safeParse(since === undefined ? {} : { since })
  if (parsed.success) return parsed.data
  const problem = `expected an ISO-8601 time with its zone; got ${JSON.stringify(since)}`
  throw unfit('since', problem, { do: 'audit', since: '2026-01-31T00:00:00Z' })
}

/** Shows how far an audit of several calls has come. */
function showPart(progress: Progress): OnPart {
  return ({ through, againLeftFrom, orders, withdrawals }) => {
    const again = againLeftFrom === undefined ? '' : `, and again from ${againLeftFrom} on`
    const text = `${orders} orders and ${withdrawals} withdrawals so far, through ${through}${again}`
    progress.live({ label: 'audit', text, tone: 'wait' })
  }
}

// Handler of the audit. It connects its clients, and passes each event to `reconcile.ts`. The audit runs each hour and
// sends nothing, so it also records for the log of people with which treasury.json this deployment runs.
import { systemClock } from '../../core/clock.ts'
import {
  auditLagSeconds,
  isWholeAudit,
  NOT_DECLARED,
  NOTHING_LEFT,
  type ReconcileReport,
  reconcileInput,
} from '../../core/contract/reconcile.ts'
import { Verb } from '../../core/contract/states.ts'
import { createPaidTwiceFinder } from '../../core/runs/plan/payments.ts'
import { wireAuditRecords } from '../runtime/audit-wiring.ts'
import { wireServiceClient } from '../runtime/clients.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { readShared, readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { logFinding, logLate } from '../runtime/log.ts'
import { LEDGER_PAGE, type Span } from './ports.ts'
import { isUnfinished, reconcile } from './reconcile.ts'

/** Maximum number of fills of one order. */
const MOST_FILLS_OF_ONE = 5_000
/**
 * Milliseconds after which a call begins no other slice. A slice of 10,000 movements then has five minutes until the
 * function's timeout, and takes less than one.
 */
const MOST_MS_BEFORE_A_SLICE = 600_000

export const makeReconcileHandler: MakeHandler = (env) => {
  const client = wireServiceClient(env)
  const service = {
    clock: client.clock,
    walkOrders: (span: Span, maxItems: number) => client.walkOrders(span, { maxItems }),
    walkFills: (span: Pick<Span, 'startDate'> & Partial<Span>, maxItems: number) =>
      client.walkFills(span, { maxItems }),
    findFills: (orderId: string) => client.fillsOf(orderId, MOST_FILLS_OF_ONE),
    walkWithdrawals: (span: Span, maxItems: number) => client.walkWithdrawals(span, { maxItems }),
    walkLedger: (filter: { readonly sourceId?: string }, maxItems: number) => client.walkLedger(filter, { maxItems }),
    readLedgerPage: async (page: number) => {
      const { data, pagination } = await client.readLedgerPage(page, LEDGER_PAGE)
      return { entries: data, totalEntries: pagination.totalItems }
    },
    findOrder: client.findOrder,
    findWithdrawal: client.findWithdrawal,
  }
  const settings = { timing: readTiming(env), isShared: readShared(env) === true }
  const { hasRun, isDeclared, recordConfiguration, ...records } = wireAuditRecords(env)
  const schedules = Object.entries(readTreasuryFile(env).policies).flatMap(([policy, { schedule }]) =>
    schedule === undefined ? [] : [[policy, schedule] as const],
  )
  const starts = { schedules, hasRun, tellLate: logLate }
  const findPaidTwice = createPaidTwiceFinder({ ...records, service })
  const ports = { ...records, service, findPaidTwice, report: logFinding, starts, ...settings }
  return frameHandler(
    Verb.Reconcile,
    reconcileInput,
    async (input) => {
      if (!(await isDeclared())) return NOT_DECLARED
      if (input.continues === true && !(await isUnfinished(ports.watermarks))) return NOTHING_LEFT
      const untilMs = systemClock.nowMs() + MOST_MS_BEFORE_A_SLICE
      const audit = reconcile(input, { ...ports, hasTime: () => systemClock.nowMs() < untilMs })
      // Neither prevents the other. The function fails where one of them does.
      const [recorded, audited] = await Promise.allSettled([recordConfiguration(), audit])
      if (audited.status === 'rejected') throw audited.reason
      if (recorded.status === 'rejected') throw recorded.reason
      return audited.value
    },
    measureAudit,
  )
}

/**
 * An audit counts once it has ended: without a journal no audit took place, and one that goes on has not judged all. If
 * a journal existed and is lost, or the audits stay behind, the missing metric shows it. So a look back that a person
 * requested does not count, because it may leave out what the audits have not judged.
 */
function measureAudit(
  answer: ReconcileReport | typeof NOT_DECLARED | typeof NOTHING_LEFT,
): Partial<Record<'Audits' | 'AuditLag', number>> {
  if (!('through' in answer) || answer.againFrom === undefined) return {}
  return { ...(isWholeAudit(answer) && { Audits: 1 }), AuditLag: auditLagSeconds(answer) }
}

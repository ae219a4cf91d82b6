// Handler of the audit. It connects its clients, and passes each event to `reconcile.ts`. The audit runs each hour and
// sends nothing, so it also records for the log of people with which treasury.json this deployment runs.
import { NOT_DECLARED, reconcileInput } from '../../core/contract/reconcile.ts'
import { Verb } from '../../core/contract/states.ts'
import { wireServiceClient } from '../runtime/clients.ts'
import { readShared, readTiming, readTreasuryFile } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { logFinding, logLate } from '../runtime/log.ts'
import { wireAuditRecords } from '../runtime/movement-wiring.ts'
import type { Span } from './ports.ts'
import { reconcile } from './reconcile.ts'

export const makeReconcileHandler: MakeHandler = (env) => {
  const client = wireServiceClient(env)
  const service = {
    clock: client.clock,
    walkOrders: (span: Span, maxItems: number) => client.walkOrders(span, { maxItems }),
    walkFills: (since: Pick<Span, 'startDate'>, maxItems: number) => client.walkFills(since, { maxItems }),
    walkWithdrawals: (span: Span, maxItems: number) => client.walkWithdrawals(span, { maxItems }),
    walkLedger: (filter: { readonly sourceId?: string }, maxItems: number) => client.walkLedger(filter, { maxItems }),
    findOrder: client.findOrder,
    findWithdrawal: client.findWithdrawal,
  }
  const settings = { timing: readTiming(env), isShared: readShared(env) === true }
  const { hasRun, isDeclared, recordConfiguration, ...records } = wireAuditRecords(env)
  const schedules = Object.entries(readTreasuryFile(env).policies).flatMap(([policy, { schedule }]) =>
    schedule === undefined ? [] : [[policy, schedule] as const],
  )
  const starts = { schedules, hasRun, tellLate: logLate }
  const ports = { ...records, service, report: logFinding, starts, ...settings }
  return frameHandler(
    Verb.Reconcile,
    reconcileInput,
    async (input) => {
      if (!(await isDeclared())) return NOT_DECLARED
      // Neither prevents the other. The function fails where one of them does.
      const [recorded, audited] = await Promise.allSettled([recordConfiguration(), reconcile(input, ports)])
      if (audited.status === 'rejected') throw audited.reason
      if (recorded.status === 'rejected') throw recorded.reason
      return audited.value
    },
    // Without a journal no audit took place. If a journal existed and is lost, the missing metric shows it.
    ({ outcome }): { readonly Audits?: number } => (outcome === NOT_DECLARED.outcome ? {} : { Audits: 1 }),
  )
}

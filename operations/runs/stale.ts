// Checks whether the plan that a run waits with still holds, before a person is asked to approve it, and again after
// the answer. It is the same check that the run makes before it moves anything. Reads only, and records nothing.

import { takesRows } from '../../core/policies/kinds.ts'
import { changedTerms, recheckApproval } from '../../core/runs/approval/recheck.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { isNotFound } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { assertAdmitted } from '../../place/account/admit-service.ts'
import type { NamedService } from '../../place/configuration.ts'
import type { OperationContext } from '../../place/context.ts'
import type {
  ApprovalAccess,
  ConfiguredJournal,
  DoorAccess,
  HaltAccess,
  IntentAccess,
  OpenIntentAccess,
  PlacedJournal,
  PolicyAccess,
  RunAccess,
} from '../../place/journal/journal-parts.ts'
import { verbOf } from '../../place/named-policy.ts'
import type { ConnectionFlags, Step } from '../../place/next-step.ts'
import { failedWith, OperationError } from '../../place/operation-error.ts'
import { withJournalService } from '../../place/place-service.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { NOT_COMPARED, NOT_LOOKED } from '../words/outcome-words.ts'

/** The parts behind the ports of a run. */
type RunPortAccess = ConfiguredJournal &
  IntentAccess &
  RunAccess &
  PolicyAccess &
  HaltAccess &
  ApprovalAccess &
  Pick<OpenIntentAccess, 'intentIndex'>

export interface PlanSources {
  readonly connection: PlacedJournal & RunPortAccess & DoorAccess
  /** Absent: the built-in sandbox. */
  readonly service: NamedService | undefined
  readonly flags: ConnectionFlags
}

/**
 * Notes what makes an approved run wait, and what could not be checked. The run checks again later, without a command.
 * @throws OperationError: exit 1 where the plan no longer holds; exit 2 for keys of another account
 */
export async function assertHolds(run: RunRecord, sources: PlanSources, context: OperationContext): Promise<void> {
  const { connection } = sources
  const { output } = context
  const halt = await connection.halts.find(run.policy)
  if (halt !== undefined) output.note(`sending is halted, so an approved run waits: ${halt.because}`)
  if (connection.embedded === undefined) {
    const changed = changedTerms(run, connection)
    // The deployed file may differ from the file here.
    if (changed !== undefined)
      output.note(`by the configuration here ${changed}; if it is what is deployed, nothing moves`)
    return
  }
  const look = await checkPlan(run, sources, context).catch((error: unknown) => {
    if (error instanceof OperationError) throw error
    const why = error instanceof Error ? error.message : 'for an unknown reason'
    output.note(`${NOT_LOOKED}: ${why}; the run looks before it moves anything`)
    return undefined
  })
  if (look?.changed !== undefined) throw stale(run, look.changed)
  if (look?.waits !== undefined)
    output.note(`${NOT_COMPARED}, because ${look.waits}; an approved run waits for its end, and then compares them`)
}

async function checkPlan(run: RunRecord, { connection, service, flags }: PlanSources, context: OperationContext) {
  const { clock } = context
  const look = async (client: ServiceClient): Promise<{ readonly changed?: string; readonly waits?: string }> => {
    await client.clock.measure()
    const expiresAt = run.approval?.expiresAt ?? ''
    if (client.clock.nowMs() >= Date.parse(expiresAt))
      return { changed: `its time to be approved ended at ${expiresAt}` }
    return recheckApproval(run, await connection.policyRecords.find(run.policy), portsOf(connection, client))
  }
  if (service === undefined) return withJournalService(connection, flags, context, look)
  // The balances of another account say nothing about this plan.
  if (connection.embedded !== undefined) await assertAdmitted(connection.embedded.stateDir, service, clock)
  return withConnection({ baseUrl: service.url, key: service.readKey, clock }, look)
}

const readsNoPages = { read: () => Promise.reject(new TypeError('a look at a plan reads no rows')) }
const booksNothing = () => Promise.reject(new TypeError('a look at a plan books nothing'))

function portsOf(connection: RunPortAccess, client: ServiceClient): RunPorts {
  const { journal, runJournal, policyRecords, halts, intentIndex: index, budgets, treasury } = connection
  const { decisions, namesOf, requesters } = connection
  return {
    ...{ journal, runs: runJournal.runs, policies: policyRecords, halts, index, budgets, treasury },
    ...{ decisions, namesOf, requesters },
    ...{ logTrip: () => undefined, hasTime: () => true },
    pages: readsNoPages,
    service: {
      ...client,
      ledgerOf: booksNothing,
      balanceBefore: booksNothing,
      findCompletedLike: booksNothing,
      findContact: (contactId) =>
        client.contact(contactId).catch((error: unknown) => {
          if (isNotFound(error)) return undefined
          throw error
        }),
    },
  }
}

function stale({ runId, policy, request, asPlanned }: RunRecord, changed: string): OperationError {
  const named = typeof request.policy === 'string' ? { policy } : {}
  const anew: Step = takesRows(asPlanned)
    ? { do: 'run-payouts', policy }
    : { do: 'run', verb: verbOf(asPlanned), ...named }
  return failedWith('refused', `the plan of run ${runId} no longer holds: ${changed}; nothing was recorded`, {
    ...anew,
    why: 'plans again, and replaces this plan',
  })
}

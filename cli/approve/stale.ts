// Whether the plan that a run waits with still holds: looked at before a person is asked to approve it, and once more
// after the answer. It is the look that the run itself takes before it moves anything. Reads only, and records nothing.
import { changedTerms, lookAgain } from '../../core/runs/approval/look-again.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { isNotFound } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { assertAdmitted } from '../target/account/admit-service.ts'
import type { NamedService } from '../target/configuration.ts'
import { withJournalService } from '../target/journal/journal-service.ts'
import type { JournalTarget } from '../target/journal/journal-target.ts'
import { verbOf } from '../target/named-policy.ts'
import { withConnection } from '../target/service/service-connection.ts'
import { CommandError } from '../terminal/command-error.ts'
import { commandWith, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { NOT_LOOKED } from './not-looked.ts'

export interface Looked {
  readonly target: JournalTarget
  /** Absent: the built-in sandbox. */
  readonly service: NamedService | undefined
  readonly flags: TargetFlags
}

/**
 * Notes what stands in the way for now, and what could not be looked at: the run looks again by itself.
 * @throws CommandError: exit 1 where the plan no longer holds; exit 2 for keys of another account
 */
export async function assertHolds(run: RunRecord, looked: Looked, context: CommandContext): Promise<void> {
  const { target, flags } = looked
  const { output } = context
  const halt = await target.halts.find(run.policy, run.asPlanned.was)
  if (halt !== undefined) output.note(`sending is halted, so an approved run waits: ${halt.because}`)
  if (target.embedded === undefined) {
    const changed = changedTerms(run, target)
    // What is deployed may be another file than the one here.
    if (changed !== undefined)
      output.note(`by the configuration here ${changed}; if it is what is deployed, nothing moves`)
    return
  }
  const look = await lookedAt(run, looked, context).catch((error: unknown) => {
    if (error instanceof CommandError) throw error
    const why = error instanceof Error ? error.message : 'for an unknown reason'
    output.note(`${NOT_LOOKED}: ${why}; the run looks before it moves anything`)
    return undefined
  })
  if (look?.changed !== undefined) throw stale(run, look.changed, flags)
  if (look?.waits !== undefined) output.note(`an approved run waits, because ${look.waits}`)
}

async function lookedAt(run: RunRecord, { target, service, flags }: Looked, context: CommandContext) {
  const { clock } = context
  const look = async (client: ServiceClient): Promise<{ readonly changed?: string; readonly waits?: string }> => {
    await client.clock.measure()
    const expiresAt = run.approval?.expiresAt ?? ''
    if (client.clock.nowMs() >= Date.parse(expiresAt))
      return { changed: `its time to be approved ended at ${expiresAt}` }
    return lookAgain(run, await target.policyRecords.find(run.policy), portsOf(target, client))
  }
  if (service === undefined) return withJournalService(target, flags, context, look)
  // The balances of another account say nothing about this plan.
  if (target.embedded !== undefined) await assertAdmitted(target.embedded.stateDir, service, clock)
  return withConnection({ baseUrl: service.url, key: service.readKey, clock }, look)
}

const booksNothing = () => Promise.reject(new TypeError('a look at a plan books nothing'))

function portsOf(target: JournalTarget, client: ServiceClient): RunPorts {
  const { journal, runJournal, policyRecords, halts, intentIndex: index, budgets, treasury } = target
  const { decisions, requesters } = target
  return {
    ...{ journal, runs: runJournal.runs, policies: policyRecords, halts, index, budgets, treasury },
    ...{ decisions, requesters },
    logTrip: () => undefined,
    service: {
      ...client,
      ledgerOf: booksNothing,
      findCompletedLike: booksNothing,
      findContact: (contactId) =>
        client.contact(contactId).catch((error: unknown) => {
          if (isNotFound(error)) return undefined
          throw error
        }),
    },
  }
}

function stale({ runId, policy, request, asPlanned }: RunRecord, changed: string, flags: TargetFlags): CommandError {
  const verb = verbOf(asPlanned)
  const anew = commandWith(`run ${verb} ${typeof request.policy === 'string' ? policy : 'FILE'} --id ID`, flags)
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `the plan of run ${runId} no longer holds: ${changed}; nothing was recorded`,
    next: `${anew}   # plans anew, and takes the place of this plan`,
  })
}

// Says what stands against a run that people have approved and that has not continued: a halt, quiet hours, or what its last
// entry met. Reads only.
import * as z from 'zod/mini'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { Halt } from '../../core/journal/halts.ts'
import { intentInDoubt } from '../../core/runs/approval/recheck.ts'
import { findQuietHours } from '../../core/runs/plan/obstacle.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { Executions } from '../../place/executions/executions.ts'
import type { ConfiguredJournal, HaltAccess, IntentAccess } from '../../place/journal/journal-parts.ts'
import { machineOf, verbOf } from '../../place/named-policy.ts'
import { haltOf, scopeText } from '../words/halt-words.ts'

export interface StandsAgainst {
  /** The rest of a sentence that begins with the run. */
  readonly says: string
  /** ISO-8601. Absent where nobody has recorded it. */
  readonly since?: string
  /** Whether it ends only by a person: a doubt does, once the machine has given it up. */
  readonly isForPerson?: true
}

type Sources = ConfiguredJournal &
  Pick<IntentAccess, 'journal'> &
  Pick<HaltAccess, 'namesOf'> &
  Pick<Executions, 'findExecution'>

/** Undefined where nothing is known to stand against it. `halts`: those in force. */
export async function findStandsAgainst(
  run: RunRecord,
  { treasury, journal, namesOf, findExecution }: Sources,
  { halts, nowMs }: { readonly halts: readonly Halt[]; readonly nowMs: number },
): Promise<StandsAgainst | undefined> {
  const { policy, asPlanned, runId, entry } = run
  const halt = haltOf(halts, policy, await namesOf(policy))
  if (halt !== undefined) {
    const { at, because, by, scope } = halt
    return { says: `sending is halted (${scopeText(scope)}), by ${by}: ${because}`, since: at }
  }
  const quiet = findQuietHours(policy, asPlanned, { treasury, fromMs: nowMs, toMs: nowMs })
  if (quiet !== undefined) return { says: quiet }
  const { kept } = await findLastEntry(runId, (name) => findExecution(machineOf[verbOf(asPlanned)], name), {
    from: entry,
  })
  const last = kept?.output === undefined ? undefined : passing.safeParse(JSON.parse(kept.output)).data
  if (last?.why === undefined || !PASSING.has(last.outcome)) return undefined
  return { says: `at its last try, ${last.why}`, ...(await isForPerson(last.why, journal)) }
}

/** The output of an entry: an answer of the step that plans, or a summary of the run. */
const passing = z.object({ outcome: z.string(), why: z.optional(z.string()) })

/** Outcomes of an entry that ended nothing. A halt is read as it is now. */
const PASSING: ReadonlySet<string> = new Set([RunEnd.Guarded, RunEnd.AlreadyRunning])

async function isForPerson(why: string, journal: Sources['journal']): Promise<Pick<StandsAgainst, 'isForPerson'>> {
  const intentId = intentInDoubt(why)
  if (intentId === undefined) return {}
  const found = await Promise.all(Object.values(IntentKind).map((kind) => journal.find(intentId, kind)))
  return found.some((intent) => intent?.state === IntentState.Escalated) ? { isForPerson: true } : {}
}

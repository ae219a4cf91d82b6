// Reads the page of a policy: its configuration and its last runs. Reads only.

import type { Policy, Schedule } from '../../core/contract/policies.ts'
import { takesRows } from '../../core/policies/kinds.ts'
import { isPlanOnly, type RunRecord } from '../../core/runs/record/run-record.ts'
import { nextDueMs } from '../../core/treasury/due-times.ts'
import { findPolicy } from '../../place/named-policy.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import { type RunRow, rowOf } from './overview.ts'
import { type PolicyRow, policyRows, scheduleInWords } from './policy-rows.ts'

export interface PolicyPage extends Everywhere {
  readonly row: PolicyRow
  readonly policy: Policy
  /** Whether its runs pay the rows of a file. */
  readonly takesRows: boolean
  readonly runs: readonly RunRow[]
  /** Runs that only made a plan, because a person asked for one. */
  readonly plans: readonly RunRow[]
  /** Aliases of contacts by their ids, as the latest of these runs that has one saw them. */
  readonly aliases: Readonly<Record<string, string>>
  /** Absent for a policy without a schedule. */
  readonly schedule?: ScheduleFacts
}

interface ScheduleFacts {
  /** In words. */
  readonly says: string
  /** The next starts in ISO-8601, at most three. */
  readonly next: readonly string[]
}

const RUNS_SHOWN = 20
const PLANS_SHOWN = 5
const STARTS_SHOWN = 3

/** @throws OperationError (exit 2) where treasury.json has no such policy */
export function readPolicy(reader: Reader, name: string): Promise<PolicyPage> {
  const nowMs = reader.context.clock.nowMs()
  return atJournal(reader, async (connection) => {
    const policy = findPolicy(name, connection.treasury, 'policy')
    const [rows, runs] = await Promise.all([
      policyRows(connection, nowMs),
      connection.runJournal.listOf(name, RUNS_SHOWN + PLANS_SHOWN, nowMs),
    ])
    const row = rows.find(({ policy }) => policy === name)
    if (row === undefined) throw new TypeError('each policy of treasury.json has a row')
    const plans = runs.filter(isPlanOnly).slice(0, PLANS_SHOWN)
    const others = runs.filter((run) => !isPlanOnly(run)).slice(0, RUNS_SHOWN)
    const { schedule } = policy
    return {
      ...{ row, policy, takesRows: takesRows(policy), runs: others.map(rowOf), plans: plans.map(rowOf) },
      aliases: aliasesIn(runs),
      ...(schedule && { schedule: { says: scheduleInWords(schedule), next: nextStarts(schedule, nowMs) } }),
    }
  })
}

/** The latest run is first. */
function aliasesIn(runs: readonly RunRecord[]): PolicyPage['aliases'] {
  const legs = runs.toReversed().flatMap(({ plan }) => plan?.legs ?? [])
  const payees = legs.flatMap((leg) => ('payee' in leg && leg.payee !== undefined ? [leg.payee] : []))
  return Object.fromEntries(payees.flatMap(({ contactId, alias }) => (alias === null ? [] : [[contactId, alias]])))
}

function nextStarts(schedule: Schedule, nowMs: number): readonly string[] {
  const starts: string[] = []
  for (let atMs = nextDueMs(schedule, nowMs); atMs !== undefined; atMs = nextDueMs(schedule, atMs)) {
    starts.push(new Date(atMs).toISOString())
    if (starts.length === STARTS_SHOWN) break
  }
  return starts
}

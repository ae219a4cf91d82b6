// Builds the ports of the steps of a run: records, reads of the service, treasury.json.
import { systemClock } from '../../core/clock.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { createIntentIndex } from '../../core/journal/intent-index.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { createPages } from '../../core/journal/pages.ts'
import { createPolicyNames } from '../../core/journal/policy-names.ts'
import { createDecisionReader } from '../../core/runs/approval/decisions.ts'
import { createRequesterReader } from '../../core/runs/approval/requesters.ts'
import { createRunBudgets } from '../../core/runs/plan/limits.ts'
import type { RunPorts, RunService } from '../../core/runs/ports.ts'
import { createPolicyRecords } from '../../core/runs/record/policy-record.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { isNotFound } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { newId, wireDecisionKey, wireListed, wireReadingClient } from './clients.ts'
import { readTreasuryFile } from './deployed-configuration.ts'
import { logTrip } from './log.ts'
import { watchedRuns } from './run-figures.ts'
import { withdrawalReads } from './withdrawal-ports.ts'

/**
 * Limits of repeated reads for planners, in milliseconds. A plan needs tens or hundreds of reads, and a failed read
 * repeats them all. No quote expires meanwhile, so planners can retry longer. Waits of at most 0.2 + 0.4 + 0.8 + 1.6 +
 * 2 + 2 = 7 s.
 */
export const RUN_READ_LIMITS = { deadlineMs: 20_000, attempts: 7 }

/** Reduces the service client to the reads that steps of a run need. */
export function runReads(client: ServiceClient): RunService {
  const { ledgerOf, walkLedger, balanceBefore, findCompletedLike } = withdrawalReads(client)
  return {
    ...client,
    ledgerOf,
    walkLedger,
    balanceBefore,
    findCompletedLike,
    async findContact(contactId) {
      try {
        return await client.contact(contactId)
      } catch (error) {
        if (isNotFound(error)) return undefined
        throw error
      }
    },
  }
}

/**
 * Milliseconds after which a call begins no further reads about a long run. What it has begun then takes at most two minutes,
 * and its function lives for 240 s.
 */
const MOST_MS_OF_READS = 90_000

/** The ports of one call, which begins now. */
type PortsOfCall = () => RunPorts

export function wireRunPorts(env: NodeJS.ProcessEnv): PortsOfCall {
  const ports = wireShared(env)
  return () => {
    const untilMs = systemClock.nowMs() + MOST_MS_OF_READS
    return { ...ports, hasTime: () => systemClock.nowMs() < untilMs }
  }
}

function wireShared(env: NodeJS.ProcessEnv): Omit<RunPorts, 'hasTime'> {
  const { store, list } = wireListed(env)
  const journal = createJournal(store, newId)
  const treasury = readTreasuryFile(env)
  const service = wireReadingClient(env, { readLimits: RUN_READ_LIMITS })
  return {
    journal,
    pages: createPages(store),
    runs: watchedRuns(createRuns(store, newId)),
    policies: createPolicyRecords(store, newId),
    decisions: createDecisionReader(store, wireDecisionKey(env)),
    requesters: createRequesterReader(store),
    halts: createHalts(store, newId, treasury),
    namesOf: createPolicyNames(store, treasury.policies),
    index: createIntentIndex(list),
    budgets: createRunBudgets(store, journal, newId),
    service: runReads(service),
    treasury,
    logTrip,
  }
}

// Builds the ports of the audit from the environment: the journal's records and lists, and the log of configurations.
import { systemClock } from '../../core/clock.ts'
import { recordKey } from '../../core/contract/records.ts'
import type { Verb } from '../../core/contract/states.ts'
import { findUnheard } from '../../core/journal/accepted-requests.ts'
import { findUnheardResumes } from '../../core/journal/halts.ts'
import { createIntentIndex } from '../../core/journal/intent-index.ts'
import { createJournal, type PersonsDecision } from '../../core/journal/journal.ts'
import { findVerifiedAt } from '../../core/journal/verification.ts'
import { createWatermarks } from '../../core/journal/watermarks.ts'
import { createConfigurationLog } from '../../core/people/configurations.ts'
import { createUnapprovedFinder } from '../../core/runs/approval/audited-approval.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { newId, wireDecisionKey, wireListed, wireSeals } from './clients.ts'
import { readDeployed, readTreasuryFile } from './deployed-configuration.ts'

/** Records that an audit reads, the watermark that it writes, and the log of the configurations. */
export function wireAuditRecords(env: NodeJS.ProcessEnv) {
  const { store, list, isDeclared } = wireListed(env)
  const deployed = { ...readDeployed(env), treasury: readTreasuryFile(env) }
  const configurations = createConfigurationLog(store, newId)
  return {
    journal: createJournal(store, newId),
    index: createIntentIndex(list),
    watermarks: createWatermarks(store, newId, wireSeals(env)),
    findVerifiedAt: () => findVerifiedAt(store),
    findUnapproved: createUnapprovedFinder(
      store,
      { treasury: deployed.treasury, sinceMs: () => configurations.sinceMs(deployed.treasury) },
      wireDecisionKey(env),
    ),
    findUnheard: (verb: Verb, said: PersonsDecision) => findUnheard(verb, said, store),
    findUnheardResumes: () => findUnheardResumes(Object.keys(deployed.treasury.policies), store),
    runs: createRuns(store, newId),
    hasRun: async (runId: string) => (await store.read(recordKey.run(runId))) !== undefined,
    isDeclared,
    recordConfiguration: () => configurations.record(deployed, systemClock.nowMs()),
  }
}

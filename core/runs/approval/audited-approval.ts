// Checks an intent later: whether it is what people approved, where a rule asked people. It also checks whether the words in
// people's names have signed requests, and decisions the signature of their key. The audit and `journal verify` use it, and no step that sends. It writes nothing.
import { recordKey } from '../../contract/records.ts'
import { Verb } from '../../contract/states.ts'
import { findUnheard } from '../../journal/accepted-requests.ts'
import type { Intent } from '../../journal/intent.ts'
import type { RecordStore } from '../../journal/record-store.ts'
import { runOfRecord } from '../record/run-record.ts'
import { findWhyUnapproved, readersOf } from './approved-leg.ts'
import { findUnheardDecision } from './decisions.ts'
import { createMovementApprovals } from './decisions-on-movement.ts'
import { findRules, type MovementRules } from './movement-decision.ts'
import type { DecisionVerifier } from './signed-decision.ts'

/** One sentence where the intent is not what people approved, or settled. Undefined where it is, or no rule asked people. */
export type UnapprovedFinder = (intent: Intent) => Promise<string | undefined>

interface DeployedRules {
  readonly treasury: MovementRules
  /** Epoch ms since when they are in force. An intent that was opened before keeps the rules of its execution's version. */
  readonly sinceMs: () => Promise<number>
}

/** The finder throws Transient and Defect. */
export function createUnapprovedFinder(
  store: RecordStore,
  deployed: DeployedRules,
  key: DecisionVerifier,
): UnapprovedFinder {
  const readers = readersOf(store, key)
  const approvals = createMovementApprovals(store, key)

  async function findOnRun(intent: Intent): Promise<string | undefined> {
    const { run: runId } = intent.params
    const record = typeof runId === 'string' ? await store.read(recordKey.run(runId)) : undefined
    if (record === undefined) return undefined
    const run = runOfRecord(record)
    const decided = run.approval && (await store.read(recordKey.decisions(run.runId, run.approval.planHash)))
    const difference =
      (await findWhyUnapproved(run, intent, readers)) ?? (await findUnheardDecision(decided, store, key))
    return difference && `it is not what people approved for run ${run.runId}: ${difference}`
  }

  async function findOnMovement(intent: Intent): Promise<string | undefined> {
    const asked = findRules(intent, deployed.treasury)
    if (asked === undefined) return undefined
    const { kind, intentId, termsHash, movement, rules } = asked
    const unheard = await findUnheardDecision(
      await store.read(recordKey.movementDecisions(kind, intentId, termsHash)),
      store,
      key,
    )
    if (unheard !== undefined) return unheard
    const isUnderRules = intent.attempt !== undefined && Date.parse(intent.createdAt) >= (await deployed.sinceMs())
    if (!isUnderRules || (await approvals.find(movement, rules)).decision === 'approved') return undefined
    return `people have not approved its terms, and ${rules[0]?.field} wants it`
  }

  return async (intent) => {
    const { resolution } = intent
    return (
      (await findOnRun(intent)) ??
      (await findOnMovement(intent)) ??
      (resolution && (await findUnheard(Verb.Resolve, resolution, store)))
    )
  }
}

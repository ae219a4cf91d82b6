// Builds the ports of the steps in the bundle `movements` from the environment: the journal's records, to each step
// only those that it needs, and the guards of treasury.json.
import { systemClock } from '../../core/clock.ts'
import { createMovementGuard, type MovementGuard } from '../../core/guards/movement-guard.ts'
import { createPolicyTerms, type GuardSettings } from '../../core/guards/policy-terms.ts'
import { createBudgets } from '../../core/journal/budgets.ts'
import { createFloors } from '../../core/journal/floors.ts'
import { createHalts, type Halts } from '../../core/journal/halts.ts'
import { createJournal, type Journal } from '../../core/journal/journal.ts'
import { createLanes, type Lanes } from '../../core/journal/lanes.ts'
import { createPinnedAccount } from '../../core/journal/pinned-account.ts'
import { createPolicyNames } from '../../core/journal/policy-names.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import { createTurns } from '../../core/journal/turns.ts'
import { createApprovedLegs } from '../../core/runs/approval/approved-leg.ts'
import { createMovementApprovals } from '../../core/runs/approval/decisions-on-movement.ts'
import type { DecisionVerifier } from '../../core/runs/approval/signed-decision.ts'
import { newId, wireDecisionKey, wireStore } from './clients.ts'
import { readMovementSettings } from './environment.ts'
import { watchedJournal } from './observation.ts'

export interface Records {
  readonly journal: Journal
  readonly lanes: Lanes
  readonly guard: MovementGuard
  readonly halts: Halts
}

/** The journal for a step that only reads it. */
export function wireJournal(env: NodeJS.ProcessEnv): Journal {
  return watchedJournal(createJournal(wireStore(env), newId))
}

/** Records and settings for a step that opens intents. */
export function wireOpening(env: NodeJS.ProcessEnv) {
  const store = wireStore(env)
  return {
    journal: watchedJournal(createJournal(store, newId)),
    account: createPinnedAccount(store, newId),
    guards: wireGuards(env, store, wireDecisionKey(env)),
    turns: createTurns({ store, newId }, systemClock),
  }
}

/** The guards of the deployed file. Steps that settle terms and steps that send read them alike, and each for itself. */
function wireGuards(env: NodeJS.ProcessEnv, store: RecordStore, key: DecisionVerifier): GuardSettings {
  const { guards: everywhere, policies } = readMovementSettings(env)
  return { everywhere, policies: createPolicyTerms(policies, store, createApprovedLegs(store, policies, key)) }
}

/** Records and guards that a step checks right before ARM. */
export function wireRecords(env: NodeJS.ProcessEnv): Records {
  const store = wireStore(env)
  const journal = watchedJournal(createJournal(store, newId))
  const { policies } = readMovementSettings(env)
  const key = wireDecisionKey(env)
  return {
    journal,
    lanes: createLanes(store, journal, newId),
    guard: createMovementGuard(
      wireGuards(env, store, key),
      createBudgets(store, journal, newId),
      createFloors(store, journal, newId),
      createMovementApprovals(store, key),
      createPolicyNames(store, policies),
    ),
    halts: createHalts(store, newId, { policies }),
  }
}

export function wireConcluding(env: NodeJS.ProcessEnv): Pick<Records, 'journal' | 'lanes'> {
  const store = wireStore(env)
  const journal = watchedJournal(createJournal(store, newId))
  return { journal, lanes: createLanes(store, journal, newId) }
}

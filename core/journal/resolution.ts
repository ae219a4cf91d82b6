// A person's word on an intent in doubt. It is recorded with who, when and why, and only where the evidence does not
// speak against it. Each kind of intent examines its evidence in its own way.
import { WithdrawEnd } from '../contract/outcomes.ts'
import { IntentState } from '../contract/records.ts'
import { Refused } from '../errors.ts'
import type { Intent, Resolution } from './intent.ts'
import type { Journal } from './journal.ts'
import type { Move } from './moves.ts'

/** Looks at the evidence again; `movementId` absent: nothing moved. @throws Refused with what speaks against it */
export type Examine<Kept extends Intent = Intent> = (intent: Kept, movementId: string | undefined) => Promise<void>

type Named = Pick<Intent, 'intentId' | 'kind'>

/**
 * The intent, where a person may decide as they would. Changes nothing.
 * @throws Refused with why not. @throws Transient, Defect
 */
export async function findResolvable(
  { intentId, kind }: Named,
  movementId: string | undefined,
  examine: Examine,
  journal: Journal,
): Promise<Intent> {
  const intent = await journal.find(intentId, kind)
  if (!intent) throw new Refused(`the journal has no ${kind} intent ${intentId}`)
  if (intent.state !== IntentState.Escalated && intent.state !== IntentState.Armed) {
    throw new Refused(`intent ${intentId} is ${intent.state}: nothing is in doubt about it`)
  }
  const chosen = intent.resolution?.movementId
  // Once chosen, its claim may be under way. Only where another intent holds it can it never come.
  if (chosen !== undefined && chosen !== movementId) {
    const holder = await journal.findClaim(intent.kind, chosen)
    if (holder === undefined || holder === intentId) {
      throw new Refused(`${intent.resolution?.by} has chosen movement ${chosen} already; finish that first`)
    }
  }
  await examine(intent, movementId)
  return intent
}

/**
 * Records the word of a person: DONE with the movement claimed, or REJECTED. Cut off half way, it goes
 * on when it is asked for again. @throws Refused with why not, and nothing is sent in any case.
 * @throws Transient when somebody else moved the intent meanwhile, Defect
 */
export async function resolveIntent(
  named: Named,
  resolution: Resolution,
  examine: Examine,
  journal: Journal,
): Promise<Intent> {
  const { movementId } = resolution
  const intent = await findResolvable(named, movementId, examine, journal)
  if (movementId === undefined) return journal.advance(intent, noneMove(resolution))
  // The choice first: then no machine settles the intent any more, and nobody chooses another.
  const chosen = await journal.advance(intent, chosenMove(intent, resolution))
  const holder = await journal.claim(intent.kind, movementId, intent.intentId)
  if (holder !== undefined) throw new Refused(`movement ${movementId} is already claimed by intent ${holder}`)
  return journal.advance(chosen, { state: IntentState.Done, ref: movementId })
}

function chosenMove({ outcome, why }: Intent, resolution: Resolution): Move {
  const escalated = { state: IntentState.Escalated, outcome: outcome ?? WithdrawEnd.NeedsAttention }
  return { ...escalated, why: why ?? `${resolution.by} is settling it`, resolution }
}

function noneMove(resolution: Resolution): Move {
  const why = `${resolution.by} settled at ${resolution.at} that nothing moved: ${resolution.because}`
  // The word is the same for every kind of intent.
  return { state: IntentState.Rejected, outcome: WithdrawEnd.Rejected, why, resolution }
}

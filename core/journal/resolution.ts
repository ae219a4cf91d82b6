// Records a person's resolution of an intent in doubt. A resolution is recorded with who, when and why, and only if the
// evidence does not contradict it. Each kind of intent examines its own evidence.
import { WithdrawEnd } from '../contract/outcomes.ts'
import { IntentState } from '../contract/records.ts'
import { Refused } from '../errors.ts'
import type { Intent, Resolution } from './intent.ts'
import type { Journal } from './journal.ts'
import type { Move } from './moves.ts'

/** Reads the evidence again. `movementId` undefined: nothing moved. @throws Refused with the contradicting evidence */
export type Examine<Kept extends Intent = Intent> = (intent: Kept, movementId: string | undefined) => Promise<void>

type Named = Pick<Intent, 'intentId' | 'kind'>

/**
 * Returns the intent if a person may decide so. Reads only.
 * @throws Refused with the reason.
 * @throws Transient, Defect
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
  // After the choice its claim may be under way. The claim fails only if another intent holds the movement.
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
 * Records a person's decision: DONE with the movement claimed, or REJECTED. If it stops half way, the same call
 * completes it. It never sends anything.
 * @throws Refused with the reason.
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
  await journal.keepResolution(named, resolution)
  if (movementId === undefined) return journal.advance(intent, noneMove(resolution))
  // The choice is recorded first. After it no step settles the intent, and nobody can choose another movement.
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
  // This outcome has the same name for both kinds of intent.
  return { state: IntentState.Rejected, outcome: WithdrawEnd.Rejected, why, resolution }
}

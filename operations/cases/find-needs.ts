// Finds all that needs a person: what stopped, what waits for approval, halts, and what runs left in hubs. A halt says
// who halted what, why, since when, and how to resume. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { Plan } from '../../core/contract/plan.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { EVERYTHING, type FirstResume, type Halt } from '../../core/journal/halts.ts'
import { type EndOfWait, endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { HaltAccess, PlacedJournal, RunAccess } from '../../place/journal/journal-parts.ts'
import type { Advice, Step } from '../../place/next-step.ts'
import { findOtherService } from '../../place/state/account-pin.ts'
import { type Attention, type LeftBehind, leftBehind, type Unopened } from '../movements/attention.ts'
import type { OnTheWay, Stalled } from '../movements/under-way.ts'
import type { findStandsAgainst, StandsAgainst } from '../runs/stands-against.ts'
import type { WaitingMovement } from '../runs/waiting-movements.ts'
import type { GivenApprovals } from '../words/approvals-text.ts'
import { isBreaker, resumeStep } from '../words/halt-words.ts'
import type { Doubt } from './doubts.ts'
import { findUnbegun, type UnbegunRun } from './find-unbegun.ts'
import { findWaiting, type ReadsWaiting } from './find-waiting.ts'

/** Failed executions that are examined for each machine, where no other number is given. */
export const DEFAULT_FAILED = 500

interface Looking {
  /** Epoch ms. */
  readonly nowMs: number
  readonly failed?: number
  readonly after?: string | undefined
}

export interface Needs {
  readonly found: readonly Attention[]
  /** Sends whose effect is not known yet, and will be by itself. They need nobody. */
  readonly doubts: readonly Doubt[]
  /** Movements under way that do not go on without a person. */
  readonly stalled: readonly Stalled[]
  /** Withdrawals that the service accepted, and whose end is not known, oldest first. They need nobody yet. */
  readonly onTheWay: readonly OnTheWay[]
  /** Runs that ended with a leg in doubt or stuck, and have not been settled again since. */
  readonly inNeed: readonly RunInNeed[]
  /** Intents that a fault of ours kept out of the journal. */
  readonly unopened: readonly Unopened[]
  /** Runs that a fault of ours ended before they began anything, and that no later run of their policy makes up for. */
  readonly unbegun: readonly UnbegunRun[]
  readonly approvals: readonly WaitingRun[]
  /** Single movements that wait for people to approve them. */
  readonly movements: readonly WaitingMovement[]
  readonly halts: readonly HaltFacts[]
  readonly left: LeftBehind
  /** Another service whose records are in the same directory. They were not examined. */
  readonly other: string | undefined
  /** One message for each record that cannot be read. */
  readonly unreadable: readonly string[]
  /** One message for each list that was cut off because it was too long. */
  readonly cutOff: readonly Advice[]
}

export async function findNeeds(
  connection: PlacedJournal & RunAccess & HaltAccess & ReadsWaiting,
  { nowMs, failed = DEFAULT_FAILED, after }: Looking,
): Promise<Needs> {
  // The work may begin again where a desk dies, so this collects the messages of one try.
  const messages = { unreadable: new Set<string>(), cutOff: [] as Advice[] }
  const onCutOff = (message: Advice) => void messages.cutOff.push(message)
  // An unreadable record must not hide the others.
  const onMisfit = ({ message }: Error) => void messages.unreadable.add(message)
  const { waiting, unopened, movements, doubts, stalled, onTheWay } = await findWaiting(connection, {
    after,
    failed,
    nowMs,
    onMisfit,
    onCutOff,
  })
  const awaiting = await connection.runJournal.awaiting(onCutOff)
  const inNeed = await connection.runJournal.inNeed(onCutOff)
  const halts = await connection.haltsInForce()
  const unbegun = await findUnbegun(connection, { failed, onMisfit, onCutOff })
  return {
    other: connection.embedded && findOtherService(connection.embedded.stateDir, connection.embedded.serviceUrl),
    found: waiting,
    doubts,
    stalled,
    onTheWay,
    inNeed: inNeed.map(({ runId, policy, startedAt, why = 'no reason was recorded' }) => ({
      ...{ runId, policy, startedAt, why },
    })),
    unopened,
    unbegun,
    approvals: await mapBounded(awaiting, READS_AT_ONCE, (run) => approvalOf(run, connection, { halts, nowMs })),
    movements,
    halts: await mapBounded(halts, READS_AT_ONCE, async (halt) =>
      haltFacts(halt, await connection.halts.findFirstResume(halt, nowMs), connection.treasury),
    ),
    left: leftBehind(await connection.runJournal.leavers(onCutOff), connection.treasury),
    unreadable: [...messages.unreadable],
    cutOff: messages.cutOff,
  }
}

export interface RunInNeed {
  readonly runId: string
  readonly policy: string
  readonly startedAt: string
  readonly why: string
}

/** A run that waits for people, or that has not been entered since they decided. */
export interface WaitingRun extends GivenApprovals {
  readonly runId: string
  readonly policy: string
  readonly startedAt: string
  readonly planHash: string
  readonly expiresAt: string
  /** The turnover of the plan: decimal text, and the asset in which it is counted. */
  readonly worth?: { readonly value: string; readonly asset: string }
  /** Who is paid, by alias, reference or id. */
  readonly payees: readonly string[]
  /** Present once the run waits for nobody: its end is carried out automatically. */
  readonly waitEnded?: EndOfWait
  /** Present where it is approved, and something is known to stand against it. */
  readonly against?: StandsAgainst
}

async function approvalOf(
  run: RunRecord,
  connection: Parameters<typeof findStandsAgainst>[1],
  now: Parameters<typeof findStandsAgainst>[2],
): Promise<WaitingRun> {
  const { runId, policy, startedAt, approval, plan } = run
  const ended = endOfWait(run, now.nowMs)
  // Loaded only here, because it needs much of what plans, and few runs are approved and wait.
  const against =
    ended === 'approved'
      ? await (await import('../runs/stands-against.ts')).findStandsAgainst(run, connection, now)
      : undefined
  const { planHash = '', expiresAt = '' } = approval ?? {}
  return {
    ...{ runId, policy, startedAt, planHash, expiresAt },
    approvedBy: (approval?.approvals ?? []).map(({ by }) => by),
    needed: approval?.needed ?? 1,
    ...(plan !== undefined && { worth: { value: plan.turnover, asset: plan.valuationAsset } }),
    payees: [...new Set((plan?.legs ?? []).flatMap(payeeNameOf))],
    ...(ended !== undefined && { waitEnded: ended }),
    ...(against !== undefined && { against }),
  }
}

function payeeNameOf(leg: Plan['legs'][number]): readonly string[] {
  if (!('payee' in leg) || leg.payee === undefined) return []
  const { alias, reference, contactId } = leg.payee
  return [alias ?? reference ?? `contact ${contactId}`]
}

/** A halt, for programs. */
export interface HaltFacts extends Halt {
  readonly breaker: boolean
  /** The first of the two decisions that resume it. Another person has to decide the same. */
  readonly firstWord?: FirstResume
  /** To be looked at first. */
  readonly look?: Step
  readonly resume: Step
}

function haltFacts(halt: Halt, firstWord: FirstResume | undefined, { policies }: Treasury): HaltFacts {
  const { scope } = halt
  // A renamed policy is also halted under its old name, and is resumed by its new one.
  const renamed = Object.entries(policies).find(([, { was }]) => was === scope)?.[0]
  const policy = renamed ?? scope
  return {
    ...halt,
    breaker: isBreaker(halt),
    ...(firstWord && { firstWord }),
    ...(scope !== EVERYTHING && { look: { do: 'list-runs', policy: scope } }),
    resume: resumeStep(policy),
  }
}

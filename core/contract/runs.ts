// Defines the shapes of runs of policies: what starts a run, what its steps pass to each other, and how it ends. A run
// is one execution of the Rebalance or the Sweep state machine. The execution has the run's name, as a movement's
// execution has its intent's name.
import * as z from 'zod/mini'
import { convertReport, convertRequest } from './convert.ts'
import { amountText, assetCode, executionName, intentId, isoTime, opaqueId, policyName } from './fields.ts'
import { payeeFacts } from './payee.ts'
import { payoutPages, payoutRows } from './payouts.ts'
import { plan, planLeg, signedText } from './plan.ts'
import { PolicyKind, policy } from './policies.ts'
import { withdrawReport, withdrawRequest } from './withdraw.ts'

/** The cause of a run, for people. A run started by a deposit also waits while another run holds its policy. */
const trigger = z.object({
  by: z.enum(['schedule', 'event', 'deposit', 'file', 'person', 'call']),
  /** The time at which it was due, the event's id, or the object in S3. */
  id: z.optional(z.string().check(z.maxLength(256))),
})

/** Input of an execution: the name of a policy of treasury.json, or a whole policy. */
export const runRequest = z.strictObject({
  policy: z.union([policyName, policy]),
  /** The rows that this run pays, for a policy that pays the rows of a file. */
  rows: z.optional(payoutRows),
  /** The same for a longer file. Whoever asks for the run writes the pages first. */
  pages: z.optional(payoutPages),
  /** Plans and reports, and moves nothing. The same as `mode: "shadow"` in the policy. */
  shadow: z.optional(z.boolean()),
  trigger: z.optional(trigger),
})
export type RunRequest = z.infer<typeof runRequest>

/** The named ends of a run, and the `outcome` of its result. */
export const RunEnd = {
  /** Every leg moved its planned amount. */
  Settled: 'SETTLED',
  /** Some legs moved, or moved less. The result lists the legs that did not move, each a certified zero. */
  PartlySettled: 'PARTLY_SETTLED',
  /** No leg moved anything, each a certified zero. */
  NothingMoved: 'NOTHING_MOVED',
  /** The plan has no legs. */
  NothingToDo: 'NOTHING_TO_DO',
  /** The plan moved in full, yet assets are beyond their band without an explanation: the planner has a bug. */
  OffTarget: 'OFF_TARGET',
  /** Planned only. Nothing was sent. */
  Shadowed: 'SHADOWED',
  /** A guard stops the run or each of its legs: quiet hours, maintenance, stale figures, a spent budget. */
  Guarded: 'GUARDED',
  /** The policy, or everything, is halted by a person or by the policy's own breaker. */
  Halted: 'HALTED',
  AlreadyRunning: 'ALREADY_RUNNING',
  /** The run waits for `sluice approve` or `sluice reject`. */
  AwaitingApproval: 'AWAITING_APPROVAL',
  Disapproved: 'DISAPPROVED',
  /** The approval came too late, or a fact that it rests on has changed. */
  ApprovalVoid: 'APPROVAL_VOID',
  /** The request cannot be right, or a fault stopped the run before any leg began. */
  Failed: 'FAILED',
  /**
   * Our own fault stopped the run before every planned leg had begun: a key, a permission, the configuration or a bug.
   * Each leg that did not move is a certified zero. Raises an alarm.
   */
  OwnFault: 'OWN_FAULT',
  /** A leg is in doubt or stuck. Raises an alarm. */
  NeedsAttention: 'NEEDS_ATTENTION',
} as const
export type RunEnd = (typeof RunEnd)[keyof typeof RunEnd]

/** Outcomes of a step after which a run continues. */
export const RunStep = {
  /** Rebalance: legs of the first of two phases, sells. */
  First: 'FIRST',
  /** Rebalance: legs of the last or only phase. */
  Last: 'LAST',
  /** Sweep: legs of a phase of conversions. */
  Convert: 'CONVERT',
  /** Sweep: legs of a phase of withdrawals. */
  Withdraw: 'WITHDRAW',
  /** No legs are left to move: the run is to be settled. From SettleRun: legs are left to read. */
  Settle: 'SETTLE',
  /** Another run holds the policy. This run tries again after `waitSeconds`. */
  Wait: 'WAIT',
} as const
export type RunStep = (typeof RunStep)[keyof typeof RunStep]

export const MOST_PHASES = 9
const phase = z.int().check(z.gte(1), z.lte(MOST_PHASES))

/** The parts of a plan's answer that give what follows. A request does not match, because it has no `runId`. */
const earlierAnswer = z.object({
  ...{ runId: intentId, phase: z.int(), outcome: z.string() },
  part: z._default(z.int(), 1),
  parts: z._default(z.int(), 1),
})

const planAsked = z.object({
  execution: executionName,
  startedAt: isoTime,
  request: z.unknown(),
  /** The phase whose legs are requested. Absent: the first. */
  phase: z.optional(phase),
  /** In a phase that is answered in parts: the part, counted from 1. */
  part: z.optional(z.int().check(z.gte(1))),
})
export type PlanInput = z.infer<typeof planAsked>

/**
 * A machine that returns to this state passes its whole state as `phase`, because a path to a missing field would fail on the
 * first visit.
 */
export const planInput: z.ZodMiniType<PlanInput> = z.pipe(
  z.pipe(
    z.looseObject({ phase: z.optional(z.unknown()) }),
    z.transform(({ phase: state, ...rest }): unknown => ({ ...rest, ...askedAfter(state) })),
  ),
  planAsked,
)

/** The next part of the last answer's phase, or the phase after it, or the same phase if the machine only waited. */
function askedAfter(state: unknown): { readonly phase?: number; readonly part?: number } {
  if (typeof state === 'number') return { phase: state }
  const earlier = earlierAnswer.safeParse(state).data
  if (earlier === undefined) return {}
  if (earlier.outcome === RunStep.Wait) return { phase: earlier.phase }
  return earlier.part < earlier.parts ? { phase: earlier.phase, part: earlier.part + 1 } : { phase: earlier.phase + 1 }
}

/** Input of one child execution. */
export const startLeg = z.object({
  /** The leg's intent, with `_2` and so on where the run is entered again. */
  name: executionName,
  request: z.union([convertRequest, withdrawRequest]),
})
export type StartLeg = z.infer<typeof startLeg>

/** The name in `by` of a halt that a policy made itself, as `sluice cases list` shows it. */
export const BREAKER = 'the breaker'

/** Why a policy's breaker tripped, and since when. */
const tripped = z.object({ because: z.string(), at: isoTime })

/** States PlanRebalance and PlanSweep: output. At a named end it is the result of the run, like a `runSummary`. */
export const planOutput = z.object({
  outcome: z.enum({ ...RunEnd, ...RunStep }),
  runId: intentId,
  /** Absent where the request names an unknown policy. */
  policy: z.optional(policyName),
  kind: z.optional(z.enum(PolicyKind)),
  /** Legs of the phase. Empty at a named end. */
  legs: z.array(startLeg),
  phase: z.int(),
  /** Present where the phase has more legs than one answer: the number of this answer, and how many there are. */
  part: z.optional(z.int()),
  parts: z.optional(z.int()),
  /** The contacts that the legs pay, without duplicates, for people who watch. */
  payees: z.optional(z.array(payeeFacts)),
  /** With WAIT. */
  waitSeconds: z.optional(z.int()),
  tripped: z.optional(tripped),
  why: z.optional(z.string()),
})
export type PlanOutput = z.infer<typeof planOutput>

/** A caught fault, in Step Functions' own format. A time-out has an empty Cause. */
const caught = z.object({ Error: z.string(), Cause: z._default(z.string(), '') })

export const settleRunInput = z.object({
  execution: executionName,
  startedAt: isoTime,
  /** When the execution entered the state: the end of the run where the service shows no time. */
  enteredAt: isoTime,
  request: z.unknown(),
  /** Set by a Catch. On the normal path the machine passes its whole state, a plan's answer, which does not match. */
  fault: z.optional(
    z.pipe(
      z.unknown(),
      z.transform((state) => caught.safeParse(state).data),
    ),
  ),
})
export type SettleRunInput = z.infer<typeof settleRunInput>

/** State SettleRun: output while legs of a long run are left to read. */
export interface SettlesOn extends Partial<z.infer<typeof caught>> {
  readonly outcome: typeof RunStep.Settle
  readonly runId: string
  readonly policy: string
  readonly kind: PolicyKind
  readonly legs: never[]
  readonly legsRead: number
  readonly legsInAll: number
}

/** Result of a leg, according to the journal and the service. */
export const settledLeg = z.object({
  leg: planLeg,
  intentId,
  /** A named end of Convert or Withdraw, or the last outcome of an unfinished leg. */
  outcome: z.string(),
  conversion: z.optional(convertReport),
  withdrawal: z.optional(withdrawReport),
  /** Present where another run has begun the row, with its id: this leg moved nothing, and that run reports the row. */
  begunBy: z.optional(intentId),
  why: z.optional(z.string()),
})
export type SettledLeg = z.infer<typeof settledLeg>

/** Who asked for a run, as recorded by the function that started it. */
export const requester = z.object({
  /** For an event, AWS reports the account that put it, and no person. For a file it is the same. */
  kind: z.enum(['person', 'schedule', 'event', 'deposit', 'file']),
  /** On AWS a person's ARN from STS, at a desk a name marked as not verified; else the due time, event, delivery or object. */
  by: z.string(),
  at: isoTime,
})
export type Requester = z.infer<typeof requester>

/** A counted approval. `secondBecause`: why a second person must approve, after this person alone approved much. */
export const countedApproval = z.object({
  ...{ by: z.string(), because: z.string(), at: isoTime },
  secondBecause: z.optional(z.string()),
})

const approval = z.object({
  planHash: z.string(),
  expiresAt: isoTime,
  /** Absent: nobody recorded who asked. */
  requester: z.optional(requester),
  decision: z.optional(z.enum(['approved', 'rejected'])),
  by: z.optional(z.string()),
  because: z.optional(z.string()),
  at: z.optional(isoTime),
  /** Set where more than one person must approve: how many, and who has approved. */
  needed: z.optional(z.int()),
  approvals: z.optional(z.array(countedApproval)),
})
export type Approval = z.infer<typeof approval>

/**
 * A stranded balance: what runs of the policy brought part of the way and did not carry on. It lies in a hub outside
 * the policy's assets. For a policy that withdraws, it may lie in the asset that was to go to a contact. Stored and
 * printed records call it `residues`.
 */
const strandedBalance = z.object({
  asset: assetCode,
  /** The contact that was to receive it. */
  contactId: z.optional(opaqueId),
  /** The amount that the plan counted on. */
  before: amountText,
  /** The amount now. After the run is settled, the policy's next run continues with it. */
  amount: amountText,
})
export type StrandedBalance = z.infer<typeof strandedBalance>

/** Maximum distances in the record of a run, so that the record fits. */
export const MOST_DISTANCES = 100

/** Distance of one asset from its target at the end of a run, in the plan's valuation asset. */
const distance = z.object({
  asset: assetCode,
  value: amountText,
  target: amountText,
  /** Value less target. */
  off: signedText,
})
export type Distance = z.infer<typeof distance>

/** The current report of a run. The journal keeps it, `sluice runs show` prints it, and at the end it is the result. */
export const runReport = z.object({
  outcome: z.enum({ ...RunEnd, Running: 'RUNNING' }),
  runId: intentId,
  policy: policyName,
  kind: z.enum(PolicyKind),
  trigger: z.optional(trigger),
  startedAt: isoTime,
  endedAt: z.optional(isoTime),
  /** Absent where the run ended before it had a plan. */
  plan: z.optional(plan),
  approval: z.optional(approval),
  legs: z.array(settledLeg),
  /** Absent: nothing is stranded. */
  residues: z.optional(z.array(strandedBalance)),
  /** At the end: total value of the same assets and the stranded balances, at the indicative prices of that moment. */
  totalValueAfter: z.optional(amountText),
  /**
   * At the end of a rebalance: distances of assets from their targets at the prices of that moment, the largest first.
   * Absent: not known.
   */
  distances: z.optional(z.array(distance).check(z.maxLength(MOST_DISTANCES))),
  /** Whether moved legs agree with their order's fills or withdrawal's row, and the other legs have no movement. */
  tiesOut: z.optional(z.boolean()),
  /** Present where this run tripped the policy's breaker: why, and since when. */
  tripped: z.optional(tripped),
  /** One sentence, where the outcome is not a success. */
  why: z.optional(z.string()),
})
export type RunReport = z.infer<typeof runReport>

/** Maximum legs in the result of an execution, which holds 256 KB. */
export const MOST_LEGS_OF_SUMMARY = 200

/** State SettleRun: output. It omits the plan and the evidence of the legs, which may not fit; the journal has them. */
export const runSummary = z.extend(
  z.pick(runReport, { outcome: true, runId: true, policy: true, kind: true, why: true, tripped: true, tiesOut: true }),
  {
    /** A long run lists only legs that have not moved whole, at most `MOST_LEGS_OF_SUMMARY`. */
    legs: z.array(z.object({ key: z.string(), intentId, outcome: z.string() })),
    /** Present where legs are left out: how many legs the run has. */
    legsInAll: z.optional(z.int()),
  },
)
export type RunSummary = z.infer<typeof runSummary>

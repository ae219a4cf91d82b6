// Runs of policies: what starts one, what its steps pass to each other, how it ends. A run is one execution of the
// Rebalance or the Sweep state machine. The execution has the run's name, as a movement's has its intent's.
import * as z from 'zod/mini'
import { convertReport, convertRequest } from './convert.ts'
import { amountText, assetCode, executionName, intentId, isoTime, opaqueId, policyName } from './fields.ts'
import { payeeFacts } from './payee.ts'
import { plan, planLeg, signedText } from './plan.ts'
import { PolicyKind, policy } from './policies.ts'
import { withdrawReport, withdrawRequest } from './withdraw.ts'

/** What made a run start, for people. One that a deposit started also waits while another run has its policy. */
const trigger = z.object({
  by: z.enum(['schedule', 'event', 'deposit', 'person', 'call']),
  /** The time it was due, or the event's id. */
  id: z.optional(z.string().check(z.maxLength(256))),
})

/** Input of an execution: a policy of treasury.json by its name, or a policy itself. */
export const runRequest = z.strictObject({
  policy: z.union([policyName, policy]),
  /** Plans and reports, and moves nothing: as `mode: "shadow"` in the policy. */
  shadow: z.optional(z.boolean()),
  trigger: z.optional(trigger),
})
export type RunRequest = z.infer<typeof runRequest>

/** The named ends of a run, and the `outcome` of its result. */
export const RunEnd = {
  /** Every leg moved what it should. */
  Settled: 'SETTLED',
  /** Some legs moved, or moved less; what did not is in the result, each a certified zero. */
  PartlySettled: 'PARTLY_SETTLED',
  /** No leg moved anything, each a certified zero. */
  NothingMoved: 'NOTHING_MOVED',
  /** The plan has no legs. */
  NothingToDo: 'NOTHING_TO_DO',
  /** What was planned moved, and leaves assets beyond their band though nothing explains it. Our planner is wrong. */
  OffTarget: 'OFF_TARGET',
  /** Planned and told; nothing was to move. */
  Shadowed: 'SHADOWED',
  /** A guard stands against the run as a whole: quiet hours, maintenance, stale figures, a budget that is spent; or against each of its legs. */
  Guarded: 'GUARDED',
  /** The policy, or everything, is halted: by a person or by the policy's own breaker. */
  Halted: 'HALTED',
  /** Another run of the policy is under way. */
  AlreadyRunning: 'ALREADY_RUNNING',
  /** It waits for `sluice approve` or `sluice reject`. */
  AwaitingApproval: 'AWAITING_APPROVAL',
  /** A person said no. */
  Disapproved: 'DISAPPROVED',
  /** The approval came too late, or something that it rests on has changed. */
  ApprovalVoid: 'APPROVAL_VOID',
  /** The request cannot be right, or a fault stopped the run before any leg began. */
  Failed: 'FAILED',
  /**
   * What is ours stopped the run before all that was planned had begun: a key, a permission, the configuration or a bug.
   * Each leg that did not move is a certified zero. Raises an alarm.
   */
  OwnFault: 'OWN_FAULT',
  /** A leg is in doubt or stuck. Raises an alarm. */
  NeedsAttention: 'NEEDS_ATTENTION',
} as const
export type RunEnd = (typeof RunEnd)[keyof typeof RunEnd]

/** Outcomes of a step after which a run goes on. */
export const RunStep = {
  /** Rebalance: legs of the first of two phases, sells. */
  First: 'FIRST',
  /** Rebalance: legs of the last or only phase. */
  Last: 'LAST',
  /** Sweep: legs of a phase of conversions. */
  Convert: 'CONVERT',
  /** Sweep: legs of a phase of withdrawals. */
  Withdraw: 'WITHDRAW',
  /** No more legs: the run is to be settled. */
  Settle: 'SETTLE',
  /** Another run has the policy: this one looks again after `waitSeconds`. */
  Wait: 'WAIT',
} as const
export type RunStep = (typeof RunStep)[keyof typeof RunStep]

/** Phases of a run. */
export const MOST_PHASES = 9
const phase = z.int().check(z.gte(1), z.lte(MOST_PHASES))

/** A plan's answer, as far as the next phase is told by it. A request is none: it has no `runId`. */
const earlierAnswer = z.object({ runId: intentId, phase: z.int(), outcome: z.string() })

/** States PlanRebalance and PlanSweep: input. */
export const planInput = z.object({
  execution: executionName,
  startedAt: isoTime,
  request: z.unknown(),
  /**
   * The phase whose legs are asked for; absent: the first. A machine that comes back here gives the whole
   * state, because a path to nothing would break its first time: then it is the phase after that answer's, or
   * the same one where the machine has only waited.
   */
  phase: z.optional(
    z.pipe(
      z.pipe(
        z.unknown(),
        z.transform((state) => {
          if (typeof state === 'number') return state
          const earlier = earlierAnswer.safeParse(state).data
          return earlier && earlier.phase + (earlier.outcome === RunStep.Wait ? 0 : 1)
        }),
      ),
      z.optional(phase),
    ),
  ),
})
export type PlanInput = z.infer<typeof planInput>

/** One child execution. */
export const startLeg = z.object({
  /** The leg's intent, with `_2` and so on where the run is entered again. */
  name: executionName,
  request: z.union([convertRequest, withdrawRequest]),
})
export type StartLeg = z.infer<typeof startLeg>

/** Who halts where a policy halts itself, as `sluice cases list` shows it. */
export const BREAKER = 'the breaker'

/** Why a policy's breaker tripped, and since when. */
const tripped = z.object({ because: z.string(), at: isoTime })

/** States PlanRebalance and PlanSweep: output. At a named end it is the result of the run, as a `runSummary` is. */
export const planOutput = z.object({
  outcome: z.enum({ ...RunEnd, ...RunStep }),
  runId: intentId,
  /** Absent where the request names no policy that there is. */
  policy: z.optional(policyName),
  kind: z.optional(z.enum(PolicyKind)),
  /** Of the phase; empty at an end. */
  legs: z.array(startLeg),
  phase: z.int(),
  /** Whom the legs pay, each contact once: for people who watch. */
  payees: z.optional(z.array(payeeFacts)),
  /** With WAIT. */
  waitSeconds: z.optional(z.int()),
  tripped: z.optional(tripped),
  why: z.optional(z.string()),
})
export type PlanOutput = z.infer<typeof planOutput>

/** As Step Functions writes it; a time-out comes with an empty Cause. */
const caught = z.object({ Error: z.string(), Cause: z._default(z.string(), '') })

/** State SettleRun: input. */
export const settleRunInput = z.object({
  execution: executionName,
  startedAt: isoTime,
  request: z.unknown(),
  /** From a Catch. The machine gives the whole state before this one, which otherwise is a plan's answer, and no fault. */
  fault: z.optional(
    z.pipe(
      z.unknown(),
      z.transform((state) => caught.safeParse(state).data),
    ),
  ),
})
export type SettleRunInput = z.infer<typeof settleRunInput>

/** What became of a leg, from the journal and the service. */
export const settledLeg = z.object({
  leg: planLeg,
  intentId,
  /** A named end of Convert or Withdraw, or what an unfinished leg said last. */
  outcome: z.string(),
  conversion: z.optional(convertReport),
  withdrawal: z.optional(withdrawReport),
  why: z.optional(z.string()),
})
export type SettledLeg = z.infer<typeof settledLeg>

/** Who asked for a run, as the function recorded it that started it. */
export const requester = z.object({
  /** Of an event AWS tells the account that put it, and no person. */
  kind: z.enum(['person', 'schedule', 'event', 'deposit']),
  /** A person: on AWS the ARN that STS knows, at a desk a name that is marked as not verified. Else the time that was due, the event, or the delivery. */
  by: z.string(),
  at: isoTime,
})
export type Requester = z.infer<typeof requester>

/** A yes that counts. `secondBecause`: why it needs another person's, where this person approved much alone before. */
export const approvalWord = z.object({
  ...{ by: z.string(), because: z.string(), at: isoTime },
  secondBecause: z.optional(z.string()),
})

const approval = z.object({
  planHash: z.string(),
  expiresAt: isoTime,
  /** Absent: nobody recorded it. */
  requester: z.optional(requester),
  decision: z.optional(z.enum(['approved', 'rejected'])),
  by: z.optional(z.string()),
  because: z.optional(z.string()),
  at: z.optional(isoTime),
  /** Where more than one person must approve: how many, and who has. */
  needed: z.optional(z.int()),
  approvals: z.optional(z.array(approvalWord)),
})
export type Approval = z.infer<typeof approval>

/**
 * A stranded balance: what runs of the policy brought on its way and have not carried on. It lies in a hub that is none
 * of the policy's assets, or, of a policy that withdraws, in the asset that was to go to a contact. What is stored and
 * printed of it is called `residues`.
 */
const strandedBalance = z.object({
  asset: assetCode,
  /** To whom it was to go. */
  contactId: z.optional(opaqueId),
  /** As the plan counted on it. */
  before: amountText,
  /** As it stands: once the run is settled, what its policy's next run goes on with. */
  amount: amountText,
})
export type StrandedBalance = z.infer<typeof strandedBalance>

/** The record of a run has room for so many. */
export const MOST_DISTANCES = 100

/** Of one asset at the end of a run, in the plan's valuation asset. */
const distance = z.object({
  asset: assetCode,
  value: amountText,
  target: amountText,
  /** Value less target. */
  off: signedText,
})
export type Distance = z.infer<typeof distance>

/** The run as it stands: kept in the journal, shown by `sluice runs show`, and the result at its end. */
export const runReport = z.object({
  outcome: z.enum({ ...RunEnd, Running: 'RUNNING' }),
  runId: intentId,
  policy: policyName,
  kind: z.enum(PolicyKind),
  trigger: z.optional(trigger),
  startedAt: isoTime,
  endedAt: z.optional(isoTime),
  /** Absent where the run ended before there was one. */
  plan: z.optional(plan),
  approval: z.optional(approval),
  legs: z.array(settledLeg),
  /** Absent: nothing. */
  residues: z.optional(z.array(strandedBalance)),
  /** At the end: total value by the same assets, and stranded balances, at the indicative prices of that moment. */
  totalValueAfter: z.optional(amountText),
  /** At the end, of a rebalance: how far assets are from their targets, at the prices of that moment, the furthest first. Absent: not known. */
  distances: z.optional(z.array(distance).check(z.maxLength(MOST_DISTANCES))),
  /** Does every leg that moved agree with its order's fills or its withdrawal's row, and what did not move with none? */
  tiesOut: z.optional(z.boolean()),
  /** Present where the policy's breaker tripped with this run: why, and since when. */
  tripped: z.optional(tripped),
  /** One sentence, where the outcome is not a success. */
  why: z.optional(z.string()),
})
export type RunReport = z.infer<typeof runReport>

/** State SettleRun: output. Without the plan and the evidence of its legs, which may not fit: the journal has them. */
export const runSummary = z.extend(
  z.pick(runReport, {
    ...{ outcome: true, runId: true, policy: true, kind: true },
    ...{ why: true, tripped: true, tiesOut: true },
  }),
  { legs: z.array(z.object({ key: z.string(), intentId, outcome: z.string() })) },
)
export type RunSummary = z.infer<typeof runSummary>

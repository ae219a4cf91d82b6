// Plays the next run of a policy beside the withdrawals of the run before, which may still be sent. Its planning step takes the
// policy, and so ends a run whose time is over. It also reads which payments of a file have certainly moved nothing. The end of
// the schedule shows whether that was true.
import { WithdrawEnd } from '../../core/contract/outcomes.ts'
import { type Policy, policy as policySchema } from '../../core/contract/policies.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { Defect, KeyFault, Refused, Transient } from '../../core/errors.ts'
import { onceOf, readPayments } from '../../core/runs/plan/payments.ts'
import { takePolicy } from '../../core/runs/plan/take-policy.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import type { PolicyRecord } from '../../core/runs/record/policy-record.ts'
import { frozenLegs, holdingOf, isAtEnd, onceIntentId, type RunRecord } from '../../core/runs/record/run-record.ts'
import { readFrozenLeg } from '../../core/runs/settle/settle-leg.ts'
import { intentsOf, kindOf, type Schedule } from './schedule.ts'
import { Crash } from './scheduler.ts'
import type { Stage } from './stage.ts'
import { Broken } from './steps.ts'
import { CONTACT } from './withdrawal-model.ts'
import { START_MS } from './world-state.ts'

const VERB = 'PlanSweep'
const PAYS: Policy = policySchema.parse({ kind: 'payouts', assets: ['USD'], breaker: { failures: 100 } })
const ENDED_ZERO: ReadonlySet<string> = new Set([RunEnd.NothingMoved, RunEnd.Guarded, RunEnd.Failed])

/** The request of a withdrawal with its time, as its leg froze it. */
interface LegRequest {
  readonly assetSymbol: string
  readonly amount: string
  readonly feeMode?: 'deduct' | 'add'
  readonly notAfter: string
  readonly policy?: string
}

/**
 * Plans beside each withdrawal at the times of `nextRunMs`. `requestOf`: the request of an intent. Calls `onBroken` with an error
 * that no simulated fault explains.
 */
export function planNextRuns(
  stage: Stage,
  schedule: Schedule,
  requestOf: (intentId: string) => object,
  onBroken: (error: unknown) => void,
): readonly NextRun[] {
  if (schedule.nextRunMs === undefined) return []
  const ids = [...intentsOf(schedule)].filter((intentId) => kindOf(schedule, intentId) === IntentKind.Withdraw)
  return ids.map((intentId) => {
    const run = new NextRun(stage, intentId, requestOf(intentId) as LegRequest)
    const plan = () => void run.plan().catch(onBroken)
    for (const atMs of schedule.nextRunMs ?? [])
      stage.scheduler.later(atMs, plan, { text: () => `the run after ${intentId}` })
    return run
  })
}

class NextRun {
  readonly #stage: Stage
  readonly #intentId: string
  readonly #request: LegRequest
  /** The run whose only leg is the withdrawal. It is kept beside the journal, because its own writes are not in question. */
  #run: RunRecord
  #memory: PolicyRecord
  readonly #saidOfPlan: ('a zero' | 'paid')[] = []
  /** Whether a plan would pay the row again without asking, while its money was gone. */
  #paysAgain = false
  /** Outcomes of the leg that nothing can change any more. */
  readonly #finals: string[] = []

  constructor(stage: Stage, intentId: string, { policy, notAfter, ...request }: LegRequest) {
    this.#stage = stage
    this.#intentId = intentId
    this.#request = { ...request, notAfter, ...(policy !== undefined && { policy }) }
    const leg = { kind: IntentKind.Withdraw, key: 'leg', phase: 1, contactId: CONTACT.id, request, value: '0' }
    this.#run = {
      ...{ outcome: 'RUNNING', entry: 2, version: 1, startedAt: new Date(START_MS).toISOString() },
      // The requests of this world name no run.
      ...{ runId: undefined, policy, notAfter, asPlanned: PAYS, kind: PAYS.kind, policyHash: '', results: {} },
      phases: [{ phase: 1, legs: [{ key: 'leg', intentId, leg }] }],
    } as unknown as RunRecord
    this.#memory = { policy: '', version: 1, holder: holdingOf(this.#run), failuresInRow: 0, contacts: {} }
  }

  /** @throws Broken for an error that no fault of the world explains */
  async plan(): Promise<void> {
    const environment = this.#stage.environments.take(VERB)
    const { machine, ports } = environment
    machine.beginCall(VERB, this.#request, this.#intentId)
    try {
      const runPorts = this.#portsOf(ports)
      await ports.service.clock.measure()
      for (const frozen of frozenLegs(this.#run)) {
        const { isFinal, result } = await readFrozenLeg(this.#run, frozen, runPorts)
        if (isFinal) this.#finals.push(result.outcome)
      }
      await takePolicy({ ...this.#run, runId: 'next', entry: 1 }, runPorts)
      const { assetSymbol: asset, amount, feeMode = 'deduct' } = this.#request
      const row = { id: this.#intentId, contactId: CONTACT.id, asset, amount, reference: '', feeMode }
      const facts = await readPayments({ ...PAYS, rows: [row] } as Policy, runPorts, () => {})
      const { earlier, once, backByBalance } = facts.get(this.#intentId) ?? {}
      if (earlier === undefined && once !== this.#firstTry) {
        this.#saidOfPlan.push('a zero')
        if (backByBalance === undefined && this.#isGone) this.#paysAgain = true
      }
      if (earlier?.isPaid) this.#saidOfPlan.push('paid')
      this.#stage.environments.giveBack(environment)
    } catch (error) {
      const isExpected = [Refused, Transient, KeyFault, Defect, Crash].some((kind) => error instanceof kind)
      if (!isExpected) throw new Broken(VERB, error)
    }
  }

  /** Returns the errors of the next run. Called at the end, when nothing moves any more. */
  judge(): string[] {
    const { outcome, results } = this.#run
    const end = results[this.#intentId]
    const isZero = isAtEnd(this.#run) && ENDED_ZERO.has(outcome) && end?.outcome !== WithdrawEnd.FailedRefunded
    const { movements = [] } = this.#stage.witness.intents.get(this.#intentId) ?? {}
    const hasMoved = movements.length > 0
    const hasArrived = hasMoved && this.#stage.service.withdrawals.truth.endsAs === 'COMPLETED'
    const wrong = hasArrived ? 'a zero' : 'paid'
    const trueEnd = hasArrived ? WithdrawEnd.Completed : WithdrawEnd.FailedRefunded
    const untrue = hasMoved ? this.#finals.find((outcome) => outcome !== trueEnd) : undefined
    return [
      ...(untrue === undefined ? [] : [`the leg of ${this.#intentId} was ${untrue} for good, and ended ${trueEnd}`]),
      ...(hasArrived && isZero ? [`${this.#intentId} moved, and its run has ended ${outcome}`] : []),
      ...(this.#paysAgain ? [`a plan would pay ${this.#intentId} again, and its money had not come back`] : []),
      ...(this.#saidOfPlan.includes(wrong) ? [`a plan has taken ${this.#intentId} for ${wrong}, which is not so`] : []),
    ]
  }

  get #isGone(): boolean {
    const { movements = [] } = this.#stage.witness.intents.get(this.#intentId) ?? {}
    const { withdrawals } = this.#stage.service
    return movements.some(({ id }) => ['debited', 'taken back'].includes(withdrawals.trueBookingOf(id)))
  }

  get #firstTry(): string {
    return onceOf(this.#intentId, 1)
  }

  #portsOf({ journal, service, timing }: ReturnType<Stage['environments']['take']>['ports']): RunPorts {
    const firstId = onceIntentId(this.#firstTry)
    return {
      journal: {
        ...journal,
        find: (id: string, kind: IntentKind) => {
          if (id === firstId) return journal.find(this.#intentId, kind)
          return id === this.#intentId ? journal.find(id, kind) : Promise.resolve(undefined)
        },
      },
      runs: {
        find: async () => this.#run,
        advance: async (run: RunRecord, move: object) => {
          this.#run = { ...run, ...move }
          return this.#run
        },
      },
      policies: {
        find: async () => this.#memory,
        advance: async (memory: PolicyRecord, move: object) => {
          this.#memory = { ...memory, ...move }
          return this.#memory
        },
      },
      service,
      namesOf: async (policy: string) => [policy],
      treasury: { timing } as Treasury,
      hasTime: () => true,
    } as unknown as RunPorts
  }
}

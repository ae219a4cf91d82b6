// Plays the people of whole runs: who asks for each run, and who approves or rejects its plan. Judges each ARM of a leg, and all
// sums at the end, by what these people saw and said, and by the rule of the policy. It reads no decision of the product.
import type { ApprovalRule } from '../../../core/contract/policies.ts'
import { IntentKind } from '../../../core/contract/records.ts'
import { runRequest } from '../../../core/contract/runs.ts'
import { Defect, KeyFault, Refused, Transient } from '../../../core/errors.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { recordedPlanHash } from '../../../core/runs/approval/ask.ts'
import { decideApproval, findAwaiting } from '../../../core/runs/approval/decision.ts'
import type { Decisions } from '../../../core/runs/approval/decisions.ts'
import { type Requesters, recordPerson } from '../../../core/runs/approval/requesters.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import { units } from '../budget-sums.ts'
import type { Environments } from '../environments.ts'
import { Crash } from '../scheduler.ts'
import type { Stage } from '../stage.ts'

/** Ports of a run's steps, with what only people may write. */
export interface PeoplePorts extends RunPorts {
  readonly decisions: Decisions
  readonly requesters: Requesters
}

export interface Person {
  readonly by: string
  readonly says: 'approved' | 'rejected'
  /** When they look for plans that wait, ms after the start. */
  readonly looksMs: readonly number[]
  /** How long they think about a plan that they have read. */
  readonly thinksMs: number
}

export interface Approving {
  readonly rule: Partial<ApprovalRule> & Pick<ApprovalRule, 'above'>
  readonly people: readonly Person[]
}

/** One unit of the asset is worth this many units of the valuation asset. */
export const WORTH = 2n
const DAY_MS = 86_400_000
const [ADA, BOB, EVE] = ['ada', 'bob', 'eve'] as const

export function drawApproving(pick: <T>(options: readonly T[]) => T): Approving | undefined {
  if (pick([true, true, false])) return undefined
  const rule = {
    above: pick(['0', '0', '100', '250']),
    expiresAfterSeconds: pick([600, 86_400]),
    ...pick([{}, {}, { twoAbove: '100' }, { twoAbove: '250' }]),
    ...pick([{}, { approvers: [ADA, BOB] }]),
    ...pick([{}, { requesterMayApprove: false }]),
  }
  const person = (by: string): Person => {
    const firstMs = pick([5_000, 60_000, 400_000])
    return {
      by,
      says: pick(['approved', 'approved', 'approved', 'rejected']),
      looksMs: [firstMs, firstMs + 300_000, firstMs + 3_000_000],
      thinksMs: pick([0, 1_000, 120_000]),
    }
  }
  return { rule, people: pick([[ADA, BOB], [ADA, BOB, EVE], [ADA], [EVE, ADA]]).map(person) }
}

interface Seen {
  readonly by: string
  readonly atMs: number
  /** Value of the whole plan. */
  readonly value: bigint
  /** The most that each payment of the plan may take, by contact and amount. */
  readonly most: ReadonlyMap<string, bigint>
}

interface Leg {
  readonly runId: string
  readonly policy: string
  readonly payment: string
  readonly total: bigint
}

export class PlanPeople {
  readonly #yes = new Map<string, Seen[]>()
  readonly #no = new Set<string>()
  readonly #askers = new Map<string, string>()
  readonly #stage: Stage
  readonly #environments: Environments<PeoplePorts>
  readonly #approving: Approving | undefined
  readonly #enter: (runId: string) => void

  /** `enter`: starts the next entry of a run on whose plan people have decided. */
  constructor(
    stage: Stage,
    environments: Environments<PeoplePorts>,
    approving: Approving | undefined,
    enter: (runId: string) => void,
  ) {
    this.#stage = stage
    this.#environments = environments
    this.#approving = approving
    this.#enter = enter
    const { scheduler, journal } = stage
    for (const person of approving?.people ?? [])
      for (const atMs of person.looksMs)
        scheduler.later(atMs, () => this.#look(person), { text: () => `${person.by} looks` })
    journal.findUnapprovedArm = (armed) => this.#findUnapprovedArm(armed)
  }

  /** Everybody looks at what waits, once more. */
  lookAgain(): void {
    for (const person of this.#approving?.people ?? []) this.#look(person)
  }

  /** Whether the request was recorded in this person's name, so that the run may start. */
  async ask(runId: string, by: string, request: object): Promise<boolean> {
    this.#askers.set(runId, this.#askers.get(runId) ?? by)
    const at = this.#now()
    const record = (ports: PeoplePorts) => recordPerson(runId, { by, at, request: runRequest.parse(request) }, ports)
    return (await this.#act('RequestRun', runId, record)) !== undefined
  }

  #look(person: Person): void {
    for (const [pk, record] of this.#stage.journal.records)
      if (pk.startsWith('R#') && record.outcome === 'AWAITING_APPROVAL') void this.#decide(person, String(record.runId))
  }

  async #decide({ by, says, thinksMs }: Person, runId: string): Promise<void> {
    const run = await this.#act('Decide', runId, (ports) => findAwaiting(runId, ports))
    const planHash = run && recordedPlanHash(run)
    if (run?.plan === undefined || planHash === undefined) return
    const most = new Map(
      run.plan.legs.flatMap((leg) =>
        leg.kind === IntentKind.Withdraw ? [[paymentOf(leg.request), units(leg.request.most ?? '0')] as const] : [],
      ),
    )
    await this.#act('Decide', runId, async (_ports, machine) => machine.sleep(thinksMs))
    const at = this.#now()
    if (says === 'approved') {
      const seen = { by, atMs: Date.parse(at), value: units(run.plan.turnover), most }
      this.#yes.set(runId, [...(this.#yes.get(runId) ?? []), seen])
    }
    const word = { decision: says, planHash, because: 'audit', by, at }
    const decided = await this.#act('Decide', runId, (ports) => decideApproval(runId, word, ports))
    const { decision } = decided?.run.approval ?? {}
    if (decision === 'rejected') this.#no.add(runId)
    if (decision !== undefined) this.#enter(runId)
  }

  #now(): string {
    return new Date(this.#stage.scheduler.nowMs).toISOString()
  }

  /** One call of a command. Undefined where it failed: nobody tries it again at once. */
  async #act<Done>(
    verb: string,
    runId: string,
    act: (ports: PeoplePorts, machine: ReturnType<Environments<PeoplePorts>['take']>['machine']) => Promise<Done>,
  ): Promise<Done | undefined> {
    const environment = this.#environments.take(verb)
    const { machine, ports } = environment
    machine.beginCall(verb, runId, runId)
    try {
      const done = await act(ports, machine)
      this.#environments.giveBack(environment)
      // An act without an answer is done too.
      return done ?? (true as Done)
    } catch (error) {
      if (![Refused, Transient, KeyFault, Defect, Crash].some((kind) => error instanceof kind))
        this.#stage.witness.noteArm(`${verb} broke: ${error}`)
      return undefined
    }
  }

  /** The people whose approval of this payment of the run counts, each once, with what they saw. */
  #approvalsOf({ runId, payment, total }: Leg): readonly Seen[] {
    const { approvers, requesterMayApprove } = this.#approving?.rule ?? {}
    const counted = new Map<string, Seen>()
    for (const seen of this.#yes.get(runId) ?? []) {
      const mayApprove = approvers === undefined || approvers.includes(seen.by)
      const isAsker = requesterMayApprove === false && this.#askers.get(runId) === seen.by
      if (mayApprove && !isAsker && (seen.most.get(payment) ?? -1n) >= total) counted.set(seen.by, seen)
    }
    return [...counted.values()]
  }

  #isApproved(leg: Leg): boolean {
    const { twoAbove } = this.#approving?.rule ?? {}
    const given = this.#approvalsOf(leg)
    const isAboveTwo = given.some(({ value }) => twoAbove !== undefined && value > units(twoAbove))
    return given.length >= (isAboveTwo ? 2 : 1)
  }

  #findUnapprovedArm(armed: StoredRecord): string | undefined {
    const { rule } = this.#approving ?? {}
    const leg = legOf(armed)
    if (rule === undefined || leg === undefined) return undefined
    if (this.#no.has(leg.runId)) return `an ARM for run ${leg.runId}, which was rejected`
    const isAbove = leg.total * WORTH > units(rule.above)
    return isAbove && !this.#isApproved(leg) ? `an ARM for run ${leg.runId} of what nobody approved` : undefined
  }

  /** Judges what moved in any 24 hours without an approval, and what one person alone approved. `nameOf`: of a policy, always. */
  judge(nameOf: (policy: string) => string): string[] {
    const { above, twoAbove } = this.#approving?.rule ?? {}
    if (above === undefined) return []
    const { movements: rows } = this.#stage.service.withdrawals
    const atMsOf = (movementId: string) => rows.find(({ id }) => id === movementId)?.atMs ?? 0
    const moved = [...this.#stage.witness.intents.values()].flatMap(({ record, movements }) => {
      const leg = movements.length > 0 ? legOf(record) : undefined
      return leg === undefined ? [] : [{ ...leg, atMs: atMsOf(movements[0]?.id ?? '') }]
    })
    const found: string[] = []
    const unasked = moved.filter((leg) => !this.#isApproved(leg))
    for (const { atMs, policy } of unasked) {
      const day = unasked.filter(
        (leg) => nameOf(leg.policy) === nameOf(policy) && leg.atMs >= atMs && leg.atMs < atMs + DAY_MS,
      )
      const value = day.reduce((sum, { total }) => sum + total * WORTH, 0n)
      if (value > units(above)) found.push(`${policy} moved more in a day than ${above} that nobody approved`)
    }
    const plans = new Map<string, Seen>()
    for (const leg of moved) {
      const [only, ...others] = this.#approvalsOf(leg)
      if (only !== undefined && others.length === 0) plans.set(leg.runId, only)
    }
    for (const { by, atMs } of twoAbove === undefined ? [] : plans.values()) {
      const alone = [...plans.values()].filter((one) => one.by === by && one.atMs >= atMs && one.atMs < atMs + DAY_MS)
      const value = alone.reduce((sum, plan) => sum + plan.value, 0n)
      if (value > units(twoAbove ?? '0')) found.push(`${by} alone approved more in a day than ${twoAbove}`)
    }
    return found
  }
}

function paymentOf({
  contactId = '',
  amount,
}: {
  readonly contactId?: string | undefined
  readonly amount: string
}): string {
  return `${contactId} ${Number(amount)}`
}

/** The payment of a leg's intent, as its terms were settled. */
function legOf({ kind, params, frozen }: StoredRecord): Leg | undefined {
  const {
    run: runId,
    policy = '',
    ...request
  } = params as {
    readonly run?: string
    readonly policy?: string
    readonly amount: string
  }
  if (runId === undefined || frozen === undefined || kind !== IntentKind.Withdraw) return undefined
  const { contactId, total } = frozen as { readonly contactId: string; readonly total: string }
  return { runId, policy, payment: paymentOf({ contactId, amount: request.amount }), total: units(total) }
}

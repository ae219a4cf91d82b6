// Drives runs of policies against the real sandbox with the product's own planners and steps, in one process. It does
// what the state machines of a run and of its legs would call, over a journal in memory.

import { mapBounded } from '../../../core/bounded.ts'
import type { Clock } from '../../../core/clock.ts'
import { entryName, intentIdOf } from '../../../core/contract/fields.ts'
import { LISTED_KEY, recordKey } from '../../../core/contract/records.ts'
import { type PlanOutput, planInput, RunStep, type RunSummary, type StartLeg } from '../../../core/contract/runs.ts'
import { timing as timingSchema } from '../../../core/contract/timing.ts'
import { createMovementGuard } from '../../../core/guards/movement-guard.ts'
import { createPolicyTerms } from '../../../core/guards/policy-terms.ts'
import { createBudgets } from '../../../core/journal/budgets.ts'
import { createFloors } from '../../../core/journal/floors.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { createLanes } from '../../../core/journal/lanes.ts'
import { withLongRecords } from '../../../core/journal/long-records.ts'
import { createPages } from '../../../core/journal/pages.ts'
import { createPinnedAccount } from '../../../core/journal/pinned-account.ts'
import { createPolicyNames } from '../../../core/journal/policy-names.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { createApprovedLegs } from '../../../core/runs/approval/approved-leg.ts'
import { decideApproval, findAwaiting } from '../../../core/runs/approval/decision.ts'
import { createDecisions } from '../../../core/runs/approval/decisions.ts'
import { createMovementApprovals } from '../../../core/runs/approval/decisions-on-movement.ts'
import { createRequesters } from '../../../core/runs/approval/requesters.ts'
import { createRunBudgets } from '../../../core/runs/plan/limits.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import { createPolicyRecords } from '../../../core/runs/record/policy-record.ts'
import { reportOfRun } from '../../../core/runs/record/run-record.ts'
import { createRuns } from '../../../core/runs/record/runs.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { checkWithdrawal } from '../../../functions/check-withdrawal/check-withdrawal.ts'
import { order } from '../../../functions/order/order.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { pollOrder } from '../../../functions/poll-order/poll-order.ts'
import { pollWithdrawal } from '../../../functions/poll-withdrawal/poll-withdrawal.ts'
import { quote } from '../../../functions/quote/quote.ts'
import { runReads } from '../../../functions/runtime/run-wiring.ts'
import { withdrawalReads, withdrawalTerms } from '../../../functions/runtime/withdrawal-ports.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { withdraw } from '../../../functions/withdraw/withdraw.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { treasuryWith } from '../../helpers/run-world.ts'

/** As many as the state machines carry out side by side. */
const LEGS_AT_ONCE = 5
const MOST_STEPS = 20
const MOST_WAITS = 4_000
/** Phases, and parts of long phases. */
const MOST_ANSWERS = 30

/** `passTime`: lets the service's time pass where a step would wait. */
export function createRunner(
  client: ServiceClient,
  policies: Record<string, unknown>,
  passTime: () => Promise<unknown>,
  guards = {},
) {
  // As the journal's own store does, so that the record of a long run is kept in several items.
  const store = createMemoryStore()
  const open = () => withLongRecords(store, (pk) => pk.startsWith(recordKey.run('')))
  let opened = open()
  const journalStore: RecordStore = {
    read: (pk) => opened.read(pk),
    create: (record) => opened.create(record),
    replace: (record, version) => opened.replace(record, version),
  }
  /** As where a function starts anew, and remembers no page. */
  const restart = () => {
    opened = open()
  }
  const newId = () => crypto.randomUUID()
  const treasury = treasuryWith(policies, guards)
  const journal = createJournal(store, newId)
  const [decisions, pages] = [createDecisions(store, newId, decisionKey), createPages(store)]
  const requesters = createRequesters(store, newId)
  const budgets = createBudgets(store, journal, newId)
  const floors = createFloors(store, journal, newId)
  const halts = createHalts(store, newId, treasury)
  const namesOf = createPolicyNames(store, treasury.policies)
  const timing = timingSchema.parse({})
  const reads = withdrawalReads(client)
  const clock: Clock = {
    nowMs: () => 0,
    sleep: async () => {
      await passTime()
    },
  }
  const runPorts: RunPorts = {
    ...{ journal, halts, namesOf, treasury, decisions, pages },
    requesters,
    budgets: createRunBudgets(store, journal, newId),
    runs: createRuns(journalStore, newId),
    policies: createPolicyRecords(store, newId),
    index: {
      list: async (name) =>
        [...store.records.values()].filter((each) => each[LISTED_KEY] === name).map(({ pk }) => pk.slice(2)),
    },
    service: runReads(client),
    logTrip: () => undefined,
    hasTime: () => true,
  }
  const opening = {
    ...{ journal, timing, account: createPinnedAccount(store, newId) },
    guards: {
      everywhere: treasury.guards,
      policies: createPolicyTerms(
        treasury.policies,
        journalStore,
        createApprovedLegs(journalStore, treasury.policies, decisionKey),
      ),
    },
  }
  const guard = createMovementGuard(
    opening.guards,
    budgets,
    floors,
    createMovementApprovals(journalStore, decisionKey),
    namesOf,
  )
  const sending = { ...{ journal, halts, clock, timing, newId }, guard }

  async function convert(name: string, request: unknown, startedAt: string): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const said = await quote({ execution: name, startedAt, request }, { ...opening, service: client })
      const ordered = await order({ request, said }, { ...sending, service: client, sender: client })
      if (ordered.outcome === 'QUOTE_EXPIRED') continue
      if (ordered.outcome === 'PROCESSING')
        await pollOrder({ intentId: ordered.intentId }, { journal, timing, service: client, clock })
      return
    }
    throw new Error('a conversion took too many steps')
  }

  async function send(name: string, request: unknown, startedAt: string): Promise<void> {
    const said = await checkWithdrawal(
      { execution: name, startedAt, request },
      { ...opening, terms: withdrawalTerms(client), service: reads },
    )
    const ports = {
      ...sending,
      lanes: createLanes(store, journal, newId),
      service: reads,
      sender: client,
      shared: false,
    }
    let sent = await withdraw({ request, said }, ports)
    // Another withdrawal of the asset has the lane, or the end of a send is not certain before its fence.
    for (let waits = 0; waits < MOST_WAITS && (sent.outcome === 'HELD' || sent.outcome === 'UNCERTAIN'); waits += 1) {
      await passTime()
      sent = await withdraw({ request, said: sent }, ports)
    }
    const polled = { journal, service: reads, clock, timing }
    if (sent.outcome === 'PROCESSING') await pollWithdrawal({ intentId: said.intentId }, polled)
  }

  async function carryOut({ legs }: PlanOutput, startedAt: string): Promise<void> {
    await mapBounded(legs, LEGS_AT_ONCE, ({ name, request }: StartLeg) =>
      ('contactId' in request ? send : convert)(name, request, startedAt),
    )
  }

  /** The report of the run at its end. */
  async function run(machine: 'rebalance' | 'sweep', runId: string, request: unknown, entry = 1) {
    const plan = machine === 'rebalance' ? planRebalance : planSweep
    const startedAt = new Date().toISOString()
    const input = { execution: entryName(runId, entry), startedAt, request }
    let said: PlanOutput | RunSummary = await plan(input, runPorts)
    const steps: ReadonlySet<string> = new Set(Object.values(RunStep))
    for (
      let phases = 0;
      phases < MOST_ANSWERS && steps.has(said.outcome) && said.outcome !== RunStep.Settle;
      phases += 1
    ) {
      const planned = said as PlanOutput
      await carryOut(planned, startedAt)
      said =
        planned.outcome === RunStep.Last
          ? { ...planned, outcome: RunStep.Settle }
          : await plan(planInput.parse({ ...input, phase: planned }), runPorts)
    }
    if (said.outcome === RunStep.Settle) said = await settleRun({ ...input, enteredAt: startedAt }, runPorts)
    const record = await runPorts.runs.find(intentIdOf(input.execution))
    return record ? reportOfRun(record) : said
  }

  /** Approves the plan that the run waits with, as its record shows it. */
  async function approve(runId: string, by = 'ada') {
    const waiting = await findAwaiting(runId, runPorts)
    const decision = { decision: 'approved', by, because: 'checked', at: new Date().toISOString() } as const
    await decideApproval(runId, { ...decision, planHash: waiting.approval?.planHash ?? '' }, { ...runPorts, decisions })
  }

  return { run, approve, restart, halts, requesters, runPorts, pages, store, records: store.records }
}

// Drives runs of policies against the real sandbox with the product's own planners and steps, in one process:
// what the state machines of a run and of its legs would call, over a journal in memory.
import { checkWithdrawal } from '../../../functions/check-withdrawal/check-withdrawal.ts'
import { entryName, intentIdOf } from '../../../functions/contract/fields.ts'
import { LISTED_KEY } from '../../../functions/contract/records.ts'
import { type PlanOutput, RunStep, type RunSummary, type StartLeg } from '../../../functions/contract/runs.ts'
import { timing as timingSchema } from '../../../functions/contract/timing.ts'
import { order } from '../../../functions/order/order.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { pollOrder } from '../../../functions/poll-order/poll-order.ts'
import { pollWithdrawal } from '../../../functions/poll-withdrawal/poll-withdrawal.ts'
import { quote } from '../../../functions/quote/quote.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import type { Clock } from '../../../functions/shared/clock.ts'
import { createMovementGuard } from '../../../functions/shared/guarding/movement-guard.ts'
import { createPolicyTerms } from '../../../functions/shared/guarding/policy-terms.ts'
import { createBudgets } from '../../../functions/shared/journal/budgets.ts'
import { createFloors } from '../../../functions/shared/journal/floors.ts'
import { createHalts } from '../../../functions/shared/journal/halts.ts'
import { createJournal } from '../../../functions/shared/journal/journal.ts'
import { createLanes } from '../../../functions/shared/journal/lanes.ts'
import { createPinnedAccount } from '../../../functions/shared/journal/pinned-account.ts'
import { runReads } from '../../../functions/shared/lambda/run-wiring.ts'
import { withdrawalReads, withdrawalTerms } from '../../../functions/shared/lambda/withdrawal-ports.ts'
import { createPolicyRecords } from '../../../functions/shared/runs/policy-record.ts'
import type { RunPorts } from '../../../functions/shared/runs/ports.ts'
import { createRunBudgets } from '../../../functions/shared/runs/run-budgets.ts'
import { reportOfRun } from '../../../functions/shared/runs/run-record.ts'
import { createRuns } from '../../../functions/shared/runs/runs.ts'
import type { ServiceClient } from '../../../functions/shared/service/service-client.ts'
import { withdraw } from '../../../functions/withdraw/withdraw.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { treasuryWith } from '../../helpers/run-world.ts'

const MOST_STEPS = 20
const MOST_PHASES = 9

/** `passTime`: lets the service's time pass where a step would wait. */
export function createRunner(
  client: ServiceClient,
  policies: Record<string, unknown>,
  passTime: () => Promise<unknown>,
  guards = {},
) {
  const store = createMemoryStore()
  const newId = () => crypto.randomUUID()
  const treasury = treasuryWith(policies, guards)
  const journal = createJournal(store, newId)
  const budgets = createBudgets(store, journal, newId)
  const floors = createFloors(store, journal, newId)
  const halts = createHalts(store, newId)
  const timing = timingSchema.parse({})
  const reads = withdrawalReads(client)
  const clock: Clock = {
    nowMs: () => 0,
    sleep: async () => {
      await passTime()
    },
  }
  const runPorts: RunPorts = {
    ...{ journal, halts, treasury },
    budgets: createRunBudgets(store, journal, newId),
    runs: createRuns(store, newId),
    policies: createPolicyRecords(store, newId),
    index: {
      list: async (name) =>
        [...store.records.values()].filter((each) => each[LISTED_KEY] === name).map(({ pk }) => pk.slice(2)),
    },
    service: runReads(client),
    tell: () => undefined,
  }
  const opening = {
    ...{ journal, timing, account: createPinnedAccount(store, newId) },
    guards: { everywhere: treasury.guards, policies: createPolicyTerms(treasury.policies, store) },
  }
  const sending = { ...{ journal, halts, timing, newId }, guard: createMovementGuard(treasury.guards, budgets, floors) }

  async function convert(name: string, request: unknown, startedAt: string): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const quoted = await quote({ execution: name, startedAt, request }, { ...opening, service: client })
      const ordered = await order(quoted, { ...sending, service: client, sender: client })
      if (ordered.outcome === 'QUOTE_EXPIRED') continue
      if (ordered.outcome === 'PROCESSING')
        await pollOrder({ intentId: ordered.intentId }, { journal, timing, service: client, clock })
      return
    }
    throw new Error('a conversion took too many steps')
  }

  async function send(name: string, request: unknown, startedAt: string): Promise<void> {
    const { intentId } = await checkWithdrawal(
      { execution: name, startedAt, request },
      { ...opening, terms: withdrawalTerms(client) },
    )
    const ports = {
      ...sending,
      lanes: createLanes(store, journal, newId),
      service: reads,
      sender: client,
      isShared: false,
    }
    const sent = await withdraw({ intentId }, ports)
    const polled = { journal, service: reads, clock, timing }
    if (sent.outcome === 'PROCESSING') await pollWithdrawal({ intentId }, polled)
  }

  async function carryOut({ legs }: PlanOutput, startedAt: string): Promise<void> {
    await Promise.all(
      legs.map(({ name, request }: StartLeg) => ('contactId' in request ? send : convert)(name, request, startedAt)),
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
      phases < MOST_PHASES && steps.has(said.outcome) && said.outcome !== RunStep.Settle;
      phases += 1
    ) {
      const planned = said as PlanOutput
      await carryOut(planned, startedAt)
      said =
        planned.outcome === RunStep.Last
          ? { ...planned, outcome: RunStep.Settle }
          : await plan({ ...input, phase: planned.phase + 1 }, runPorts)
    }
    if (said.outcome === RunStep.Settle) said = await settleRun(input, runPorts)
    const record = await runPorts.runs.find(intentIdOf(input.execution))
    return record ? reportOfRun(record) : said
  }

  return { run, halts, runPorts, records: store.records }
}

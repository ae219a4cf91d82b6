// One simulated world of withdrawals: several intents on one asset, driven as the state machine
// drives them, among crashes, freezes, duplicates, a faulty network and a journal that errs.
import { checkWithdrawal } from '../../functions/check-withdrawal/check-withdrawal.ts'
import { conclude } from '../../functions/conclude/conclude.ts'
import { withdrawalConclusion } from '../../functions/conclude/conclusions.ts'
import { WithdrawEnd, WithdrawStep } from '../../functions/contract/outcomes.ts'
import { IntentKind } from '../../functions/contract/records.ts'
import { Verb } from '../../functions/contract/states.ts'
import { type Timing, timing as timingSchema } from '../../functions/contract/timing.ts'
import { type WithdrawReport, type WithdrawRequest, withdrawInput } from '../../functions/contract/withdraw.ts'
import { pollWithdrawal } from '../../functions/poll-withdrawal/poll-withdrawal.ts'
import { createBudgets } from '../../functions/shared/journal/budgets.ts'
import { createHalts } from '../../functions/shared/journal/halts.ts'
import { createJournal } from '../../functions/shared/journal/journal.ts'
import { createLanes } from '../../functions/shared/journal/lanes.ts'
import { createOutflowGuard } from '../../functions/shared/withdrawal/outflow.ts'
import { withdraw } from '../../functions/withdraw/withdraw.ts'
import { createMemoryStore, type MemoryStore } from '../helpers/memory-store.ts'
import { Scheduler } from './scheduler.ts'
import { Broken, createSteps, pausing, Stopped } from './steps.ts'
import { connectWithdrawals } from './withdrawal-connection.ts'
import { findBudgetViolations, findEndViolations, findStepViolations, findUnhealed } from './withdrawal-invariants.ts'
import { WithdrawalModel, type WithdrawalTruth } from './withdrawal-model.ts'

const START_MS = Date.parse('2026-01-01T12:00:00Z')
const STEP_LIMIT = 20_000
/** Room for two of the withdrawals: a third waits for nobody, and is refused. */
const DAILY_OUTFLOW = { USDC: '250' }
const ENDS: ReadonlySet<string> = new Set(Object.values(WithdrawEnd))

export interface WithdrawSchedule {
  readonly seed: number
  /** Intents, each with a withdrawal of the same amount to the same contact. */
  readonly intents: number
  /** Executions of each intent. */
  readonly executions: number
  readonly feeMode: 'deduct' | 'add'
  readonly faults: number
  readonly truth: WithdrawalTruth
  readonly timing?: Partial<Timing>
}

export interface WithdrawWorld {
  readonly service: WithdrawalModel
  readonly store: MemoryStore
  readonly ends: readonly WithdrawReport[]
  readonly violations: readonly string[]
}

/** Runs one schedule to its end, enters every intent once more when all faults are over, and says which invariants broke. */
export async function runWithdrawals(schedule: WithdrawSchedule): Promise<WithdrawWorld> {
  const timing = timingSchema.parse({ ...schedule.timing })
  const scheduler = new Scheduler(schedule.seed, START_MS)
  scheduler.faults = schedule.faults
  scheduler.crashChance = 0.03
  scheduler.freezeChance = 0.03
  const service = new WithdrawalModel(scheduler, schedule.truth)
  const store = createMemoryStore(() =>
    scheduler.takeFault(0.1) ? scheduler.pick(['lost', 'late', 'refused'] as const) : undefined,
  )
  const ends: WithdrawReport[] = []
  const violations: string[] = []
  const request: WithdrawRequest = {
    ...{ assetSymbol: 'USDC', amount: '100', feeMode: schedule.feeMode, contactId: 'contact-1' },
    notAfter: new Date(START_MS + 1_800_000).toISOString(),
  }

  const enter = (intentId: string, name: string, delayMs: number) =>
    scheduler.start(async () => {
      await scheduler.park('driver', delayMs)
      const startedAt = new Date(scheduler.nowMs).toISOString()
      const isShared = schedule.truth.foreignRows > 0
      const execution = { scheduler, service, store, timing, name, startedAt, intentId, request, isShared }
      const end = await runExecution(execution).catch((error) => {
        if (!(error instanceof Stopped)) violations.push(`${name} broke: ${error}`)
      })
      if (end) ends.push(end)
    })
  const run = () =>
    scheduler.run(STEP_LIMIT, () => {
      if (scheduler.chance(0.05)) store.flush()
      if (violations.length === 0) violations.push(...findStepViolations(service, store))
    })

  const intentIds = Array.from({ length: schedule.intents }, (_, at) => `intent-${at + 1}`)
  for (const intentId of intentIds) {
    for (let number = 1; number <= schedule.executions; number += 1) {
      // Duplicates come together with the first, during its fence, or long after.
      const delayMs =
        number === 1 ? scheduler.pick([0, 0, 5_000]) : scheduler.pick([0, 3_000, 20_000, 160_000, 1_000_000])
      enter(intentId, `${intentId}/${number}`, delayMs)
    }
  }
  for (let foreign = 0; foreign < schedule.truth.foreignRows; foreign += 1) {
    scheduler.later(Math.floor(scheduler.random() * 200_000), () => service.addForeign())
  }
  await run()
  store.flush()
  scheduler.faults = 0
  service.mayGoDown = false
  const before = ends.length
  for (const intentId of intentIds) enter(intentId, `${intentId}/last`, 0)
  await run()
  violations.push(
    ...findStepViolations(service, store),
    ...findEndViolations(service, store, ends),
    ...findBudgetViolations(service, store, DAILY_OUTFLOW.USDC),
    ...findUnhealed(ends.slice(before), schedule),
  )
  return { service, store, ends, violations }
}

interface Execution {
  readonly scheduler: Scheduler
  readonly service: WithdrawalModel
  readonly store: MemoryStore
  readonly timing: Timing
  readonly name: string
  readonly startedAt: string
  readonly intentId: string
  readonly request: WithdrawRequest
  readonly isShared: boolean
}

/** The Withdraw state machine, as infra draws it. */
async function runExecution(execution: Execution): Promise<WithdrawReport> {
  const { scheduler, service, store, timing, name, startedAt, intentId, request, isShared } = execution
  const steps = createSteps(scheduler, name, (machine, newId) => {
    const client = connectWithdrawals(service, machine)
    const records = pausing(store, machine)
    const journal = createJournal(records, newId)
    return {
      journal,
      lanes: createLanes(records, journal, newId),
      outflow: createOutflowGuard(createBudgets(records, journal, newId), DAILY_OUTFLOW),
      halts: createHalts(records, newId),
      ...{ service: client, sender: client, terms: client, clock: machine, newId, timing, isShared },
    }
  })

  try {
    await steps.run(Verb.CheckWithdrawal, 3, (ports) =>
      checkWithdrawal({ execution: intentId, startedAt, request }, ports),
    )
    let waits: number | undefined
    for (;;) {
      const input = withdrawInput.parse({ intentId, ...(waits !== undefined && { waits }) })
      const report = await steps.run(Verb.Withdraw, 5, (ports) => withdraw(input, ports))
      if (ENDS.has(report.outcome)) return report
      if (report.outcome === WithdrawStep.Processing) break
      waits = report.waits
      if (report.outcome !== WithdrawStep.Again) await steps.wait(report.waitSeconds)
    }
    for (waits = 0; ; ) {
      const polled = await steps.run(Verb.PollWithdrawal, 6, (ports) =>
        pollWithdrawal({ intentId, waits: waits ?? 0 }, ports),
      )
      if (ENDS.has(polled.outcome)) return polled
      waits = polled.waits
      await steps.wait(polled.waitSeconds)
    }
  } catch (error) {
    if (error instanceof Stopped || error instanceof Broken) throw error
    const { name: errorName, message } = error as Error
    const fault = { Error: errorName, Cause: message }
    const input = { execution: intentId, startedAt, request, kind: IntentKind.Withdraw, fault }
    return steps.run(Verb.Conclude, 50, (ports) => conclude(input, withdrawalConclusion, ports))
  }
}

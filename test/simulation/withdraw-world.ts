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
import { createMovementGuard } from '../../functions/shared/guarding/movement-guard.ts'
import { createPolicyTerms } from '../../functions/shared/guarding/policy-terms.ts'
import { createBudgets } from '../../functions/shared/journal/budgets.ts'
import { createHalts } from '../../functions/shared/journal/halts.ts'
import { createJournal } from '../../functions/shared/journal/journal.ts'
import { createLanes } from '../../functions/shared/journal/lanes.ts'
import type { WithdrawIntent } from '../../functions/shared/withdrawal/withdraw-intent.ts'
import { withdraw } from '../../functions/withdraw/withdraw.ts'
import type { Choices } from './choices.ts'
import { type DrawnGuards, drawGuardSets, noGuards } from './drawn-guards.ts'
import { Environments } from './environments.ts'
import { createGuardJudge } from './guard-judge.ts'
import type { JournalModel } from './journal-model.ts'
import type { Machine } from './machine.ts'
import { Broken, createSteps, type Steps, Stopped } from './steps.ts'
import { connectWithdrawals } from './withdrawal-connection.ts'
import { findEndViolations } from './withdrawal-invariants.ts'
import { ASSET, CONTACT, WithdrawalModel, type WithdrawalTruth } from './withdrawal-model.ts'
import { type BaseSchedule, type Begun, type Ended, runWorld, type Stage, setStage } from './world.ts'

export const START_MS = Date.parse('2026-01-01T12:00:00Z')
const NOT_AFTER = new Date(START_MS + 1_800_000).toISOString()
/** Room for two of the withdrawals: a third waits for nobody, and is refused. */
const USUAL_GUARDS: DrawnGuards = noGuards({ dailyOutflow: { [ASSET.assetSymbol]: '250' } })
/** Guards that a schedule may draw instead. */
export const WITHDRAWAL_GUARDS = drawGuardSets(128, {
  ...{ assetSymbol: ASSET.assetSymbol, ticker: ASSET.rebasedSymbol, units: 100 },
  ...{ startMs: START_MS, contactId: CONTACT.id },
})
/** Like ours under one fee mode, like ours under the other, and unlike them. */
const FOREIGN_AMOUNTS = ['99', '100', '7', '7']
const DEFAULT_TIMING = timingSchema.parse({})
const ENDS: ReadonlySet<string> = new Set(Object.values(WithdrawEnd))

export interface WithdrawSchedule extends BaseSchedule {
  /** Of all its intents, each a withdrawal of the same amount to the same contact. */
  readonly feeMode: 'deduct' | 'add'
  readonly truth: WithdrawalTruth
  readonly guards?: DrawnGuards
  readonly timing?: Partial<Timing>
}

export interface WithdrawWorld extends Ended<WithdrawReport>, Stage {
  readonly service: WithdrawalModel
}

/** Runs one schedule to its end, enters every intent once more when all faults are over, and says which invariants broke. */
export async function runWithdrawals(schedule: WithdrawSchedule, choices?: Choices): Promise<WithdrawWorld> {
  const { truth, feeMode, guards = USUAL_GUARDS } = schedule
  const timing = schedule.timing ? timingSchema.parse(schedule.timing) : DEFAULT_TIMING
  const stage = setStage(schedule, choices, {
    startMs: START_MS,
    skewMs: truth.skewMs,
    fenceMs: ({ exp }) => (exp + timing.leewaySeconds + timing.visibilitySeconds) * 1000,
    deadMs: ({ exp }) => (exp + timing.leewaySeconds) * 1000,
    guards: createGuardJudge(guards, ({ frozen }) => {
      const { assetSymbol, contactId, total } = frozen as WithdrawIntent['frozen']
      return { assetSymbol, ticker: ASSET.rebasedSymbol, contactId, amount: total }
    }),
  })
  const service = new WithdrawalModel(stage.scheduler, stage.witness, truth, guards.worth.prices)
  service.addEarlier(feeMode)
  for (const [at, foreignMs] of truth.foreignRowsMs.entries())
    stage.scheduler.later(foreignMs, () => service.addForeign(FOREIGN_AMOUNTS[at] ?? '7'), {
      text: () => `row ${at} of others`,
    })
  const request: WithdrawRequest = {
    ...{ assetSymbol: ASSET.assetSymbol, amount: '100', feeMode, contactId: CONTACT.id },
    notAfter: NOT_AFTER,
  }
  const { scheduler, journal } = stage
  const surroundings = { journal, service, guards, timing, isShared: truth.foreignRowsMs.length > 0 }
  const environments = new Environments(scheduler, (machine, newId) => wirePorts(machine, newId, surroundings))
  const execute = (intentId: string, name: string) => {
    const policy = guards.ofIntents[Number(intentId.split('-')[1]) - 1]
    const own = { ...request, ...(policy && { policy }) }
    const startedAt = new Date(scheduler.nowMs).toISOString()
    return runExecution(createSteps(scheduler, name, environments), { execution: intentId, startedAt, request: own })
  }
  const ended = await runWorld(stage, schedule, { service, environments }, execute)
  if (!ended.isCut) ended.violations.push(...findEndViolations(service, stage, schedule, ended))
  return { ...stage, ...ended, service }
}

interface Surroundings {
  readonly journal: JournalModel
  readonly service: WithdrawalModel
  readonly guards: DrawnGuards
  readonly timing: Timing
  readonly isShared: boolean
}

/** The ports of one environment, as the product's functions are wired. */
function wirePorts(machine: Machine, newId: () => string, surroundings: Surroundings) {
  const { journal: table, service, guards, timing, isShared } = surroundings
  const client = connectWithdrawals(service, machine)
  const records = table.reachedFrom(machine)
  const journal = createJournal(records, newId)
  return {
    journal,
    lanes: createLanes(records, journal, newId),
    guard: createMovementGuard(guards.everywhere, createBudgets(records, journal, newId)),
    guards: { everywhere: guards.everywhere, policies: createPolicyTerms(guards.policies, records) },
    halts: createHalts(records, newId),
    ...{ service: client, sender: client, terms: client, clock: machine, newId, timing, isShared },
  }
}

type Ports = ReturnType<typeof wirePorts>

/** The Withdraw state machine, as infra draws it. */
async function runExecution(steps: Steps<Ports>, begun: Begun<WithdrawRequest>): Promise<WithdrawReport> {
  const intentId = begun.execution
  try {
    await steps.run(Verb.CheckWithdrawal, 3, begun, checkWithdrawal)
    let waits: number | undefined
    for (;;) {
      const input = withdrawInput.parse({ intentId, ...(waits !== undefined && { waits }) })
      const report = await steps.run(Verb.Withdraw, 5, input, withdraw)
      if (ENDS.has(report.outcome)) return report
      if (report.outcome === WithdrawStep.Processing) break
      waits = report.waits
      if (report.outcome !== WithdrawStep.Again) await steps.wait(report.waitSeconds)
    }
    for (waits = 0; ; ) {
      const polled: WithdrawReport = await steps.run(
        Verb.PollWithdrawal,
        6,
        { intentId, waits: waits ?? 0 },
        pollWithdrawal,
      )
      if (ENDS.has(polled.outcome)) return polled
      waits = polled.waits
      await steps.wait(polled.waitSeconds)
    }
  } catch (error) {
    if (error instanceof Stopped || error instanceof Broken) throw error
    const { name: errorName, message } = error as Error
    const input = { ...begun, kind: IntentKind.Withdraw, fault: { Error: errorName, Cause: message } }
    return steps.run(Verb.Conclude, 50, input, (cause, ports) => conclude(cause, withdrawalConclusion, ports))
  }
}

// One simulated world: the product's own decisions for a conversion behind their ports, driven as
// the state machine drives them, among crashes, freezes, duplicates and a faulty network.
import { conclude } from '../../functions/conclude/conclude.ts'
import { conversionConclusion } from '../../functions/conclude/conclusions.ts'
import {
  type ConvertReport,
  type ConvertRequest,
  type OrderInput,
  orderInput,
} from '../../functions/contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../../functions/contract/outcomes.ts'
import { IntentKind } from '../../functions/contract/records.ts'
import { Verb } from '../../functions/contract/states.ts'
import { type Timing, timing as timingSchema } from '../../functions/contract/timing.ts'
import { order } from '../../functions/order/order.ts'
import { pollOrder } from '../../functions/poll-order/poll-order.ts'
import { quote } from '../../functions/quote/quote.ts'
import type { ConvertIntent } from '../../functions/shared/conversion/convert-intent.ts'
import { createMovementGuard } from '../../functions/shared/guarding/movement-guard.ts'
import { createPolicyTerms } from '../../functions/shared/guarding/policy-terms.ts'
import { createBudgets } from '../../functions/shared/journal/budgets.ts'
import { createHalts } from '../../functions/shared/journal/halts.ts'
import { createJournal } from '../../functions/shared/journal/journal.ts'
import type { Choices } from './choices.ts'
import { type DrawnGuards, drawGuardSets, noGuards } from './drawn-guards.ts'
import { Environments } from './environments.ts'
import { createGuardJudge } from './guard-judge.ts'
import type { JournalModel } from './journal-model.ts'
import type { Machine } from './machine.ts'
import { connectOrders } from './order-connection.ts'
import { findEndViolations } from './order-invariants.ts'
import { OrderModel, type OrderTruth } from './order-model.ts'
import { Broken, createSteps, type Steps, Stopped } from './steps.ts'
import type { WitnessedAttempt } from './witness.ts'
import { type BaseSchedule, type Begun, type Ended, runWorld, type Stage, setStage } from './world.ts'

export const START_MS = Date.parse('2026-01-01T00:00:00Z')
const PAIR = { baseAsset: 'BTC', quoteAsset: 'USDC', amountAsset: 'BTC', amount: '1' }
const GIVEN_UP = {
  BUY: { assetSymbol: 'USDC', units: 50_000, startMs: START_MS, market: 'BTC-USDC' },
  SELL: { assetSymbol: 'BTC', units: 1, startMs: START_MS, market: 'BTC-USDC' },
}
/** Where a schedule draws none. */
const NO_GUARDS: DrawnGuards = noGuards({})
/** Guards that a schedule may draw, of those who buy and of those who sell. */
export const CONVERSION_GUARDS = { BUY: drawGuardSets(64, GIVEN_UP.BUY), SELL: drawGuardSets(64, GIVEN_UP.SELL) }
/** After these the state machine waits, and comes back to Order. */
const WAITING: ReadonlySet<string> = new Set([ConvertStep.Uncertain, ConvertStep.Held])
const DEFAULT_TIMING = timingSchema.parse({})
const ENDS: ReadonlySet<string> = new Set(Object.values(ConvertEnd))

export interface ConvertSchedule extends BaseSchedule {
  readonly truth: OrderTruth
  readonly guards?: DrawnGuards
  readonly timing?: Partial<Timing>
}

export interface ConvertWorld extends Ended<ConvertReport>, Stage {
  readonly service: OrderModel
}

/** Runs one schedule to its end, enters every intent once more when all faults are over, and says which invariants broke. */
export async function runConversions(schedule: ConvertSchedule, choices?: Choices): Promise<ConvertWorld> {
  const { truth, guards = NO_GUARDS } = schedule
  const timing = schedule.timing ? timingSchema.parse(schedule.timing) : DEFAULT_TIMING
  const deadMs = ({ exp, quoteExpiresAt }: WitnessedAttempt) => {
    const tokenDeadMs = (exp + timing.leewaySeconds) * 1000
    const quoteDeadMs = quoteExpiresAt ? Date.parse(quoteExpiresAt) : Number.POSITIVE_INFINITY
    return Math.min(tokenDeadMs, quoteDeadMs)
  }
  const stage = setStage(schedule, choices, {
    startMs: START_MS,
    skewMs: truth.skewMs,
    fenceMs: (attempt) => deadMs(attempt) + timing.orderVisibilitySeconds * 1000,
    deadMs,
    guards: createGuardJudge(guards, ({ params, attempt }) => {
      const { side } = params as ConvertRequest
      const { baseAmount = '0', quoteAmount = '0' } = (attempt as ConvertIntent['attempt'])?.terms ?? {}
      return { ...GIVEN_UP[side], amount: side === 'SELL' ? baseAmount : quoteAmount }
    }),
  })
  const service = new OrderModel(stage.scheduler, stage.witness, truth, guards.worth.prices)
  const { scheduler, journal } = stage
  const environments = new Environments(scheduler, (machine, newId) =>
    wirePorts(machine, newId, { journal, service, guards, timing }),
  )
  const execute = (intentId: string, name: string) => {
    const policy = guards.ofIntents[Number(intentId.split('-')[1]) - 1]
    const request = { ...PAIR, side: truth.side ?? 'BUY', ...(policy && { policy }) }
    const startedAt = new Date(scheduler.nowMs).toISOString()
    return runExecution(createSteps(scheduler, name, environments), { execution: intentId, startedAt, request })
  }
  const ended = await runWorld(stage, schedule, { service, environments }, execute)
  if (!ended.isCut) ended.violations.push(...findEndViolations(service, stage, schedule, ended))
  return { ...stage, ...ended, service }
}

interface Surroundings {
  readonly journal: JournalModel
  readonly service: OrderModel
  readonly guards: DrawnGuards
  readonly timing: Timing
}

/** The ports of one environment, as the product's functions are wired. */
function wirePorts(machine: Machine, newId: () => string, { journal: table, service, guards, timing }: Surroundings) {
  const client = connectOrders(service, machine)
  const records = table.reachedFrom(machine)
  const journal = createJournal(records, newId)
  return {
    journal,
    halts: createHalts(records, newId),
    guard: createMovementGuard(guards.everywhere, createBudgets(records, journal, newId)),
    guards: { everywhere: guards.everywhere, policies: createPolicyTerms(guards.policies, records) },
    ...{ service: client, sender: client, clock: machine, newId, timing },
  }
}

type Ports = ReturnType<typeof wirePorts>

/** The Convert state machine, as infra draws it. */
async function runExecution(steps: Steps<Ports>, begun: Begun<ConvertRequest>): Promise<ConvertReport> {
  const intentId = begun.execution
  try {
    for (;;) {
      let next: OrderInput = await steps.run(Verb.Quote, 3, begun, quote)
      let report: ConvertReport
      do {
        report = await steps.run(Verb.Order, 5, next, order)
        next = orderInput.parse(report)
        if (WAITING.has(report.outcome)) await steps.wait(report.waitSeconds)
      } while (WAITING.has(report.outcome))
      for (let waits = 0; report.outcome === ConvertStep.Processing; ) {
        report = await steps.run(Verb.PollOrder, 6, { intentId, waits }, pollOrder)
        waits = report.waits ?? 0
        if (report.outcome === ConvertStep.Processing) await steps.wait(report.waitSeconds)
      }
      if (ENDS.has(report.outcome)) return report
    }
  } catch (error) {
    if (error instanceof Stopped || error instanceof Broken) throw error
    const { name: errorName, message } = error as Error
    const cause = { ...begun, kind: IntentKind.Convert, fault: { Error: errorName, Cause: message } }
    return steps.run(Verb.Conclude, 50, cause, (input, ports) => conclude(input, conversionConclusion, ports))
  }
}

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
import { createHalts, EVERYTHING } from '../../functions/shared/journal/halts.ts'
import { createJournal } from '../../functions/shared/journal/journal.ts'
import { createMemoryStore, type MemoryStore } from '../helpers/memory-store.ts'
import { findFalseEnds, findUnhealed, findViolations } from './invariants.ts'
import { Scheduler } from './scheduler.ts'
import { connect } from './service-connection.ts'
import { ServiceModel, type ServiceTruth } from './service-model.ts'
import { Broken, createSteps, pausing, Stopped } from './steps.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const STEP_LIMIT = 5_000
const INTENT = 'intent-1'
const REQUEST: ConvertRequest = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '1' }
/** After these the state machine waits, and comes back to Order. */
const WAITING: ReadonlySet<string> = new Set([ConvertStep.Uncertain, ConvertStep.Held])
const ENDS: ReadonlySet<string> = new Set(Object.values(ConvertEnd))

export interface Schedule {
  readonly seed: number
  readonly executions: number
  readonly faults: number
  readonly isHalted?: boolean
  readonly truth: ServiceTruth
  readonly timing?: Partial<Timing>
}

export interface World {
  readonly service: ServiceModel
  readonly store: MemoryStore
  readonly ends: readonly ConvertReport[]
  readonly violations: readonly string[]
}

/** Runs one schedule to its end, enters the intent once more when all faults are over, and says which invariants broke. */
export async function runSchedule(schedule: Schedule): Promise<World> {
  const timing = timingSchema.parse({ ...schedule.timing })
  const scheduler = new Scheduler(schedule.seed, START_MS)
  scheduler.faults = schedule.faults
  scheduler.crashChance = 0.03
  scheduler.freezeChance = 0.03
  const service = new ServiceModel(scheduler, schedule.truth)
  const store = createMemoryStore(() =>
    scheduler.takeFault(0.1) ? scheduler.pick(['lost', 'late', 'refused'] as const) : undefined,
  )
  const ends: ConvertReport[] = []
  const violations: string[] = []

  const enter = (name: string, delayMs: number) =>
    scheduler.start(async () => {
      await scheduler.park('driver', delayMs)
      const startedAt = new Date(scheduler.nowMs).toISOString()
      const end = await runExecution({ scheduler, service, store, timing, name, startedAt }).catch((error) => {
        if (!(error instanceof Stopped)) violations.push(`${name} broke: ${error}`)
      })
      if (end) ends.push(end)
    })
  const check = () => violations.push(...findViolations(service, store, INTENT))
  const run = () =>
    scheduler.run(STEP_LIMIT, () => {
      if (scheduler.chance(0.05)) store.flush()
      if (violations.length === 0) check()
    })

  for (let number = 1; number <= schedule.executions; number += 1) {
    // Duplicates come together with the first, during its fence, or long after.
    enter(`execution-${number}`, number === 1 ? 0 : scheduler.pick([0, 3_000, 20_000, 110_000, 1_000_000]))
  }
  if (schedule.isHalted) throwSwitch(scheduler, store)
  await run()
  store.flush()
  scheduler.faults = 0
  service.mayGoDown = false
  const before = ends.length
  enter('last entry', 0)
  await run()
  violations.push(...findFalseEnds(service, ends), ...findUnhealed(ends[before]))
  return { service, store, ends, violations }
}

/** A person halts everything at some moment, and lets it go on later. */
function throwSwitch(scheduler: Scheduler, store: MemoryStore): void {
  let stamps = 0
  const halts = createHalts(store, () => `switch-${++stamps}`)
  const halt = { scope: EVERYTHING, by: 'ada', because: 'audit', at: new Date(START_MS).toISOString() }
  const fromMs = Math.floor(scheduler.random() * 20_000)
  // A write that is lost is not tried again: then it stays halted, or never was.
  scheduler.later(fromMs, () => void halts.halt(halt).catch(() => undefined))
  const untilMs = fromMs + Math.floor(scheduler.random() * 600_000)
  scheduler.later(untilMs, () => void halts.resume(halt).catch(() => undefined))
}

interface Execution {
  readonly scheduler: Scheduler
  readonly service: ServiceModel
  readonly store: MemoryStore
  readonly timing: Timing
  readonly name: string
  readonly startedAt: string
}

/** The Convert state machine, as infra draws it. */
async function runExecution(execution: Execution): Promise<ConvertReport> {
  const { scheduler, service, store, timing, name, startedAt } = execution
  const steps = createSteps(scheduler, name, (machine, newId) => {
    const client = connect(service, machine)
    const records = pausing(store, machine)
    const journal = createJournal(records, newId)
    return {
      journal,
      halts: createHalts(records, newId),
      service: client,
      sender: client,
      clock: machine,
      newId,
      timing,
    }
  })

  try {
    for (;;) {
      let next: OrderInput = await steps.run(Verb.Quote, 3, (ports) =>
        quote({ execution: INTENT, startedAt, request: REQUEST }, ports),
      )
      let report: ConvertReport
      do {
        const input = next
        report = await steps.run(Verb.Order, 5, (ports) => order(input, ports))
        next = orderInput.parse(report)
        if (WAITING.has(report.outcome)) await steps.wait(report.waitSeconds)
      } while (WAITING.has(report.outcome))
      for (let waits = 0; report.outcome === ConvertStep.Processing; ) {
        report = await steps.run(Verb.PollOrder, 6, (ports) => pollOrder({ intentId: INTENT, waits }, ports))
        waits = report.waits ?? 0
        if (report.outcome === ConvertStep.Processing) await steps.wait(report.waitSeconds)
      }
      if (ENDS.has(report.outcome)) return report
    }
  } catch (error) {
    if (error instanceof Stopped || error instanceof Broken) throw error
    const { name: errorName, message } = error as Error
    const kind = IntentKind.Convert
    const cause = { execution: INTENT, startedAt, request: REQUEST, kind, fault: { Error: errorName, Cause: message } }
    return steps.run(Verb.Conclude, 50, (ports) => conclude(cause, conversionConclusion, ports))
  }
}

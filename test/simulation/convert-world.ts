// One simulated world: the product's own decisions for a conversion behind their ports, driven as
// the state machine drives them, among crashes, freezes, duplicates and a faulty network.
import { conclude } from '../../functions/conclude/conclude.ts'
import {
  type ConvertReport,
  type ConvertRequest,
  type OrderInput,
  orderInput,
} from '../../functions/contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../../functions/contract/outcomes.ts'
import { recordKey } from '../../functions/contract/records.ts'
import { type Timing, timing as timingSchema } from '../../functions/contract/timing.ts'
import { order } from '../../functions/order/order.ts'
import { pollOrder } from '../../functions/poll-order/poll-order.ts'
import { quote } from '../../functions/quote/quote.ts'
import { createJournal } from '../../functions/shared/journal/journal.ts'
import type { RecordStore } from '../../functions/shared/journal/record-store.ts'
import { createMemoryStore, type MemoryStore } from '../helpers/memory-store.ts'
import { Scheduler } from './scheduler.ts'
import { connect, ServiceModel, type ServiceTruth } from './service-model.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const FUNCTION_TIMEOUT_MS = 30_000
const STEP_LIMIT = 5_000
const INTENT = 'intent-1'
const REQUEST: ConvertRequest = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '1' }
const ENDS: ReadonlySet<string> = new Set(Object.values(ConvertEnd))

export interface Schedule {
  readonly seed: number
  readonly executions: number
  readonly faults: number
  readonly truth: ServiceTruth
  readonly timing?: Partial<Timing>
}

export interface World {
  readonly service: ServiceModel
  readonly store: MemoryStore
  readonly ends: readonly ConvertReport[]
  readonly violations: readonly string[]
}

/** Runs one schedule to its end and says which invariants it broke. */
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

  for (let number = 1; number <= schedule.executions; number += 1) {
    scheduler.start(async () => {
      ends.push(await runExecution(scheduler, service, store, timing, `execution-${number}`))
    })
  }
  const check = () => violations.push(...findViolations(service, store))
  await scheduler.run(STEP_LIMIT, () => {
    if (scheduler.chance(0.05)) store.flush()
    if (violations.length === 0) check()
  })
  store.flush()
  check()
  violations.push(...findFalseEnds(service, ends))
  return { service, store, ends, violations }
}

/** The Convert state machine, as infra draws it. */
async function runExecution(
  scheduler: Scheduler,
  service: ServiceModel,
  store: MemoryStore,
  timing: Timing,
  name: string,
): Promise<ConvertReport> {
  let invocations = 0
  let ids = 0

  async function step<T>(retries: number, decide: (ports: ReturnType<typeof portsOf>) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const process = `${name}/${++invocations}`
      try {
        const timedOut = () => new Error('States.Timeout')
        return await scheduler.call(() => decide(portsOf(process)), FUNCTION_TIMEOUT_MS, timedOut)
      } catch (error) {
        if (attempt === retries) throw error
        await scheduler.park('driver', 1000 * 2 ** attempt)
      }
    }
  }

  function portsOf(process: string) {
    const newId = () => `${process}-${++ids}`
    const client = connect(service, process)
    const clock = { nowMs: () => scheduler.nowMs, sleep: (ms: number) => scheduler.park(process, ms) }
    const journal = createJournal(parking(store, scheduler, process), newId)
    return { journal, service: client, sender: client, clock, newId, timing }
  }

  const startedAt = new Date(START_MS).toISOString()
  try {
    for (;;) {
      let next: OrderInput = await step(3, (ports) => quote({ intentId: INTENT, startedAt, request: REQUEST }, ports))
      let report: ConvertReport
      do {
        const input = next
        report = await step(5, (ports) => order(input, ports))
        next = orderInput.parse(report)
        if (report.outcome === ConvertStep.Uncertain) await scheduler.park('driver', (report.waitSeconds ?? 1) * 1000)
      } while (report.outcome === ConvertStep.Uncertain)
      for (let waits = 0; report.outcome === ConvertStep.Processing; ) {
        report = await step(6, (ports) => pollOrder({ intentId: INTENT, waits }, ports))
        waits = report.waits ?? 0
        if (report.outcome === ConvertStep.Processing) await scheduler.park('driver', (report.waitSeconds ?? 1) * 1000)
      }
      if (ENDS.has(report.outcome)) return report
    }
  } catch (error) {
    const { name: errorName, message } = error as Error
    const cause = { intentId: INTENT, startedAt, request: REQUEST, fault: { Error: errorName, Cause: message } }
    return step(50, (ports) => conclude(cause, ports))
  }
}

/** Every journal call parks before it acts and again before its answer is heard. */
function parking(store: RecordStore, scheduler: Scheduler, process: string): RecordStore {
  const around = async <T>(act: () => Promise<T>): Promise<T> => {
    await scheduler.park(process)
    const answer = await act()
    await scheduler.park(process)
    return answer
  }
  return {
    read: (pk) => around(() => store.read(pk)),
    create: (record) => around(() => store.create(record)),
    replace: (record, version) => around(() => store.replace(record, version)),
  }
}

function findViolations(service: ServiceModel, store: MemoryStore): string[] {
  const { movements, sentNonces } = service
  const intent = store.records.get(recordKey.intent(INTENT))
  const state = intent?.state
  const ref = intent?.ref
  const found: string[] = []
  if (movements.length > 1) found.push(`${movements.length} movements for one intent`)
  if (new Set(sentNonces).size !== sentNonces.length) found.push('a nonce was sent twice')
  if (sentNonces.length > 0 && intent?.attempt === undefined) found.push('a send without its ARM')
  if (state === 'DONE' && movements.length !== 1) found.push('DONE without a movement')
  if (state === 'DONE' && movements[0]?.orderId !== ref) found.push('DONE with another movement')
  if ((state === 'REJECTED' || state === 'EXHAUSTED') && movements.length > 0) found.push(`${state} with a movement`)
  if (state === 'DONE' && !store.records.has(recordKey.claim(String(ref)))) found.push('DONE without its claim')
  return found
}

const CERTIFIED_ZERO: ReadonlySet<string> = new Set([
  ConvertEnd.Rejected,
  ConvertEnd.ExpiredOut,
  ConvertEnd.PriceRefused,
])

function findFalseEnds(service: ServiceModel, ends: readonly ConvertReport[]): string[] {
  const moved = service.movements.length
  return ends.flatMap(({ outcome, fills }) => {
    if (outcome === ConvertEnd.Filled && moved !== 1) return [`FILLED, though ${moved} moved`]
    const saysZero = CERTIFIED_ZERO.has(outcome) || (outcome === ConvertEnd.Failed && fills?.length === 0)
    return saysZero && moved > 0 ? [`${outcome}, though ${moved} moved`] : []
  })
}

// Reads the meter: the charges that AWS would make for the last work on the embedded AWS. Counts come from its
// histories, its endpoints and its logs. Only the time of a function is calculated and not measured. On AWS most of it
// is waiting for others, which this machine does not have.
import { setTimeout } from 'node:timers/promises'
import type { EndpointCall, EndpointHook, HistoryEvent } from '@sluice/embedded-aws'
import { StateMachine } from '../../core/contract/states.ts'
import type { RunningMachines } from '../../test/helpers/running-machines.ts'
import { type IndexedTable, type Item, readUnits, writeUnits } from './capacity.ts'
import { NOTHING, type Usage } from './prices.ts'

/**
 * Seconds of a warm invocation, by its kind of work. No measurement of AWS gives these: `npm run test:aws` will give
 * better figures.
 */
export const SECONDS = { invocation: 0.02, awsCall: 0.008, serviceCall: 0.06 }
/** CloudWatch Logs charges this for each event besides its text. */
const EVENT_BYTES = 26
/** START, END and REPORT, which Lambda writes for each invocation. */
const PLATFORM_BYTES = 460
/** Lines of functions arrive by another path than their answers, and slightly later. */
const LINES_ARRIVE_MS = 200
const MB_A_GB = 1_024
/**
 * Functions that poll for some seconds until they see an end. Without an end they answer PROCESSING, and have polled
 * for the configured time. With an end, they have polled for as long as the call took here.
 */
const POLLING_FUNCTIONS = ['sluice-order', 'sluice-withdraw', 'sluice-poll-order', 'sluice-poll-withdrawal']
/** A busy machine may have delayed a shorter call: its polling time is left out. */
const LEAST_INSIDE_SECONDS = 1

export interface Metered {
  readonly table: IndexedTable
  /** By the function's name. */
  readonly memoryMb: ReadonlyMap<string, number>
  /** The configured seconds of polls that wait inside a function. */
  readonly pollInsideSeconds: number
}

export class Meter {
  readonly #metered: Metered
  readonly #items = new Map<string, Item>()
  #used = { ...NOTHING }
  #seconds = 0
  readonly #metrics = new Set<string>()

  constructor(metered: Metered) {
    this.#metered = metered
  }

  /** For each call of the endpoints. */
  readonly hook: EndpointHook = (call) => {
    if (call.phase === 'after') this.#count(call)
    return undefined
  }

  /** For each line that a function writes. */
  readonly line = (functionName: string, line: string): void => {
    this.#used.logBytes += Buffer.byteLength(line) + EVENT_BYTES
    const fields = fieldsOf(line)
    for (const metric of metricsOf(fields)) this.#metrics.add(metric)
    // One line reports the end of an invocation. Other lines report single legs.
    const { verb, leg } = fields
    if (verb === undefined || leg !== undefined) return
    this.#used.invocations += 1
    this.#used.traces += 1
    this.#used.logBytes += PLATFORM_BYTES
    this.#spend(functionName, SECONDS.invocation)
  }

  /** The usage of `work`, once all its effects have ended. */
  async of(machines: RunningMachines, work: () => Promise<unknown>): Promise<Usage> {
    await machines.aws.untilDelivered()
    const [known, requests] = [executionsOf(machines), await requestsOf(machines)]
    this.#used = { ...NOTHING }
    this.#seconds = 0
    this.#metrics.clear()
    await work()
    await machines.aws.untilDelivered()
    await setTimeout(LINES_ARRIVE_MS)
    for (const arn of executionsOf(machines)) if (!known.has(arn)) this.#history(machines.aws.history(arn))
    // The function that asked the service is not visible here. Of the functions that ask, none has more memory than
    // Quote, and polls have half.
    this.#spend('sluice-quote', SECONDS.serviceCall * ((await requestsOf(machines)) - requests))
    return this.#used
  }

  /** Seconds of functions at work, in the last count of `of`. */
  get functionSeconds(): number {
    return this.#seconds
  }

  /** Custom metrics, each with its dimensions, that have a value in the last count of `of`. */
  get metrics(): readonly string[] {
    return [...this.#metrics]
  }

  #count({ body, functionName, operation }: EndpointCall): void {
    if (functionName === undefined) return
    this.#spend(functionName, SECONDS.awsCall)
    const { Item: item, Key: key, Entries: entries } = body as { Item?: Item; Key?: Item; Entries?: unknown[] }
    if (operation === 'GetSecretValue') this.#used.secretReads += 1
    if (operation === 'Sign') this.#used.signatures += 1
    if (operation === 'PutEvents') this.#used.events += entries?.length ?? 0
    if (operation === 'GetItem') this.#used.reads += readUnits(this.#items.get(keyOf(key)))
    // Lists consist of keys, a few each.
    if (operation === 'Query') this.#used.reads += 1
    if (operation === 'PutItem' && item !== undefined) {
      this.#used.writes += writeUnits(this.#metered.table, this.#items.get(keyOf(item)), item)
      this.#items.set(keyOf(item), item)
    }
  }

  #history(events: readonly HistoryEvent[]): void {
    const entered = events.filter(({ type }) => type.endsWith('StateEntered')).length
    const tasks = events.filter(({ type }) => type === 'TaskStateEntered').length
    const tries = events.filter(({ type }) => /^(LambdaFunction|Task)Scheduled$/.test(type)).length
    // The start is one transition, and so is each retry.
    this.#used.transitions += 1 + entered + Math.max(0, tries - tasks)
    // A trace passes through machine and functions: it counts once.
    this.#used.traces -= Math.max(0, tries - 1)
    let asked: { readonly functionName: string; readonly atMs: number } | undefined
    for (const event of events) {
      this.#used.logBytes += loggedBytes(event)
      const functionName = functionOf(event)
      if (functionName !== undefined) asked = { functionName, atMs: event.timestamp.getTime() }
      const output = event.lambdaFunctionSucceededEventDetails?.output
      if (output === undefined || asked === undefined || !POLLING_FUNCTIONS.includes(asked.functionName)) continue
      const isMoving = fieldsOf(output).outcome === 'PROCESSING'
      const tookSeconds = (event.timestamp.getTime() - asked.atMs) / 1_000
      if (isMoving) this.#spend(asked.functionName, this.#metered.pollInsideSeconds)
      else if (tookSeconds >= LEAST_INSIDE_SECONDS) this.#spend(asked.functionName, tookSeconds)
    }
  }

  #spend(functionName: string, seconds: number): void {
    const memoryMb = this.#metered.memoryMb.get(functionName)
    if (memoryMb === undefined) throw new TypeError(`the assembly has no function ${functionName}: what does it cost?`)
    this.#seconds += seconds
    this.#used.gbSeconds += (memoryMb / MB_A_GB) * seconds
  }
}

/** The function that a Task calls, by name. */
function functionOf({ lambdaFunctionScheduledEventDetails: asked, taskScheduledEventDetails: task }: HistoryEvent) {
  const arn = /function:([^:"]+)/.exec(asked?.resource ?? task?.parameters ?? '')
  return arn?.[1]
}

function keyOf(item: Item | undefined): string {
  return JSON.stringify(item?.pk)
}

export function executionsOf({ aws }: RunningMachines): ReadonlySet<string> {
  const all = Object.values(StateMachine).flatMap((machine) => aws.listExecutions(machine))
  return new Set(all.map(({ executionArn }) => executionArn))
}

async function requestsOf(machines: RunningMachines): Promise<number> {
  return (await machines.control<{ requests: unknown[] }>('/oracle')).requests.length
}

/** Machines log every event, without the input and output of states. */
function loggedBytes({ id, timestamp, type, stateEnteredEventDetails, stateExitedEventDetails }: HistoryEvent): number {
  const name = (stateEnteredEventDetails ?? stateExitedEventDetails)?.name
  const logged = { id, type, details: { name }, previous_event_id: id, event_timestamp: timestamp, redrive_count: '0' }
  return Buffer.byteLength(JSON.stringify({ ...logged, execution_arn: ARN_OF_USUAL_LENGTH })) + EVENT_BYTES
}

const ARN_OF_USUAL_LENGTH = 'arn:aws:states:us-east-1:123456789012:execution:sluice-convert:treasury-2026-11-23T09-00'

interface Directive {
  readonly Dimensions: readonly (readonly string[])[]
  readonly Metrics: readonly { readonly Name: string }[]
}

/**
 * The metrics of a line in CloudWatch's Embedded Metric Format. The same name with other dimensions is another metric.
 */
function metricsOf(line: Readonly<Record<string, unknown>>): readonly string[] {
  const { CloudWatchMetrics: directives = [] } = (line._aws ?? {}) as { CloudWatchMetrics?: readonly Directive[] }
  return directives.flatMap(({ Dimensions: sets, Metrics: metrics }) =>
    metrics.flatMap(({ Name: name }) => sets.map((set) => JSON.stringify([name, set.map((key) => [key, line[key]])]))),
  )
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return parsed !== null && typeof parsed === 'object' ? { ...parsed } : {}
  } catch {
    return {}
  }
}

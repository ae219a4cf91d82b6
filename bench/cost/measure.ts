// Runs the scenarios on the embedded AWS, with the sandbox, and returns the cost of each on AWS.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Deployment, loadParts, type TemplateResource } from '@sluice/embedded-aws'
import { DEFAULT_TREASURY_FILE, loadTreasury } from '../../core/treasury/config.ts'
import { synthesize } from '../../infra/synthesize.ts'
import { type RunningMachines, startMachines } from '../../test/helpers/running-machines.ts'
import type { IndexedTable } from './capacity.ts'
import { Meter } from './meter.ts'
import { add, costOf, METRIC_MONTH, MONTHLY, NOTHING, times, type Usage } from './prices.ts'
import { SCENARIOS } from './scenarios.ts'

const { planDeployment, readAssembly } = await loadParts()

interface MeteredMachines {
  readonly deployment: Deployment
  readonly machines: RunningMachines
  readonly meter: Meter
  readonly resources: readonly TemplateResource[]
  readonly table: IndexedTable
}

export interface ScenarioCost {
  readonly name: string
  readonly usage: Usage
  /** USD for a thousand runs. */
  readonly thousand: number
  readonly goal?: number
}

export interface Costs {
  readonly scenarios: readonly ScenarioCost[]
  /** Custom metrics that the runs of all scenarios give a value. */
  readonly metrics: number
  /** USD for 30 days without a run: standing resources, scheduled polls, and the metrics that they write. */
  readonly idleMonth: IdleMonth
}

interface IdleMonth {
  readonly standing: number
  readonly schedules: number
  readonly metrics: number
}

const DAYS = 30
const MINUTES_A_DAY = 1_440

/** `runs`: how often each scenario is run. The first run of each warms up and is not counted. */
export async function measureCosts(runs: number, say: (line: string) => void): Promise<Costs> {
  return withMeteredMachines(DEFAULT_TREASURY_FILE, async ({ deployment, machines, meter, resources }) => {
    const scenarios: ScenarioCost[] = []
    const metrics = new Set<string>()
    for (const { goal, name, run } of SCENARIOS) {
      say(`${name}: ${runs} runs`)
      await run(machines, `${idOf(name)}-0`)
      let total = NOTHING
      for (let nth = 1; nth <= runs; nth += 1) {
        total = add(total, await meter.of(machines, () => run(machines, `${idOf(name)}-${nth}`)))
        for (const metric of meter.metrics) metrics.add(metric)
      }
      const usage = times(total, 1 / runs)
      scenarios.push({ name, usage, thousand: 1_000 * costOf(usage), ...(goal !== undefined && { goal }) })
    }
    const idle = await idleSchedules(machines, meter, deployment)
    return { scenarios, metrics: metrics.size, idleMonth: { standing: standing(resources), ...idle } }
  })
}

/** `configFile`: a treasury file with the service and the timing of the default one. */
async function withMeteredMachines<Result>(
  configFile: string,
  work: (metered: MeteredMachines) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-cost-'))
  try {
    synthesize({ configFile, outDir: folder })
    const assembly = readAssembly(folder)
    const deployment = planDeployment(assembly, { ServiceUrl: 'https://service.example' })
    const table = indexedTable(deployment)
    const meter = new Meter({
      table,
      memoryMb: new Map(deployment.functions.map(({ memoryMb, name }) => [name, memoryMb])),
      pollInsideSeconds: loadTreasury(configFile).timing.pollInsideSeconds,
    })
    const machines = await startMachines(folder, () => ({ executionEvents: true, onFunctionLog: meter.line }))
    machines.hook = meter.hook
    try {
      const resources = assembly.stacks.flatMap(({ template }) => Object.values(template.resources))
      return await work({ deployment, machines, meter, resources, table })
    } finally {
      await machines.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @throws TypeError if an index holds more than keys, since its writes are calculated differently */
function indexedTable({ tables: [table] }: Deployment): IndexedTable {
  const { GlobalSecondaryIndexes: indexes = [] } = (table?.createTable ?? {}) as {
    GlobalSecondaryIndexes?: { KeySchema: { AttributeName: string }[]; Projection: { ProjectionType: string } }[]
  }
  if (indexes.some(({ Projection }) => Projection.ProjectionType !== 'KEYS_ONLY'))
    throw new TypeError('an index of the journal holds more than keys')
  return { indexes: indexes.map(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName)) }
}

/** A scenario's name as part of an id. */
export function idOf(name: string): string {
  return name.replaceAll(/[^a-z0-9]+/g, '-')
}

/** USD of a month of schedules. Each is fired once, to measure its use when there is nothing to do. */
async function idleSchedules(
  machines: RunningMachines,
  meter: Meter,
  { schedules }: Deployment,
): Promise<Omit<IdleMonth, 'standing'>> {
  let total = 0
  const metrics = new Set<string>()
  for (const { expression, name } of schedules) {
    const fire = () => machines.aws.schedules.fire(name, new Date(), 1)
    await meter.of(machines, async () => fire())
    const usage = await meter.of(machines, async () => fire())
    // No schedule is rarer than each hour, so these metrics have a value in all of them.
    for (const metric of meter.metrics) metrics.add(metric)
    const aMonth = DAYS * firesADay(expression)
    total += aMonth * (costOf(usage) + costOf({ ...NOTHING, events: 1 }))
  }
  return { schedules: total, metrics: metrics.size * METRIC_MONTH }
}

/** @throws TypeError for a schedule of our own that fires neither at given minutes of each hour nor every so many minutes */
function firesADay(expression: string): number {
  const [, minutes, step] = /^cron\((\d+(?:,\d+)*)(?:\/(\d+))? \* \* \* \? \*\)$/.exec(expression) ?? []
  if (minutes === undefined) throw new TypeError(`${expression}: how often a day?`)
  return step === undefined ? minutes.split(',').length * (MINUTES_A_DAY / 60) : MINUTES_A_DAY / Number(step)
}

/** USD a month. */
function standing(resources: readonly TemplateResource[]): number {
  return resources.reduce((total, { properties, type }) => {
    const price = type in MONTHLY ? MONTHLY[type as keyof typeof MONTHLY] : 0
    // An alarm over several metrics is charged for each. Besides the metrics it lists its own expression.
    const { Metrics: metrics } = properties as { readonly Metrics?: readonly { readonly MetricStat?: unknown }[] }
    const watched = metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1
    return total + price * Math.max(1, watched)
  }, 0)
}

// Starts the state machines of a configuration on this machine, with the sandbox, and puts a meter on them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Deployment, loadParts, type TemplateResource } from '@sluice/embedded-aws'
import { loadTreasury } from '../../core/treasury/config.ts'
import { synthesize } from '../../infra/synthesize.ts'
import { type RunningMachines, startMachines } from '../../test/helpers/running-machines.ts'
import type { IndexedTable } from './capacity.ts'
import { Meter } from './meter.ts'

const { planDeployment, readAssembly } = await loadParts()

export interface MeteredMachines {
  readonly deployment: Deployment
  readonly machines: RunningMachines
  readonly meter: Meter
  readonly resources: readonly TemplateResource[]
  readonly table: IndexedTable
}

/** `configFile`: a treasury file with the service and the timing of the default one. */
export async function withMeteredMachines<Result>(
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

// The state machines of one file of tests: started before its first test, without hooks and rules after each, and stopped after
// the last.
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { assemble } from '../helpers/assemble.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { letInsiderIn } from '../helpers/insider.ts'
import { type MachineOptionsFor, type RunningMachines, startMachines } from '../helpers/running-machines.ts'

interface Wanted {
  /** The deployed treasury.json; by default that of the repo. */
  readonly treasury?: object
  /** Whether each function obeys an insider in its code. */
  readonly hasInsider?: boolean
  readonly optionsFor?: MachineOptionsFor
}

/** Usable once tests have begun. */
export function useMachines({ treasury, hasInsider = false, optionsFor }: Wanted = {}): RunningMachines {
  let started: RunningMachines | undefined
  const machines = () => {
    if (started === undefined) throw new TypeError('no machine runs yet')
    return started
  }
  const outDir = treasury === undefined ? undefined : join(folderOfFile(), 'cdk.out')
  beforeAll(async () => {
    if (outDir !== undefined) assemble(treasury ?? {}, outDir)
    if (outDir !== undefined && hasInsider) letInsiderIn(outDir, JOURNAL_TABLE)
    started = await startMachines(outDir ?? inject('assemblyDir'), optionsFor)
  })
  afterEach(async () => {
    machines().hook = undefined
    await machines().clearRules()
  })
  afterAll(() => started?.stop())
  return new Proxy({} as RunningMachines, {
    get: (_, name) => Reflect.get(machines(), name),
    set: (_, name, value) => Reflect.set(machines(), name, value),
  })
}

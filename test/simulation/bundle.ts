// Loads the simulation with the product's code, unchanged or with the text changes of one mutant. A bundle runs
// fastest. With modules a mutant loads only what it changes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { url as debuggerUrl } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { type ModuleGraph, readModules } from '../mutants/module-graph.ts'
import { type Edit, editing } from '../mutants/source-edits.ts'
import type * as campaign from './campaign.ts'
import type * as choices from './choices.ts'
import type * as exploration from './exploration.ts'
import type * as past from './past.ts'
import type * as schedules from './schedules.ts'
import type * as untidiness from './untidiness.ts'
import type * as world from './world.ts'

export type Simulation = typeof campaign &
  typeof choices &
  typeof exploration &
  typeof past &
  typeof schedules &
  typeof untidiness &
  typeof world

const PARTS = ['campaign', 'choices', 'exploration', 'past', 'schedules', 'untidiness', 'world']
const ENTRY = PARTS.map((part) => `export * from "./${part}.ts"`).join('\n')

let unchanged: Promise<Simulation> | undefined

/**
 * Loads the unchanged product once for each process. The bundle runs several times faster than the modules that vitest
 * loads.
 */
export function unchangedSimulation(): Promise<Simulation> {
  unchanged ??= loadSimulation()
  return unchanged
}

let modules: Promise<ModuleGraph<Simulation>> | undefined

/**
 * Loads a mutant that few schedules will catch. Loading takes a tenth of a bundle's time, and each schedule a quarter
 * more.
 * @throws as `loadSimulation`
 */
export async function loadMutant(edits: readonly Edit[]): Promise<Simulation> {
  modules ??= readModules(PARTS.map((part) => `test/simulation/${part}.ts`))
  return (await modules).load(edits)
}

/** @throws when an edit does not find its text exactly once: the product has changed, so the mutant must change too. */
export async function loadSimulation(edits: readonly Edit[] = []): Promise<Simulation> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-simulation-'))
  try {
    const file = join(folder, 'simulation.mjs')
    const bundled = await build({
      stdin: { contents: ENTRY, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      // With the source map, a breakpoint in the source stops in the bundle. Without a debugger the map would only cost
      // time.
      sourcemap: debuggerUrl() === undefined ? false : 'inline',
      // The paths of the source map are relative to this file.
      outfile: file,
      write: false,
      logLevel: 'silent',
      plugins: [librariesOutside, editing(edits)],
    })
    await writeFile(file, bundled.outputFiles[0]?.contents ?? '')
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Simulation
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Libraries are loaded once for all mutants. */
const librariesOutside: Plugin = {
  name: 'libraries outside',
  setup(plugin) {
    plugin.onResolve({ filter: /^zod/ }, ({ path }) => ({ path: import.meta.resolve(path), external: true }))
  },
}

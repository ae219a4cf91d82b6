// Bundles the simulation with the product's code. A bundle runs several times faster than the modules that vitest loads.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { url as debuggerUrl } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
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

export const PARTS = ['campaign', 'choices', 'exploration', 'past', 'schedules', 'untidiness', 'world']
const ENTRY = PARTS.map((part) => `export * from "./${part}.ts"`).join('\n')

let unchanged: Promise<Simulation> | undefined

/** Loads it once for each process. */
export function unchangedSimulation(): Promise<Simulation> {
  unchanged ??= loadSimulation()
  return unchanged
}

async function loadSimulation(): Promise<Simulation> {
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
      plugins: [librariesOutside],
    })
    await writeFile(file, bundled.outputFiles[0]?.contents ?? '')
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Simulation
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Node itself loads the libraries. */
const librariesOutside: Plugin = {
  name: 'libraries outside',
  setup(plugin) {
    plugin.onResolve({ filter: /^zod/ }, ({ path }) => ({ path: import.meta.resolve(path), external: true }))
  },
}

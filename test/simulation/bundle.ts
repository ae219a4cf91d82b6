// Bundles the simulation with the product's code, as it is or with one mutant's text changes made
// in memory, and loads it. The product has no hooks for this.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { url as debuggerUrl } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type * as campaign from './campaign.ts'
import type * as exploration from './exploration.ts'
import type { Edit } from './mutant.ts'

export type Simulation = typeof campaign & typeof exploration

const ROOT = resolve(import.meta.dirname, '../..')
const ENTRY = ['export * from "./campaign.ts"', 'export * from "./exploration.ts"', 'Error.stackTraceLimit = 0'].join(
  '\n',
)

/** @throws when an edit does not find its text exactly once: the product has changed, so must the mutant. */
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
      // With the map a breakpoint in the source stops the bundle. Without a debugger it would only cost time.
      sourcemap: debuggerUrl() === undefined ? false : 'inline',
      // The paths of the map start here.
      outfile: file,
      write: false,
      logLevel: 'silent',
      plugins: [editing(edits)],
    })
    await writeFile(file, bundled.outputFiles[0]?.contents ?? '')
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Simulation
  } finally {
    await rm(folder, { recursive: true })
  }
}

function editing(edits: readonly Edit[]): Plugin {
  const byFile = Map.groupBy(edits, ({ file }) => join(ROOT, file))
  const unmet = new Set(byFile.keys())
  return {
    name: 'mutant',
    setup(plugin) {
      // Libraries stay outside, loaded once for all mutants.
      plugin.onResolve({ filter: /^zod/ }, ({ path }) => ({ path: import.meta.resolve(path), external: true }))
      // Asked for the changed files alone: esbuild waits for an answer to each.
      for (const [file, own] of byFile) {
        plugin.onLoad({ filter: new RegExp(`^${file.replace(/[^\w/]/g, '\\$&')}$`) }, () => {
          unmet.delete(file)
          return { contents: own.reduce(applyEdit, readFileSync(file, 'utf8')), loader: 'ts' }
        })
      }
      plugin.onEnd(() => {
        if (unmet.size > 0) throw new Error(`not part of the simulation: ${[...unmet].join(', ')}`)
      })
    },
  }
}

export function applyEdit(source: string, { file, find, replace }: Edit): string {
  const found = source.split(find).length - 1
  if (found !== 1) throw new Error(`${file} holds the text of this mutant ${found} times, not once: ${find}`)
  return source.replace(find, () => replace)
}

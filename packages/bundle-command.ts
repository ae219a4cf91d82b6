// `npm run build`: bundles the command line into `dist`, where a command loads fewer and smaller files.
// bin/bundled.cjs runs the bundle for as long as no source of it changes.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Metafile } from 'esbuild'
import { bundledPlaces, ROOT } from './compile.ts'

/** One folder below the root, as the entry in `cli` is: paths from both to `bin` are the same. */
const FOLDER = 'dist'
const ENTRY = 'cli/main.ts'
export const ALL_SOURCES = 'all'

/** Not among the inputs of esbuild. npm writes the first one whenever it changes an installed package. */
const ALSO_SOURCES = ['node_modules/.package-lock.json', 'tsconfig.json', 'package.json', 'packages/bundle-command.ts']

/** Writes the bundle to `dist` below `root`. Returns its parts. @throws esbuild's findings */
export async function bundleCommand(root: string): Promise<Metafile> {
  const outdir = path.join(root, FOLDER)
  rmSync(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    // Names stay, so that the stack of an unexpected error can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    // Libraries in CommonJS require modules of Node.
    banner: { js: "import{createRequire as toRequire}from'node:module';const require=toRequire(import.meta.url);" },
    plugins: [bundledPlaces],
    metafile: true,
    logLevel: 'silent',
  })
  return metafile
}

/** @throws Error where a source changed meanwhile */
async function bundleCheckout(): Promise<void> {
  const startedAtMs = Date.now()
  const { inputs } = await bundleCommand(ROOT)
  const sources = ownSources(inputs)
  const changed = sources.find(([, atMs]) => atMs >= startedAtMs)
  if (changed !== undefined) throw new Error(`${changed[0]} changed while it was bundled: run npm run build again`)
  for (const { name, path: file } of definitionsIn(inputs)) writeSources(ROOT, name, ownSources(inputs, file))
  // Written last: without this file nobody runs the bundle.
  writeSources(ROOT, ALL_SOURCES, sources)
}

/** Name and time of last change. */
type Source = readonly [file: string, atMs: number]

/** A list for each verb, because asking for the times of all sources would take as long as 20 modules. */
export function writeSources(root: string, name: string, sources: readonly Source[]): void {
  const folder = path.join(root, FOLDER, 'sources')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(sources))
}

type Inputs = Metafile['inputs']

/** The files that define a verb or noun: only the one of the called command is loaded, except by `setup` (cli/program.ts). */
function definitionsIn(inputs: Inputs): readonly { readonly name: string; readonly path: string }[] {
  return Object.keys(inputs).flatMap((file) => {
    const [, name] = /^cli\/(?!setup)(\w+)\/command\.ts$/.exec(file) ?? []
    return name === undefined ? [] : [{ name, path: file }]
  })
}

/** Every source that may be loaded, at the start or later, where of all commands only `definition` is. Default: all. */
function ownSources(inputs: Inputs, definition?: string): readonly Source[] {
  const others = new Set(definition === undefined ? [] : definitionsIn(inputs).map(({ path: file }) => file))
  others.delete(definition ?? '')
  const found = new Set([ENTRY])
  for (const file of found) {
    for (const { path: imported } of inputs[file]?.imports ?? []) {
      // An external module has no entry. Packages are known by the list that npm writes.
      if (inputs[imported] !== undefined && !imported.startsWith('node_modules/') && !others.has(imported))
        found.add(imported)
    }
  }
  return [...found, ...ALSO_SOURCES].map((file) => [file, statSync(path.join(ROOT, file)).mtimeMs])
}

if (import.meta.main) await bundleCheckout()

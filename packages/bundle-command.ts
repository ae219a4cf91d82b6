// `npm run build`: bundles the command line into `dist`, where a command loads fewer and smaller files.
// bin/bundled.cjs runs the bundle for as long as no source of it changes.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { bundledPlaces, placed, ROOT } from './compile.ts'

/** One folder below the root, as the entry in `cli` is: paths from both to `bin` are the same. */
const FOLDER = 'dist'
const ENTRY = 'cli/main.ts'
const PROGRAM = 'cli/program.ts'
/** Loaded by a completion in the place of the program. */
const COMPLETION = 'cli/setup/completion/words.ts'
export const ALL_SOURCES = 'all'
/** The list for `--help` and `--version`, which load no more than the definitions. */
const NO_COMMAND = 'none'

/** Not among the inputs of esbuild. npm writes the first one whenever it changes an installed package. */
const ALSO_SOURCES = ['node_modules/.package-lock.json', 'tsconfig.json', 'package.json', 'packages/bundle-command.ts']

/** Writes the bundle to `dist` below `root`. Returns its parts. @throws esbuild's findings */
export async function bundleCommand(root: string): Promise<Metafile> {
  const outdir = path.join(root, FOLDER)
  rmSync(outdir, { recursive: true, force: true })
  const { inputs } = (await build({ ...optionsOf(outdir, [loadedTogether()]), write: false })).metafile
  return (await build(optionsOf(outdir, [loadedTogether(inputs)]))).metafile
}

function optionsOf(outdir: string, plugins: readonly Plugin[]) {
  return {
    ...{ absWorkingDir: ROOT, outdir, entryPoints: [ENTRY] },
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
    mainFields: ['module', 'main'],
    // Names stay, so that the stack of an unexpected error can be read.
    ...{ minifySyntax: true, minifyWhitespace: true },
    // Libraries in CommonJS require modules of Node.
    banner: { js: "import{createRequire as toRequire}from'node:module';const require=toRequire(import.meta.url);" },
    plugins: [...plugins, bundledPlaces],
    ...{ metafile: true, logLevel: 'silent' },
  } as const satisfies BuildOptions
}

const DEFINITION = /\(await import\(('[^']*\/command\.ts')\)\)\.(\w+)/g
const TOGETHER = 'loaded-together'

/**
 * Makes one file of the modules that are loaded in any case, because a few small files take longer to load than a large one.
 * The definitions of all commands are among them. `inputs`: of a bundle without this. Each module that is loaded later then
 * imports those modules, so they have the same importers, for which esbuild makes one file.
 */
function loadedTogether(inputs: Inputs = {}): Plugin {
  const atStart = startOf(inputs)
  const later = new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.flatMap(({ kind, path: file }) => (kind === 'dynamic-import' && !atStart.has(file) ? [file] : [])),
    ),
  )
  return {
    name: TOGETHER,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${TOGETHER}$`) }, () => ({ path: TOGETHER, namespace: TOGETHER }))
      build.onLoad({ filter: /^/, namespace: TOGETHER }, () => ({
        contents: [...atStart].map((file) => `import './${file}'`).join('\n'),
        resolveDir: ROOT,
      }))
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const name = path.relative(ROOT, file)
        const source = placed(file, readFileSync(file, 'utf8'))
        if (later.has(name)) return { contents: `import '${TOGETHER}'\n${source}`, loader: 'ts' }
        if (name !== PROGRAM) return undefined
        const imports = [...source.matchAll(DEFINITION)].map(([, from, add]) => `import { ${add} } from ${from}`)
        return { contents: `${imports.join('\n')}\n${source.replaceAll(DEFINITION, '$2')}`, loader: 'ts' }
      })
    },
  }
}

/** The sources that the program loads before a command runs. */
function startOf(inputs: Inputs): ReadonlySet<string> {
  const loaded = inputs[ENTRY]?.imports.flatMap(({ path: file }) =>
    file in inputs && file !== COMPLETION ? [file] : [],
  )
  return new Set(reach(inputs, loaded ?? [], { isAtStart: true }))
}

/** @throws Error where a source changed meanwhile */
async function bundleCheckout(): Promise<void> {
  const startedAtMs = Date.now()
  const { inputs } = await bundleCommand(ROOT)
  const sources = listed(reach(inputs, [ENTRY]))
  const changed = sources.find(([, atMs]) => atMs >= startedAtMs)
  if (changed !== undefined) throw new Error(`${changed[0]} changed while it was bundled: run npm run build again`)
  const definitions = definitionsIn(inputs)
  const paths = new Set(definitions.map(({ path: file }) => file))
  const atStart = [...reach(inputs, [ENTRY], { without: paths }), ...reach(inputs, [...paths], { isAtStart: true })]
  writeSources(ROOT, NO_COMMAND, listed(atStart))
  for (const { name, path: file } of definitions) {
    const own = reach(inputs, [file], { without: paths })
    writeSources(ROOT, name, listed([...atStart, ...own]))
  }
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

/** The files that define a verb or noun. */
function definitionsIn(inputs: Inputs): readonly { readonly name: string; readonly path: string }[] {
  return Object.keys(inputs).flatMap((file) => {
    const [, name] = /^cli\/(\w+)\/command\.ts$/.exec(file) ?? []
    return name === undefined ? [] : [{ name, path: file }]
  })
}

interface Reach {
  /** Not followed from other files. */
  readonly without?: ReadonlySet<string>
  /** Whether to follow only imports that are loaded with their file. */
  readonly isAtStart?: true
}

/** Every source that files load, with these files. */
function reach(inputs: Inputs, from: readonly string[], { isAtStart, without }: Reach = {}): readonly string[] {
  const found = new Set(from)
  for (const file of found) {
    for (const { kind, path: imported } of inputs[file]?.imports ?? []) {
      // An external module has no entry. Packages are known by the list that npm writes.
      const isSource = inputs[imported] !== undefined && !/^(node_modules\/|loaded-together:)/.test(imported)
      if (isSource && without?.has(imported) !== true && (isAtStart !== true || kind !== 'dynamic-import'))
        found.add(imported)
    }
  }
  return [...found]
}

function listed(files: readonly string[]): readonly Source[] {
  return [...new Set([...files, ...ALSO_SOURCES])].map((file) => [file, statSync(path.join(ROOT, file)).mtimeMs])
}

if (import.meta.main) await bundleCheckout()

// Loads modules of the product and of its campaigns with a few changes. Each module is compiled once for each process.
// A mutant compiles only its changed modules, and evaluates only them and their importers again. All other modules are
// shared by all mutants, and keep their state, as between two schedules.
import path from 'node:path'
import { compileFunction } from 'node:vm'
import { build, type Metafile, transform } from 'esbuild'

const ROOT = path.resolve(import.meta.dirname, '../..')
const AS_COMMONJS = { platform: 'node', format: 'cjs', target: 'node24', logLevel: 'silent' } as const

/** By path from the repository root. */
type Inputs = Metafile['inputs']
type Module = { exports: object }
/** The code of a module as a function that fills `module.exports`. */
type Body = (require: (specifier: string) => unknown, module: Module, exports: object) => void

/** The changed source of modules, by path from the repository root. */
export type Changes = ReadonlyMap<string, string>

export interface ModuleGraph<Exports> {
  /** Whether the file is one of the modules. */
  has(file: string): boolean
  /** Returns the exports of all entries together. @throws Error for a change of another file or of no valid source */
  load(changes: Changes): Promise<Exports>
}

/** `entries`: paths from the repository root. Node itself loads the libraries, once. */
export async function readModules<Exports>(entries: readonly string[]): Promise<ModuleGraph<Exports>> {
  const inputs = await readImports(entries)
  const [bodies, libraries] = await Promise.all([compileAll(inputs), loadLibraries(inputs)])
  const unchanged = new Map<string, Module>()

  async function load(changes: Changes): Promise<Exports> {
    const changed = await compileChanged(changes)
    const reached = importersOf(changed.keys(), inputs)
    const ofMutant = new Map<string, Module>()

    function evaluate(file: string): object {
      const modules = reached.has(file) ? ofMutant : unchanged
      const known = modules.get(file)
      if (known !== undefined) return known.exports
      const module = { exports: {} }
      // Registered before it runs, because modules may import each other in a circle.
      modules.set(file, module)
      const importOf = (specifier: string) =>
        specifier.startsWith('.') ? evaluate(path.join(path.dirname(file), specifier)) : libraries.get(specifier)
      const body = changed.get(file) ?? bodies.get(file)
      if (body === undefined) throw new Error(`not one of the modules: ${file}`)
      body(importOf, module, module.exports)
      return module.exports
    }

    return Object.assign({}, ...entries.map(evaluate)) as Exports
  }

  async function compileChanged(changes: Changes): Promise<ReadonlyMap<string, Body>> {
    const changed = new Map<string, Body>()
    for (const [file, source] of changes) {
      if (!bodies.has(file)) throw new Error(`not one of the modules: ${file}`)
      const { code } = await transform(source, { ...AS_COMMONJS, loader: 'ts' })
      changed.set(file, compile(code, file))
    }
    return changed
  }

  return { has: (file) => bodies.has(file), load }
}

async function readImports(entries: readonly string[]): Promise<Inputs> {
  const { metafile } = await build({
    ...{ absWorkingDir: ROOT, entryPoints: [...entries], outdir: ROOT, packages: 'external', bundle: true },
    ...{ platform: 'node', format: 'esm', metafile: true, write: false },
  })
  return metafile.inputs
}

async function compileAll(inputs: Inputs): Promise<ReadonlyMap<string, Body>> {
  const { outputFiles } = await build({
    ...{ ...AS_COMMONJS, absWorkingDir: ROOT, entryPoints: Object.keys(inputs) },
    ...{ outdir: ROOT, outbase: ROOT, outExtension: { '.js': '.ts' }, write: false },
  })
  const compiled = outputFiles.map(({ path: output, text }) => {
    const file = path.relative(ROOT, output)
    return [file, compile(text, file)] as const
  })
  return new Map(compiled)
}

const compile = (code: string, file: string) =>
  compileFunction(code, ['require', 'module', 'exports'], { filename: path.join(ROOT, file) }) as Body

async function loadLibraries(inputs: Inputs): Promise<ReadonlyMap<string, unknown>> {
  const libraries = new Map<string, unknown>()
  for (const { path: name, external } of Object.values(inputs).flatMap(({ imports }) => imports))
    if (external === true) libraries.set(name, await import(name))
  return libraries
}

/** The files and all their direct and indirect importers. */
function importersOf(files: Iterable<string>, inputs: Inputs): ReadonlySet<string> {
  const reached = new Set(files)
  // Iteration over a Set includes what is added during it.
  for (const file of reached)
    for (const [importer, { imports }] of Object.entries(inputs))
      if (imports.some((one) => one.path === file)) reached.add(importer)
  return reached
}

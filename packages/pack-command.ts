// Packs the package `sluice`: the bundled command line with its console and its desk. What a module reads from beside its
// source keeps its folder. The desk's synthesis is bundled with the CDK, in a file of its own, and its functions are too.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { bundleFunctions } from '../infra/bundle/bundle.ts'
import { billOfMaterials, noticesOf, thirdPartiesIn } from '../infra/bundle/third-parties.ts'
import { BILL_FILE } from '../infra/synthesize.ts'
import { hashSources, SOURCE_HASH_FILE } from '../place/desk/assembly.ts'
import { ALL_SOURCES, bundleCommand, writeSources } from './bundle-command.ts'
import { bundledPlaces, copyPage, READ_FROM_DISK, ROOT } from './compile.ts'

/** Read or started where they are. */
const AS_THEY_ARE = [
  ...['sluice', 'bundled', 'on-node', 'launched', 'compile-cache'].map((name) => `bin/${name}.cjs`),
  ...['console/assets', 'views/html/report.css', 'packages/embedded-aws/lambda/function-worker.mjs'],
  ...['treasury.json', 'treasury.schema.json', 'docs', 'examples/repository', 'LICENSE'],
]

/** Has LevelDB's binding, which npm brings for each platform. It loads files by their names. */
const DEPENDENCIES = ['dynalite']

/** @throws esbuild's findings, or an Error for a licence */
export async function packCommand(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const file of AS_THEY_ARE) cpSync(path.join(ROOT, file), path.join(target, file), { recursive: true })
  const command = await bundleCommand(target)
  writeSources(target, ALL_SOURCES, [])
  const synthesis = await bundleSynthesis(path.join(target, 'infra'))
  writeFileSync(path.join(target, SOURCE_HASH_FILE), hashSources(ROOT))
  const functions = bundleFunctions(path.join(target, 'bundles'))
  const outputs = { ...command.outputs, ...synthesis.outputs }
  const parties = new Map(
    [...functions, ...thirdPartiesIn({ outputs }, ROOT)].map((party) => [`${party.name} ${party.version}`, party]),
  )
  const manifest = packedManifest()
  writeFileSync(path.join(target, 'NOTICES.txt'), noticesOf([...parties.values()]))
  writeFileSync(path.join(target, BILL_FILE), billOfMaterials([...parties.values()], manifest.version))
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const pages = readdirSync(path.join(target, 'docs'), { recursive: true, encoding: 'utf8' })
  const docs = pages.filter((file) => file.endsWith('.md')).map((file) => path.join('docs', file))
  for (const file of ['README.md', 'CHANGELOG.md']) cpSync(path.join(ROOT, file), path.join(target, file))
  for (const file of ['README.md', 'CHANGELOG.md', ...docs]) copyPage(path.join(ROOT, file), path.join(target, file))
}

/** A desk starts this to write its assembly. Its names are short, because nobody reads 12 MB. */
async function bundleSynthesis(outdir: string): Promise<Metafile> {
  const options = {
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    metafile: true as const,
    logLevel: 'silent',
  } satisfies BuildOptions
  await build({
    ...options,
    entryPoints: ['infra/synth.ts'],
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    plugins: [replacing({ './synthesize.ts': LOADS_SYNTHESIS }), bundledPlaces],
  })
  // The CDK finds its parts from its own folders, which only CommonJS can know.
  const { metafile } = await build({
    ...options,
    entryPoints: ['infra/synthesize.ts'],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: ['@aws/cloudformation-validate'],
    define: { 'import.meta.url': 'OWN_PLACE' },
    banner: { js: "const OWN_PLACE=require('node:url').pathToFileURL(__filename).href;" },
    plugins: [
      replacing({ './bundle/bundle.ts': COPIES_BUNDLES, 'cdk-nag': CHECKS_NOTHING, 'aws-cdk-lib': CORE_OF_CDK }),
    ],
  })
  return metafile
}

const LOADS_SYNTHESIS = `import { createRequire } from 'node:module'
export const { synthesize, synthesizeDesk } = createRequire(import.meta.url)('./synthesize.cjs')`
const COPIES_BUNDLES = `import { cpSync } from 'node:fs'
export const bundleFunctions = (folder) => cpSync(__dirname + '/../bundles', folder, { recursive: true })`
/** Nothing of a desk is deployed, so no rules are checked. */
const CHECKS_NOTHING = 'export const AwsSolutionsChecks = undefined'

/** The entry of the CDK would bring the constructs of every service of AWS. */
const CORE_OF_CDK = "module.exports = require('./node_modules/aws-cdk-lib/core/lib/index.js')"

/** Puts texts in the place of modules. */
function replacing(texts: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replacing',
    setup(build) {
      for (const [name, contents] of Object.entries(texts)) {
        const filter = new RegExp(`^${name.replaceAll('.', '\\.')}$`)
        build.onResolve({ filter }, () => ({ path: name, namespace: 'replaced' }))
        build.onLoad({ filter, namespace: 'replaced' }, () => ({ contents, resolveDir: ROOT }))
      }
    },
  }
}

function packedManifest() {
  const own = manifestOf('package.json')
  const embedded = manifestOf('packages/embedded-aws/package.json')
  const { name, version, description, license, type } = own
  return {
    ...{ name, version, description, license, type },
    engines: embedded.engines,
    bin: { sluice: 'bin/sluice.cjs' },
    ...READ_FROM_DISK,
    dependencies: Object.fromEntries(DEPENDENCIES.map((each) => [each, embedded.dependencies[each]])),
  }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly engines: object
  readonly dependencies: Readonly<Record<string, string>>
}

function manifestOf(file: string): Manifest {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))
}

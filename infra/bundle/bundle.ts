// Owns the bundle that every function runs: CommonJS files with the needed parts of node_modules, one file for each
// group of functions with the same needs. A file for each function would take five times as long to build. With a
// single file, functions that move money would load a planner and three more AWS clients at each start.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BuildOptions, buildSync } from 'esbuild'
import { BundleFile, handlerOf, Verb } from '../../core/contract/states.ts'
import { noticesOf, type ThirdParty, thirdPartiesIn } from './third-parties.ts'

const FUNCTIONS = fileURLToPath(new URL('../../functions', import.meta.url))

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/**
 * Replacements for parts that the SDK loads with every client and no function uses. The rest of the SDK is unchanged
 * (decision 68).
 */
const IN_PLACE_OF = {
  '@aws-sdk/credential-provider-node': here('./sdk-parts/credentials.ts'),
  '@smithy/core/event-streams': here('./sdk-parts/event-streams.ts'),
  'node:fs/promises': here('./sdk-parts/profiles.ts'),
}

/** Largest bundle files in bytes. A larger file starts slower; a test checks each. */
const MOST_BYTES = 570_000
const MOST_BYTES_OF: Partial<Record<BundleFile, number>> = {
  // Order starts while a quote of five seconds lives.
  [BundleFile.Movements]: 481_000,
  // Contains the client of KMS, which counts decisions. Nobody waits for a plan.
  [BundleFile.Runs]: 601_000,
  // Contains the client of S3. It moves no money, and nobody waits for it.
  [BundleFile.Files]: 600_000,
}
export const mostBytesOf = (file: BundleFile): number => MOST_BYTES_OF[file] ?? MOST_BYTES

/** File with the licence texts, which licences require beside the code. No function reads it. */
const NOTICES_FILE = 'NOTICES.txt'

/**
 * Writes the files, their entries and the notices into `folder`, and creates it. `isForDebugger`: readable, with an inline source map. Returns the packages in the files.
 * Throws esbuild's findings, or an Error for a licence.
 */
export function bundleFunctions(
  folder: string,
  { isForDebugger = false }: { readonly isForDebugger?: boolean } = {},
): readonly ThirdParty[] {
  mkdirSync(folder, { recursive: true })
  // Entry points by file name. The exports are the handlers, named as in `Verb`.
  const entryPoints = Object.fromEntries(Object.values(BundleFile).map((file) => [file, join(FUNCTIONS, `${file}.ts`)]))
  const { metafile } = buildSync({
    ...optionsOf(folder),
    entryPoints,
    minify: !isForDebugger,
    sourcemap: isForDebugger ? 'inline' : false,
  })
  for (const file of Object.values(BundleFile)) writeFileSync(join(folder, `${file}.mjs`), entryOf(file))
  const thirdParties = thirdPartiesIn(metafile, process.cwd())
  writeFileSync(join(folder, NOTICES_FILE), noticesOf(thirdParties))
  return thirdParties
}

function optionsOf(folder: string) {
  return {
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    // The bundle is moved into the assembly, so the map's paths start at its original folder.
    sourceRoot: `${pathToFileURL(folder).href}/`,
    platform: 'node',
    target: 'node24',
    // CommonJS loads here in two thirds of the time of ES modules. Where a library has an ES form, esbuild can drop its
    // unused parts. Without dynamic import no first request loads code.
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    alias: IN_PLACE_OF,
    // Keeps comments that libraries ask to keep. Today none does.
    legalComments: 'eof',
    metafile: true as const,
    logLevel: 'silent',
  } satisfies BuildOptions
}

/**
 * The entry that Lambda loads. Only an ES module can make Lambda wait for the end of the initialisation. The code is in
 * the CommonJS file beside it, which is required: an import would first search the whole file for exports.
 */
function entryOf(file: BundleFile): string {
  const names = Object.values(Verb)
    .map((verb) => handlerOf(verb).split('.'))
    .flatMap(([of, name]) => (of === file && name !== undefined ? [name] : []))
  return `const bundle = process.getBuiltinModule('node:module').createRequire(import.meta.url)('./${file}.cjs')
await bundle.warmedUp()
export const { ${names.join(', ')} } = bundle
`
}

// Owns the bundle that every function runs: CommonJS files with what they need of node_modules, one for each
// group of functions that need the same. A few files cost a fifth of the time of one for each function; in a
// single one, what moves money would load a planner and three more AWS clients before it starts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BuildOptions, buildSync } from 'esbuild'
import { BundleFile, handlerOf, Verb } from '../core/contract/states.ts'
import { noticesOf, type ThirdParty, thirdPartiesIn } from './third-parties.ts'

const FUNCTIONS = fileURLToPath(new URL('../functions', import.meta.url))

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Parts that the SDK loads with every client, and that no function uses. All else of the SDK is as it is published (decision 68). */
const IN_PLACE_OF = {
  '@aws-sdk/credential-provider-node': here('./function-credentials.ts'),
  '@smithy/core/event-streams': here('./function-event-streams.ts'),
  'node:fs/promises': here('./function-profiles.ts'),
}

/** A larger file starts slower; a test holds each of them to this. */
export const MOST_BUNDLE_BYTES = 520_000

/** Licences ask that their text goes with what they are of. No function reads it. */
const NOTICES_FILE = 'NOTICES.txt'

/**
 * Writes the files, their entries and the notices into `folder`, creating it. `source`: where the functions' source is,
 * for variants of it. `isForDebugger`: readable, with a source map inside. Gives the packages that are in the files.
 * Throws with esbuild's findings, or for a licence.
 */
export function bundleFunctions(
  folder: string,
  { source = FUNCTIONS, isForDebugger = false }: { readonly source?: string; readonly isForDebugger?: boolean } = {},
): readonly ThirdParty[] {
  mkdirSync(folder, { recursive: true })
  // By the name of the file. Exports are the handlers, named as in `Verb`.
  const entryPoints = Object.fromEntries(Object.values(BundleFile).map((file) => [file, join(source, `${file}.ts`)]))
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
    // The bundle is moved into the assembly; the map's paths go from where it was written.
    sourceRoot: `${pathToFileURL(folder).href}/`,
    platform: 'node',
    target: 'node24',
    // CommonJS imports in two thirds of the time of ES modules here. The ES form of a library, where it has
    // one, lets unused parts be left out; without dynamic import nothing is loaded on a first request.
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    alias: IN_PLACE_OF,
    // Comments that a library asks to keep. None has any today.
    legalComments: 'eof',
    metafile: true as const,
    logLevel: 'silent',
  } satisfies BuildOptions
}

/**
 * What Lambda loads. Only an ES module can make it wait until what initialisation began has ended; all else is in the
 * CommonJS file beside it. That is required and not imported: an import looks through the whole file for its exports
 * first.
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

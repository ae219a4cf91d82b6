// Owns the one bundle that every function runs: one CommonJS file with what it needs of node_modules.
// One bundle costs a twentieth of the time of one for each function, and what AWS runs is what runs here.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** Its exports are the handlers, named as in `Verb`. */
export const BUNDLE_ENTRY = fileURLToPath(new URL('../functions/index.ts', import.meta.url))

/** What the SDK's chain of credential providers is replaced by: a function has its own in the environment. */
const CREDENTIALS = fileURLToPath(new URL('./function-credentials.ts', import.meta.url))

/** A larger bundle starts slower; a test holds the shipped one to this. */
export const MOST_BUNDLE_BYTES = 500_000

/** Writes `index.js` and `package.json` into `folder`, creating it. Throws with esbuild's findings. */
export function bundleFunctions(folder: string, entry: string = BUNDLE_ENTRY): void {
  mkdirSync(folder, { recursive: true })
  buildSync({
    entryPoints: [entry],
    outfile: join(folder, 'index.js'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    // CommonJS imports in two thirds of the time of ES modules here. The ES form of a library, where it has
    // one, lets unused parts be left out; without dynamic import nothing is loaded on a first request.
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    alias: { '@aws-sdk/credential-provider-node': CREDENTIALS },
    legalComments: 'none',
    logLevel: 'silent',
  })
  // A `.js` file under this repo's own package.json would be read as an ES module.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n')
}

// Bundles the baseline as CDK's NodejsFunction does for ES modules, with the SDK inside. The SDK of Lambda's runtime is
// not bundled, and loads slower.
// Source: aws-cdk-lib, aws-lambda-nodejs, BundlingOptions (format ESM, no minification) and its advice on a banner.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** @returns the file that it writes into `folder` */
export function bundleBaseline(folder: string): string {
  const outfile = path.join(folder, 'usual.mjs')
  buildSync({
    entryPoints: [fileURLToPath(new URL('usual.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: BANNER },
    logLevel: 'silent',
  })
  return outfile
}

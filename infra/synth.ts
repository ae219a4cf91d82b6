// Owns the way from treasury.json to the cloud assembly: read, bundle, synthesize. Run as
// `node infra/synth.ts [--config FILE] [--out DIR]`. Nothing here deploys.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp } from './app.ts'
import { BUNDLE_ENTRY, bundleFunctions } from './bundle.ts'
import { ConfigError, DEFAULT_TREASURY_FILE, loadTreasury } from './config.ts'

export interface SynthesizeOptions {
  readonly configFile: string
  /** Where the cloud assembly goes; created if absent. */
  readonly outDir: string
  /** Entry of the bundle, where it is not the shipped one. */
  readonly entry?: string
}

/** Writes the cloud assembly. Throws ConfigError, or with the findings of esbuild, CDK or cdk-nag. */
export function synthesize(options: SynthesizeOptions): void {
  const treasury = loadTreasury(options.configFile)
  const bundleDir = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  try {
    bundleFunctions(bundleDir, options.entry ?? BUNDLE_ENTRY)
    createApp({ treasury, bundleDir, outDir: resolve(options.outDir) }).synth()
  } finally {
    rmSync(bundleDir, { recursive: true, force: true })
  }
}

/** Exit codes as everywhere (design, section 6): 1 failed, 2 bad usage or configuration. */
function main(args: string[]): number {
  let options: { config?: string; out?: string; help?: boolean }
  try {
    options = parseArgs({
      args,
      options: { config: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    return 2
  }
  if (options.help === true) {
    console.log(USAGE)
    return 0
  }
  const outDir = options.out ?? process.env.CDK_OUTDIR ?? 'cdk.out'
  const startedAt = performance.now()
  try {
    synthesize({ configFile: options.config ?? DEFAULT_TREASURY_FILE, outDir })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return error instanceof ConfigError ? 2 : 1
  }
  console.error(`${outDir}: written in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return 0
}

const USAGE = `Example: node infra/synth.ts --config treasury.json --out cdk.out

Writes the cloud assembly: templates, state machine definitions, bundled functions.
  --config FILE  configuration (default: treasury.json)
  --out DIR      where the assembly goes (default: cdk.out)

CDK_VALIDATION=false in the environment leaves out CDK's own check of the templates, which is half of the time:
for quick loops, not for what is deployed. The rules of cdk-nag are checked either way.`

if (import.meta.main) process.exitCode = main(process.argv.slice(2))

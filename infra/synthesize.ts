// Owns the way from treasury.json to the cloud assembly: read, bundle, synthesize. Nothing here deploys.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadTreasury, writeTreasuryFile } from '../core/treasury/config.ts'
import { createApp } from './app.ts'
import { bundleFunctions } from './bundle.ts'
import { billOfMaterials } from './third-parties.ts'

/** Beside the assets, of what is in them. */
export const BILL_FILE = 'sbom.cdx.json'

export interface SynthesizeOptions {
  readonly configFile: string
  /** Where the cloud assembly goes; created if absent. */
  readonly outDir: string
  /** Bundles that a debugger can show: larger, and so slower to start. Default false. */
  readonly isForDebugger?: boolean
  /** For a state directory, which is an environment by itself: names carry none. Default false. */
  readonly isDesk?: boolean
}

/** Writes the cloud assembly. Throws ConfigError, or with the findings of esbuild, CDK or cdk-nag. */
export function synthesize({ configFile, isDesk = false, isForDebugger = false, outDir }: SynthesizeOptions): void {
  const treasury = loadTreasury(configFile)
  const bundleDir = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  try {
    const thirdParties = bundleFunctions(bundleDir, { isForDebugger })
    writeTreasuryFile(bundleDir, treasury)
    createApp({ treasury, bundleDir, outDir: resolve(outDir), isDesk }).synth()
    writeFileSync(join(outDir, BILL_FILE), billOfMaterials(thirdParties, ownVersion()))
  } finally {
    rmSync(bundleDir, { recursive: true, force: true })
  }
}

function ownVersion(): string {
  return JSON.parse(readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8')).version
}

// Makes the cloud assembly from treasury.json: reads, bundles, synthesizes. Deploys nothing.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadTreasury, writeTreasuryFile } from '../core/treasury/config.ts'
import { createApp } from './app.ts'
import { bundleFunctions } from './bundle/bundle.ts'
import { billOfMaterials } from './bundle/third-parties.ts'

/** Bill of materials of the assets, in the folder of the assembly. */
export const BILL_FILE = 'sbom.cdx.json'

export interface SynthesizeOptions {
  readonly configFile: string
  /** Folder for the cloud assembly; created if absent. */
  readonly outDir: string
  /** Bundles for a debugger. They are larger, and so slower to start. Default false. */
  readonly isForDebugger?: boolean
}

export interface SynthesizeDeskOptions extends SynthesizeOptions {
  /**
   * Folder for the bundles of this source, which are written when it is empty. Without it the bundles go to a temporary
   * folder.
   */
  readonly bundleDir?: string | undefined
}

/** Writes the cloud assembly. Throws ConfigError, or the findings of esbuild, CDK or cdk-nag. */
export function synthesize({ configFile, isForDebugger = false, outDir }: SynthesizeOptions): void {
  inTemporaryFolder((folder) => {
    const thirdParties = bundleFunctions(folder, { isForDebugger })
    writeApp({ configFile, folder, outDir, isDesk: false })
    writeFileSync(join(outDir, BILL_FILE), billOfMaterials(thirdParties, ownVersion()))
  })
}

/**
 * Writes the assembly for a state directory. Each state directory is a separate environment: its names carry no prefix,
 * and nothing of it is deployed.
 */
export function synthesizeDesk({ bundleDir, configFile, isForDebugger = false, outDir }: SynthesizeDeskOptions): void {
  inTemporaryFolder((folder) => {
    const bundles = bundleDir ?? folder
    if (readdirSync(bundles).length === 0) bundleFunctions(bundles, { isForDebugger })
    // The configuration goes beside a copy, because other configurations use the same bundles.
    if (bundles !== folder) cpSync(bundles, folder, { recursive: true })
    writeApp({ configFile, folder, outDir, isDesk: true })
  })
}

function inTemporaryFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface AppFiles {
  readonly configFile: string
  readonly folder: string
  readonly outDir: string
  readonly isDesk: boolean
}

function writeApp({ configFile, folder, isDesk, outDir }: AppFiles): void {
  const treasury = loadTreasury(configFile)
  writeTreasuryFile(folder, treasury)
  createApp({ treasury, bundleDir: folder, outDir: resolve(outDir), isDesk }).synth()
}

function ownVersion(): string {
  return JSON.parse(readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8')).version
}

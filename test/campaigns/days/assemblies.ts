// Builds cloud assemblies of one treasury after another. The functions are bundled once, because only the file beside
// them differs.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { parseTreasury, writeTreasuryFile } from '../../../core/treasury/config.ts'
import { createApp } from '../../../infra/app.ts'
import { bundleFunctions } from '../../../infra/bundle/bundle.ts'
import type { TreasuryFile } from './treasury-file.ts'

// Validation is most of a synthesis. `npm run synth` and its own test have CDK's validation of templates on.
process.env.CDK_VALIDATION ??= 'false'

export interface Assembly {
  readonly dir: string
  /** The treasury with every default filled in. */
  readonly treasury: Treasury
}

export type Assemble = (file: TreasuryFile) => Assembly

/** `deployed`: the file that is deployed in place of another. */
export function createAssemblies(
  folder: string,
  deployed: (file: TreasuryFile) => TreasuryFile = (file) => file,
): Assemble {
  const bundled = path.join(folder, 'bundle')
  bundleFunctions(bundled)
  let made = 0
  /** @throws ConfigError for a refused file */
  return (file) => {
    const treasury = parseTreasury(JSON.stringify(file))
    const inUse = parseTreasury(JSON.stringify(deployed(file)))
    made += 1
    const dir = path.join(folder, `cdk.out.${made}`)
    const bundleDir = mkdtempSync(path.join(folder, 'with-treasury-'))
    try {
      cpSync(bundled, bundleDir, { recursive: true })
      writeTreasuryFile(bundleDir, inUse)
      createApp({ treasury: inUse, bundleDir, outDir: dir, isChecked: false }).synth()
    } finally {
      rmSync(bundleDir, { recursive: true, force: true })
    }
    return { dir, treasury }
  }
}

// Synthesizes a cloud assembly of another configuration around the bundle of the global set-up. Bundling is most of a
// synthesis, and the bundle does not depend on the configuration.
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { BundleFile } from '../../core/contract/states.ts'
import { parseTreasury, writeTreasuryFile } from '../../core/treasury/config.ts'
import { createApp } from '../../infra/app.ts'

/** `configuration`: a treasury.json. `outDir` is created. `isDesk`: for a state directory. Throws ConfigError. */
export function assemble(configuration: object, outDir: string, isDesk = false): void {
  const treasury = parseTreasury(JSON.stringify(configuration))
  const bundleDir = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  try {
    cpSync(bundleOf(inject('assemblyDir')), bundleDir, { recursive: true })
    writeTreasuryFile(bundleDir, treasury)
    createApp({ treasury, bundleDir, outDir, isDesk, isChecked: false }).synth()
  } finally {
    rmSync(bundleDir, { recursive: true, force: true })
  }
}

/** The folder of the bundled functions in an assembly. */
export function bundleOf(assemblyDir: string): string {
  const [file] = globSync(join(assemblyDir, `asset.*/${Object.values(BundleFile)[0]}.cjs`))
  if (file === undefined) throw new TypeError(`no bundle in ${assemblyDir}`)
  return dirname(file)
}

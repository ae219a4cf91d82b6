// The files of the bundle: their size, and what loading one adds to the start of an empty process.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BundleFile } from '../core/contract/states.ts'
import { bundleFunctions } from '../infra/bundle.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

export async function benchBundle(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  try {
    bundleFunctions(folder)
    for (const name of Object.values(BundleFile)) {
      const file = join(folder, `${name}.js`)
      const start = (code: string) => execFileSync(process.execPath, ['-e', code])
      const { leftMs, rightMs } = await timePaired(
        () => start(`require(${JSON.stringify(file)})`),
        () => start(''),
      )
      const size = (statSync(file).size / 1000).toFixed(0)
      report(`${name}: ${size} KB; loaded by a process ${leftMs.toFixed(0)} ms, an empty one ${rightMs.toFixed(0)} ms`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

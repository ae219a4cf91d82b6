// Measures the files of the bundle: their size, and the time that loading one file adds to the start of an empty
// process.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BundleFile } from '../core/contract/states.ts'
import { bundleFunctions } from '../infra/bundle/bundle.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

/** A process is short, and its times vary widely. */
const PAIRS = 25

export async function benchBundle(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  try {
    bundleFunctions(folder)
    for (const name of Object.values(BundleFile)) {
      const file = join(folder, `${name}.cjs`)
      const start = (code: string) => execFileSync(process.execPath, ['-e', code])
      const { leftMs, rightMs, ratios } = await timePaired(
        () => start(`require(${JSON.stringify(file)})`),
        () => start(''),
        PAIRS,
      )
      report.figure({ name: `${name}, size`, unit: 'kB', value: statSync(file).size / 1_000 })
      report.figure({
        name: `${name}, loaded by a process`,
        unit: 'ms',
        value: leftMs,
        baseline: { name: 'an empty process', value: rightMs },
        ratio: ratios,
      })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// A disk that fails at a drawn write: what was acknowledged is on disk, nothing is acknowledged after the failure, and the
// next start is whole. `SLUICE_DRAWS=2000` and `SLUICE_SEED=N` before the command draw others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compileDisk, FailingDisk, isSystemAbsent } from '../../../../test/helpers/power-cut/failing-disk.ts'
import { DISK_VARIABLE, ROOT_VARIABLE } from '../../../../test/helpers/power-cut/kept.ts'

const { SLUICE_DRAWS: draws = '100', SLUICE_SEED: seed = '1' } = process.env

test.skipIf(isSystemAbsent)(
  'tables, secrets, executions and deliveries survive a fault of the disk at any write',
  async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'failing-disk-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const [root, kept, orders] = ['root', 'kept', 'orders'].map((name) => path.join(directory, name)) as [
      string,
      string,
      string,
    ]
    for (const folder of [root, kept]) mkdirSync(folder)
    // The disk opens the orders before the program runs.
    new FailingDisk(orders)
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'fixture/failing-writes.ts'), orders, draws, seed],
      {
        env: {
          ...{ PATH: process.env.PATH, [ROOT_VARIABLE]: root, [DISK_VARIABLE]: kept },
          ...{ FAILING_DISK: orders, LD_PRELOAD: compileDisk(directory) },
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await once(child, 'close')
    expect(JSON.parse(printed)).toEqual({ faults: Number(draws), violations: [] })
  },
)

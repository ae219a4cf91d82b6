// Endless answers of the service cannot exhaust the memory of a function.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startLocalServer } from '../../helpers/local-server.ts'
import { hostileAnswers } from './hostile-answers.ts'

const MIB = 1024 * 1024

it('ten answers of 100 MB are refused within 64 MiB of memory', async () => {
  const huge = hostileAnswers.find(({ what }) => what === '100 MB')
  if (huge === undefined) throw new Error('the table has no answer of 100 MB')
  const server = await startLocalServer(huge.respond)
  onTestFinished(() => server.stop())
  const script = path.join(import.meta.dirname, 'fixture/read-hugely.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, server.baseUrl])
  const { failures, grownBytes } = JSON.parse(stdout) as { failures: string[]; grownBytes: number }
  expect(failures).toHaveLength(10)
  for (const failure of failures) expect(failure).toMatch(/^Defect: GET .* \[body_too_large\]$/)
  expect(grownBytes).toBeLessThan(64 * MIB)
})

// Two days of some worlds, and naive variants of the guards in theirs: each a process of its own, because virtual time
// rules the one that it is started in. All worlds, longer, and with more seeds are for people to run: `npm run days -- --world all`.
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { WORLDS } from './worlds.ts'

const PROGRAM = new URL('./main.ts', import.meta.url).pathname
const TIMEOUT_MS = 300_000

function runDays(...args: readonly string[]): Promise<{ readonly code: unknown; readonly stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, '--days', '2', '--seed', '1', ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout: stdout + stderr }),
    )
  })
}

test.each(['midnight', 'approvals'])(
  'two days in which the world is %s break no promise',
  async (world) => {
    const { code, stdout } = await runDays('--world', world)
    expect(stdout).toMatch(/^findings 0, /m)
    expect(code).toBe(0)
  },
  TIMEOUT_MS,
)

test.each(['sweep-keeps-nothing', 'quiet-in-utc'])(
  'the observer catches the variant %s',
  async (variant) => {
    const { code, stdout } = await runDays('--variant', variant)
    expect(stdout).toMatch(new RegExp(`^caught ${variant} `, 'm'))
    expect(code).toBe(0)
  },
  TIMEOUT_MS,
)

test('a world that there is not is refused with the names of those that there are', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, stdout } = await runDays('--world', 'nowhere')
  expect(code).toBe(2)
  expect(stdout).toMatch(/--world: expected the name of a world, or all/)
  for (const { name } of WORLDS) expect(stdout).toContain(name)
})

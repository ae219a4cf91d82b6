// The first days of `npm run days -- --seed 1`; a hundred take minutes, and are for people to run. A process of its
// own, because virtual time rules all workers of the process that it is started in.
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'

const PROGRAM = new URL('./main.ts', import.meta.url).pathname

/** Standard output, and the code with which it ended. */
function runDays(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout: stdout + stderr }),
    )
  })
}

test('eight days of six policies with deposits and a failing service break no promise', async () => {
  const { code, stdout } = await runDays('--days', '8', '--seed', '1')
  expect(stdout).toMatch(/^findings 0, /m)
  expect(code).toBe(0)
  // Every kind of policy got something done.
  for (const policy of ['balanced', 'to-cold', 'euros', 'float', 'payout']) {
    expect(stdout).toMatch(new RegExp(`^ {2}${policy} SETTLED [1-9]`, 'm'))
  }
  expect(stdout).toMatch(/deposit [1-9]/)
  expect(stdout).toMatch(/deliveries done twice [1-9]/)
}, 300_000)

test('a number of days that is none is refused with the usage', async () => {
  expect(await runDays('--days', 'many')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('--days: expected'),
  })
})

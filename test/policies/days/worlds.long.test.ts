// Days of some worlds. Each runs in its own process, because virtual time rules all workers
// of a process. People run all worlds, for longer and with more seeds: `npm run days -- --world all`.
import { expect, test } from 'vitest'
import { runInOwnProcess } from '../../campaigns/program.ts'
import { WORLDS } from './worlds.ts'

const PROGRAM = new URL('./main.ts', import.meta.url).pathname

const runDays = (days: number, seed: number, ...args: readonly string[]) =>
  runInOwnProcess(PROGRAM, ['--days', String(days), '--seed', String(seed), ...args])

// With this seed every kind of policy has something to do within two days, and the service fails on both of them. It
// loses requests and answers, refuses, settles late, and shows a withdrawal late.
test('two days of six policies with deposits and a failing service break no promise', async () => {
  const { code, text } = await runDays(2, 17_509)
  expect(text).toMatch(/^findings 0, /m)
  expect(code).toBe(0)
  // Every kind of policy settled a run.
  for (const policy of ['balanced', 'to-cold', 'euros', 'float', 'payout']) {
    expect(text).toMatch(new RegExp(`^ {2}${policy} SETTLED [1-9]`, 'm'))
  }
  expect(text).toMatch(/deposit [1-9]/)
  expect(text).toMatch(/deliveries done twice [1-9]/)
  for (const fault of ['dropBeforeCommit', 'dropAfterCommit', 'errorBeforeCommit', 'settleLater', 'lateVisibility'])
    expect(text).toMatch(new RegExp(`^requests .* ${fault} [1-9]`, 'm'))
})

test.each(['midnight', 'approvals'])('two days in which the world is %s break no promise', async (world) => {
  const { code, text } = await runDays(2, 1, '--world', world)
  expect(text).toMatch(/^findings 0, /m)
  expect(code).toBe(0)
})

// It shows that findings reach the exit code. observer/observer.test.ts covers each kind of finding.
test('the observer catches a deployment that keeps nothing', async () => {
  const { code, text } = await runDays(1, 1, '--world', 'bounds', '--keepless')
  expect(text).toMatch(/^ *floor/m)
  expect(code).toBe(1)
})

test('an unknown world is refused, and the known ones are listed', async () => {
  const { code, text } = await runDays(2, 1, '--world', 'nowhere')
  expect(code).toBe(2)
  for (const { name } of WORLDS) expect(text).toContain(name)
})

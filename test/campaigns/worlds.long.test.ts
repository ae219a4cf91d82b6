// Some worlds of `npm run campaign`, each in its own process as people start it. People play all, for longer and with more seeds.
import { expect, test } from 'vitest'
import { runInOwnProcess } from './program.ts'
import { WORLDS } from './worlds.ts'

const PROGRAM = new URL('./main.ts', import.meta.url).pathname

const play = (world: string, size: number, seed: number) =>
  runInOwnProcess(PROGRAM, ['--world', world, '--size', String(size), '--seed', String(seed)])

// With this seed every kind of policy has something to do within two days, and the service fails on both of them. It
// loses requests and answers, refuses, settles late, and shows a withdrawal late.
test('two days of six policies with deposits and a failing service break no promise', async () => {
  const { code, text } = await play('usual', 2, 17_509)
  expect(text).toMatch(/^violations 0, /m)
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
  const { code, text } = await play(world, 2, 1)
  expect(text).toMatch(/^violations 0, /m)
  expect(code).toBe(0)
})

test('each row of a long file moves once, by the books, though answers are lost and the command is killed', async () => {
  const { code, text } = await play('long-file', 105, 7)
  expect(text).toMatch(/^rows 110, lost answers [1-9]\d*, kills 3, /m)
  expect(code).toBe(0)
})

// It shows that findings reach the exit code. observer/observer.test.ts covers each kind of finding.
test('the observer catches a deployment that keeps nothing', async () => {
  const { code, text } = await play('keepless', 1, 1)
  expect(text).toMatch(/^ *floor/m)
  expect(code).toBe(1)
})

test('an unknown world is refused, and the known ones are listed', async () => {
  const { code, text } = await play('nowhere', 2, 1)
  expect(code).toBe(2)
  for (const { name } of WORLDS) expect(text).toContain(name)
})

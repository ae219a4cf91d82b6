// How the test of a real account runs its commands on a machine.
import { expect, test } from 'vitest'
import { realWorld } from './run-command.ts'

const world = realWorld(process.cwd(), 'eu-west-1')

test('the output of a command is kept, with its exit code', async () => {
  const named = await world.run({ program: 'npm', args: ['pkg', 'get', 'name', '--json'], mostMinutes: 1 })
  expect(named).toMatchObject({ exitCode: 0, stdout: '"sluice"\n' })
  const failed = await world.run({ program: 'npm', args: ['run', 'no-such-script'], mostMinutes: 1 })
  expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no-such-script') })
})

test('a missing program is a failure, and so is a program that takes too long', async () => {
  const variables = { PATH: '/nonexistent' }
  const missing = await world.run({ program: 'aws', args: ['--version'], variables, mostMinutes: 1 })
  expect(missing).toMatchObject({ exitCode: 127, stderr: expect.stringContaining('ENOENT') })
  const late = await world.run({
    program: 'npx',
    args: ['node', '-e', 'setInterval(() => {}, 1e6)'],
    mostMinutes: 1e-9,
  })
  expect(late.exitCode).toBe(124)
})

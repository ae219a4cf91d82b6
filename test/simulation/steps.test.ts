// The simulated environments live and die as those of Lambda: one answers many calls, and a crashed one none.
import { expect, test } from 'vitest'
import { Transient } from '../../core/errors.ts'
import { seededChoices } from './choices.ts'
import { Environments } from './environments.ts'
import { Insider } from './insider.ts'
import type { Machine } from './machine.ts'
import { Crash, Scheduler } from './scheduler.ts'
import { createSteps } from './steps.ts'

/** Runs executions in one world, one after the other, and returns the environments that answered. */
async function environmentsOf(...calls: readonly ((machine: Machine) => Promise<void>)[]): Promise<readonly string[]> {
  const scheduler = new Scheduler(seededChoices(1, 0, []), 0)
  const environments = new Environments(scheduler, (machine) => ({ machine }))
  const insider = new Insider(new Map(), undefined)
  const answered: string[] = []
  const run = async () => {
    for (const [at, call] of calls.entries()) {
      const steps = createSteps(
        scheduler,
        { name: `execution-${at}`, intentId: `intent-${at}` },
        { environments, insider },
      )
      const decide = async (_: unknown, { machine }: { machine: Machine }) => {
        answered.push(machine.process)
        await call(machine)
      }
      await steps.run('verb', 0, {}, decide).catch(() => undefined)
    }
  }
  const running = run()
  await scheduler.run()
  await running
  return answered
}

const answers = (machine: Machine) => machine.pause()

test('one environment answers the calls of several executions', async () => {
  const [first, second] = await environmentsOf(answers, answers)
  expect(second).toBe(first)
})

test('an environment whose function threw answers the next call; one that crashed never answers again', async () => {
  const throws = (error: Error) => async (machine: Machine) => {
    await machine.pause()
    throw error
  }
  const [first, second, third] = await environmentsOf(
    throws(new Transient('503')),
    throws(new Crash('crashed')),
    answers,
  )
  expect(second).toBe(first)
  expect(third).not.toBe(second)
})

// Runs around each test file (vitest's `setupFiles`). Files share a worker one after another, in an order drawn from a
// seed. A file that leaves its process changed fails by name, and the change is undone for the next files.
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, expect, inject, type RunnerTask } from 'vitest'
import { config as zodConfig } from 'zod/mini'
import { changedSince, readFacts, takeBack } from './process-facts.ts'

const EARLIER_FILES = Symbol.for('test files that this worker has run')

const seed = inject('seed')
const before = readFacts()
const earlier = filesOfWorker()
const file = path.relative(process.cwd(), expect.getState().testPath ?? '')

fc.configureGlobal({ seed })
// Replaces every message of zod, because a test must not expect one. A program that imports all of zod changes them
// too.
zodConfig({ localeError: () => 'a sentence of zod' })

// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern, and nothing of it is needed here
afterAll(async ({}, suite) => {
  // A closed server leaves the list of open servers at the end of this turn of the event loop.
  await setImmediate()
  await setImmediate()
  const left = changedSince(before)
  takeBack(before)
  if (left.length > 0 || suite.tasks.some(hasFailed)) {
    const files = [...earlier, file].join(' ')
    console.error(`to repeat it: npx vitest run --maxWorkers 1 --sequence.seed ${seed} ${files}`)
  }
  earlier.push(file)
  expect(left, 'what this file leaves changed in its process').toEqual([])
})

/** In the order in which they ran. */
function filesOfWorker(): string[] {
  const shared = globalThis as { [EARLIER_FILES]?: string[] }
  shared[EARLIER_FILES] ??= []
  return shared[EARLIER_FILES]
}

function hasFailed(task: RunnerTask): boolean {
  return task.result?.state === 'fail' || ('tasks' in task && task.tasks.some(hasFailed))
}

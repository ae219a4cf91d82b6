// Runs around each test file (vitest's `setupFiles`). Files share a worker one after the other, in an order that a seed
// draws. So a file that leaves its process changed fails by name, and the change is taken back for the files that follow.
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, expect, inject, type RunnerTask } from 'vitest'
import { config as zodConfig } from 'zod/mini'

/** Libraries listen for the end of the process for good; nobody may keep it from ending. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection']
const EARLIER_FILES = Symbol.for('test files that this worker has run')

const { env, exitCode } = process
const folder = process.cwd()
const umask = process.umask()
const seed = inject('seed')
const before = lookAround()
const earlier = filesOfWorker()
const file = path.relative(process.cwd(), expect.getState().testPath ?? '')

fc.configureGlobal({ seed })
// As where somebody has loaded all of zod: no sentence that a test expects may come from it.
zodConfig({ localeError: () => 'a sentence of zod' })

// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern, and nothing of it is needed here
afterAll(async ({}, suite) => {
  // A server that was closed leaves the list of open ones at the end of this turn of the loop.
  await setImmediate()
  await setImmediate()
  const after = lookAround()
  const left = Object.keys({ ...before, ...after }).filter((name) => after[name] !== before[name])
  takeBack()
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

/** Facts of the process that a file can change and another one can notice, by a name for people. */
function lookAround(): Record<string, unknown> {
  const variables = Object.entries(process.env).map(([name, value]) => [`variable ${name}`, value])
  const listeners = SIGNALS.map((name) => [`listeners of ${name}`, process.listenerCount(name)])
  return {
    ...Object.fromEntries(variables),
    ...Object.fromEntries(listeners),
    'the object process.env': process.env,
    'the folder': process.cwd(),
    'the umask': process.umask(),
    'the exit code': process.exitCode,
    'the clock': Date,
    'the timers': setTimeout,
    fetch,
    'open servers': process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length,
  }
}

function takeBack(): void {
  process.chdir(folder)
  process.umask(umask)
  process.exitCode = exitCode
  process.env = env
  for (const name of Object.keys(env)) if (!(`variable ${name}` in before)) delete env[name]
  for (const [name, value] of Object.entries(before))
    if (name.startsWith('variable ')) env[name.slice('variable '.length)] = String(value)
}

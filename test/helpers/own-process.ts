// Runs around each test file (vitest's `setupFiles`). Files share a worker one after the other, in an order that a seed
// draws. So a file that leaves its process changed fails by name, and the change is taken back for the files that follow.
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit', 'warning']

const { env } = process
const before = lookAround()

afterAll(async () => {
  // A server that was closed leaves the list of open ones at the end of this turn of the loop.
  await setImmediate()
  await setImmediate()
  const after = lookAround()
  const left = Object.keys(after).filter((name) => after[name] !== before[name])
  const missing = Object.keys(before).filter((name) => !(name in after))
  takeBack()
  expect([...left, ...missing], 'what this file leaves changed in its process').toEqual([])
})

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
  process.env = env
  for (const name of Object.keys(env)) if (!(`variable ${name}` in before)) delete env[name]
  for (const [name, value] of Object.entries(before))
    if (name.startsWith('variable ')) env[name.slice('variable '.length)] = String(value)
}

// Tests signals to a command that an old Node, the launcher, has started on the installed Node. They go to both processes,
// as by Ctrl-C, or to the launcher alone.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { checkout, OLD_NODE } from './checkout.ts'

/** Prints its process id, then each signal that it receives. SIGTERM ends it. */
const LISTENING = `
for (const name of ['SIGINT', 'SIGHUP']) process.on(name, () => console.log(name))
process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(130) })
setInterval(() => {}, 1_000)
console.log(process.pid)`

interface Launched {
  readonly launcher: ChildProcess
  readonly ended: Promise<unknown[]>
  /** The whole output, once nobody can write any more. */
  readonly output: Promise<string>
  /** The whole standard error. */
  readonly errors: Promise<string>
  /** Resolves once this many lines were printed. */
  lines(count: number): Promise<readonly string[]>
}

/** Starts the launcher in a process group of its own, as a shell does. */
function launch(main: string): Launched {
  const root = checkout({ main })
  const launcher = spawn(process.execPath, [...OLD_NODE.args, path.join(root, 'sluice')], {
    cwd: root,
    env: { PATH: process.env.PATH, ...OLD_NODE.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  launcher.stdout.on('data', (chunk) => {
    printed += chunk
  })
  onTestFinished(() => {
    try {
      process.kill(-Number(launcher.pid), 'SIGKILL')
    } catch {
      // All processes have ended.
    }
  })
  return {
    launcher,
    ended: once(launcher, 'exit'),
    output: text(launcher.stdout),
    errors: text(launcher.stderr),
    async lines(count) {
      await expect.poll(() => printed.split('\n').length - 1).toBeGreaterThanOrEqual(count)
      return printed.split('\n').slice(0, -1)
    },
  }
}

test('each signal to both processes reaches the command once', async () => {
  const { launcher, ended, output, lines } = launch(LISTENING)
  await lines(1)
  for (let times = 1; times <= 5; times += 1) {
    process.kill(-Number(launcher.pid), 'SIGINT')
    await lines(1 + times)
  }
  // Forwarded signals keep their order, so no earlier signal arrives after this one.
  launcher.kill('SIGTERM')
  expect(await ended).toEqual([130, null])
  expect((await output).split('\n').slice(1)).toEqual([...Array(5).fill('SIGINT'), 'SIGTERM', ''])
})

test('a signal to the launcher alone reaches the command, also after a signal to both processes', async () => {
  const { launcher, ended, output, lines } = launch(LISTENING)
  await lines(1)
  for (const [at, name] of (['SIGINT', 'SIGHUP', 'SIGINT'] as const).entries()) {
    launcher.kill(name)
    await lines(2 + at)
  }
  process.kill(-Number(launcher.pid), 'SIGHUP')
  await lines(5)
  launcher.kill('SIGTERM')
  expect(await ended).toEqual([130, null])
  expect((await output).split('\n').slice(1)).toEqual(['SIGINT', 'SIGHUP', 'SIGINT', 'SIGHUP', 'SIGTERM', ''])
})

test.each(['both processes', 'the launcher alone'])(
  'a signal to %s ends a command without handlers of signals, and the launcher ends by the same signal',
  async (to) => {
    const { launcher, ended, lines } = launch('setInterval(() => {}, 1_000); console.log(process.pid)')
    await lines(1)
    process.kill(Number(launcher.pid) * (to === 'both processes' ? -1 : 1), 'SIGINT')
    expect(await ended).toEqual([null, 'SIGINT'])
  },
)

test('a command gets a SIGTERM when its launcher is killed', async () => {
  const { launcher, ended, output, lines } = launch(LISTENING)
  await lines(1)
  launcher.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect((await output).split('\n').slice(1)).toEqual(['SIGTERM', ''])
})

test('a command with nothing left to do ends by itself, without its launcher', async () => {
  const { ended, output } = launch(`console.log(JSON.stringify([process.send, process.env.SLUICE_LAUNCHED]))`)
  expect(await ended).toEqual([0, null])
  expect(await output).toBe('[null,null]\n')
})

test('SIGUSR1 opens a debugger neither in the command nor in its launcher', async () => {
  const { launcher, ended, output, errors, lines } = launch(LISTENING)
  await lines(1)
  process.kill(-Number(launcher.pid), 'SIGUSR1')
  // Both processes handle SIGUSR1 before the next signal.
  process.kill(-Number(launcher.pid), 'SIGHUP')
  await lines(2)
  launcher.kill('SIGTERM')
  expect(await ended).toEqual([130, null])
  expect((await output).split('\n').slice(1)).toEqual(['SIGHUP', 'SIGTERM', ''])
  expect(await errors).toBe('')
})

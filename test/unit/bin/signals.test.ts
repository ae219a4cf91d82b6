// Signals of a command that an older Node has started on the installed one: to both processes, as Ctrl-C, and to the
// launcher alone.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { checkout, OLD_NODE } from './checkout.ts'

/** Says each signal that it hears, and ends with the second kind. */
const LISTENING = `
for (const name of ['SIGINT', 'SIGHUP']) process.on(name, () => console.log(name))
process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(130) })
setInterval(() => {}, 1_000)
console.log(process.pid)`

interface Launched {
  readonly launcher: ChildProcess
  /** Of the launcher. */
  readonly ended: Promise<unknown[]>
  /** All that is said, once nobody can say any more. */
  readonly said: Promise<string>
  /** The same of standard error. */
  readonly complained: Promise<string>
  /** Resolves once so many lines have been said. */
  lines(count: number): Promise<readonly string[]>
}

/** In a group of its own, as a shell starts it. */
function launch(main: string): Launched {
  const root = checkout({ main })
  const launcher = spawn(process.execPath, [...OLD_NODE.args, path.join(root, 'sluice')], {
    cwd: root,
    env: { PATH: process.env.PATH, ...OLD_NODE.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let told = ''
  launcher.stdout.on('data', (chunk) => {
    told += chunk
  })
  onTestFinished(() => {
    try {
      process.kill(-Number(launcher.pid), 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  })
  return {
    launcher,
    ended: once(launcher, 'exit'),
    said: text(launcher.stdout),
    complained: text(launcher.stderr),
    async lines(count) {
      await expect.poll(() => told.split('\n').length - 1).toBeGreaterThanOrEqual(count)
      return told.split('\n').slice(0, -1)
    },
  }
}

test('a signal to both processes counts once, each time', async () => {
  const { launcher, ended, said, lines } = launch(LISTENING)
  await lines(1)
  for (let times = 1; times <= 5; times += 1) {
    process.kill(-Number(launcher.pid), 'SIGINT')
    await lines(1 + times)
  }
  // What is passed on keeps its order, so nothing of the signals before comes after this one.
  launcher.kill('SIGTERM')
  expect(await ended).toEqual([130, null])
  expect((await said).split('\n').slice(1)).toEqual([...Array(5).fill('SIGINT'), 'SIGTERM', ''])
})

test('a signal to the launcher alone reaches the command, also after one to both', async () => {
  const { launcher, ended, said, lines } = launch(LISTENING)
  await lines(1)
  for (const [at, name] of (['SIGINT', 'SIGHUP', 'SIGINT'] as const).entries()) {
    launcher.kill(name)
    await lines(2 + at)
  }
  process.kill(-Number(launcher.pid), 'SIGHUP')
  await lines(5)
  launcher.kill('SIGTERM')
  expect(await ended).toEqual([130, null])
  expect((await said).split('\n').slice(1)).toEqual(['SIGINT', 'SIGHUP', 'SIGINT', 'SIGHUP', 'SIGTERM', ''])
})

test.each(['both processes', 'the launcher alone'])(
  'a command that does not listen is ended by a signal to %s, and the launcher by the same',
  async (to) => {
    const { launcher, ended, lines } = launch('setInterval(() => {}, 1_000); console.log(process.pid)')
    await lines(1)
    process.kill(Number(launcher.pid) * (to === 'both processes' ? -1 : 1), 'SIGINT')
    expect(await ended).toEqual([null, 'SIGINT'])
  },
)

test('a command whose launcher was killed ends as at a SIGTERM', async () => {
  const { launcher, ended, said, lines } = launch(LISTENING)
  await lines(1)
  launcher.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect((await said).split('\n').slice(1)).toEqual(['SIGTERM', ''])
})

test('a command that has nothing left to do ends by itself, and knows nothing of its launcher', async () => {
  const { ended, said } = launch(`console.log(JSON.stringify([process.send, process.env.SLUICE_LAUNCHED]))`)
  expect(await ended).toEqual([0, null])
  expect(await said).toBe('[null,null]\n')
})

test('SIGUSR1 opens a debugger neither in the command nor in its launcher', async () => {
  const { launcher, ended, said, complained, lines } = launch(LISTENING)
  await lines(1)
  process.kill(-Number(launcher.pid), 'SIGUSR1')
  // Both are answered by the time that the next signal is.
  process.kill(-Number(launcher.pid), 'SIGHUP')
  await lines(2)
  launcher.kill('SIGTERM')
  expect(await ended).toEqual([130, null])
  expect((await said).split('\n').slice(1)).toEqual(['SIGHUP', 'SIGTERM', ''])
  expect(await complained).toBe('')
})

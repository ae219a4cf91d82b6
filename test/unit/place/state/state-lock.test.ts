// One process at a time uses a state directory, and a dead one does not hold it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../../../core/clock.ts'
import { lockState, type ProcessIdentity, thisProcess } from '../../../../place/state/state-lock.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

/** Bytes. PATH_MAX of Linux is 4,096 with the terminating zero. */
const LONGEST_PATH = 4_095

let stateDir: string
beforeEach(() => {
  stateDir = temporaryFolder()
})

/** Its time passes only in `sleep`. */
function manualClock(): Clock & { onSleep?: () => void } {
  let nowMs = 0
  const clock: Clock & { onSleep?: () => void } = {
    nowMs: () => nowMs,
    sleep: async (durationMs) => {
      nowMs += durationMs
      clock.onSleep?.()
    },
  }
  return clock
}

function endedProcess(): ProcessIdentity {
  return { pid: spawnSync('true').pid, started: 'long ago' }
}

test('a directory in use is refused with its path and the pid of its user, after the wait', async () => {
  await lockState({ stateDir, clock: manualClock() })
  const waits: number[] = []
  const second = lockState({ stateDir, clock: manualClock(), onWait: (pid) => waits.push(pid) })
  await expect(second).rejects.toMatchObject({
    exitCode: 1,
    code: 'state_in_use',
    message: `${stateDir} is in use by process ${process.pid}; nothing was started`,
  })
  expect(waits).toEqual([process.pid])
})

test('a waiting process gets the lock as soon as it is released', async () => {
  const first = await lockState({ stateDir, clock: manualClock() })
  const clock = manualClock()
  clock.onSleep = () => first.release()
  await expect(lockState({ stateDir, clock })).resolves.toBeDefined()
})

test('a lock whose process has ended is taken over at once', async () => {
  await lockState({ stateDir, clock: manualClock(), holder: endedProcess() })
  await expect(lockState({ stateDir, clock: manualClock(), waitMs: 0 })).resolves.toBeDefined()
})

test('a pid that was given to another process since does not hold the lock', async () => {
  const earlier = { pid: process.pid, started: 'before the last boot' }
  await lockState({ stateDir, clock: manualClock(), holder: earlier })
  await expect(lockState({ stateDir, clock: manualClock(), waitMs: 0 })).resolves.toBeDefined()
})

test('a lock file with partial content locks nothing', async () => {
  const { release } = await lockState({ stateDir, clock: manualClock() })
  release()
  const [name] = readdirSync(path.join(stateDir, 'lock'))
  writeFileSync(path.join(stateDir, 'lock', String(name)), '{"pid":')
  await expect(lockState({ stateDir, clock: manualClock(), waitMs: 0 })).resolves.toBeDefined()
})

test('taking the lock many times leaves one file behind', async () => {
  for (let turn = 0; turn < 5; turn += 1) (await lockState({ stateDir, clock: manualClock() })).release()
  expect(readdirSync(path.join(stateDir, 'lock'))).toEqual(['5'])
})

test('a state directory that cannot be created is a usage error that names it', async () => {
  const file = path.join(stateDir, 'file')
  writeFileSync(file, '')
  await expect(lockState({ stateDir: file, clock: manualClock() })).rejects.toMatchObject({
    exitCode: 2,
    message: `state: cannot use ${file} (ENOTDIR)`,
  })
})

test.runIf(existsSync('/proc/self'))('a state directory that /proc refuses is refused at once', async () => {
  await expect(lockState({ stateDir: '/proc/sluice-none', clock: manualClock() })).rejects.toMatchObject({
    exitCode: 2,
    message: 'state: cannot use /proc/sluice-none (ENOENT)',
    next: ['give ', { option: 'state' }, ' a directory on a disk of this machine that can be written'],
  })
})

const isLinux = process.platform === 'linux'
test.runIf(isLinux)(
  'a directory whose file system refuses the lock itself is refused at once, by its name',
  async () => {
    // Makes a path in which the folder `lock` still fits the limit, but a file in that folder is too long.
    let deep = stateDir
    while (deep.length < LONGEST_PATH - 260) deep = path.join(deep, 'd'.repeat(250))
    deep = path.join(deep, 'd'.repeat(LONGEST_PATH - deep.length - '/lock'.length - 2))
    mkdirSync(deep, { recursive: true, mode: 0o700 })
    await expect(lockState({ stateDir: deep, clock: manualClock() })).rejects.toMatchObject({
      exitCode: 2,
      code: 'state_unusable',
      message: `state: cannot use ${deep} (ENAMETOOLONG)`,
    })
  },
)

test('this process is alive under its own identity', () => {
  expect(thisProcess()).toEqual(thisProcess())
  expect(thisProcess().pid).toBe(process.pid)
})

test('a lock whose directory was removed or replaced is no longer held, and is released without an error', async () => {
  const lock = await lockState({ stateDir, clock: manualClock() })
  expect(lock.isHeld()).toBe(true)
  rmSync(stateDir, { recursive: true })
  expect(lock.isHeld()).toBe(false)
  lock.release()
  const successor = await lockState({ stateDir, clock: manualClock(), holder: { pid: process.ppid, started: 'then' } })
  expect(lock.isHeld()).toBe(false)
  lock.release()
  expect(successor.isHeld()).toBe(true)
})

test('a lock is no longer in place after its directory is moved, even if a copy is put there', async () => {
  const lock = await lockState({ stateDir, clock: manualClock() })
  expect(lock.isInPlace()).toBe(true)
  const elsewhere = `${stateDir}-elsewhere`
  renameSync(stateDir, elsewhere)
  expect(lock.isInPlace()).toBe(false)
  cpSync(elsewhere, stateDir, { recursive: true })
  expect([lock.isInPlace(), lock.isHeld()]).toEqual([false, false])
  rmSync(elsewhere, { recursive: true })
})

test('the content of the lock is for its owner only', async () => {
  await lockState({ stateDir, clock: manualClock() })
  const [name] = readdirSync(path.join(stateDir, 'lock'))
  expect(statSync(path.join(stateDir, 'lock', String(name))).mode & 0o777).toBe(0o600)
})

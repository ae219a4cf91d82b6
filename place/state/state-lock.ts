// Lets one process use a state directory. The lock is the highest numbered file in `<state>/lock`. The process named in
// it holds it while it lives, so kill -9 releases it and nobody cleans up. Nobody may remove a lock to take it: a
// successor makes the next number, which only one can. Start times distinguish a process from a later one with the same
// pid, because containers reuse a pid at once.

import { spawnSync } from 'node:child_process'
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DURABLE, draftOf } from '@sluice/embedded-aws'
import type { Clock } from '../../core/clock.ts'
import { ExitCode } from '../exit-code.ts'
import { systemCodeOf } from '../files/disk-fault.ts'
import { advice, option } from '../next-step.ts'
import { failedWith, OperationError } from '../operation-error.ts'
import { keepPrivate } from './private-directory.ts'
import { lockFolder } from './state-layout.ts'

const RETRY_MS = 50
/** Milliseconds that a second command waits for the first to end. Then it fails. */
export const LOCK_WAIT_MS = 30_000

/** Identifies a process, and no later one with its pid. */
export interface ProcessIdentity {
  readonly pid: number
  /** When the process started, as its system spells it; empty where that cannot be read. */
  readonly started: string
}

export interface StateLock {
  /** False once the directory was removed, or replaced by another. */
  isInPlace(): boolean
  /** The same, and false once another process has taken the lock. */
  isHeld(): boolean
  release(): void
}

interface LockOptions {
  readonly stateDir: string
  readonly clock: Clock
  readonly waitMs?: number
  /** Ends the wait. */
  readonly signal?: AbortSignal
  /** Called once, when another process holds the lock. */
  readonly onWait?: (holderPid: number) => void
  /** Called with a message where the directory was open to others. */
  readonly onRepaired?: (words: string) => void
  readonly holder?: ProcessIdentity
}

/** @throws OperationError (exit 1) that names the directory and the process that uses it. */
export async function lockState(options: LockOptions): Promise<StateLock> {
  const joined = await lockOrFind<never>(options, () => undefined)
  return 'lock' in joined ? joined.lock : joined.found
}

/**
 * The lock, or what `find` finds first while another process holds it. `find` throws to end the wait.
 * @throws OperationError (exit 1) that names the directory and the process that uses it
 */
export async function lockOrFind<Found>(
  options: LockOptions,
  find: () => Found | undefined,
): Promise<{ readonly lock: StateLock } | { readonly found: Found }> {
  const {
    stateDir,
    clock,
    waitMs = LOCK_WAIT_MS,
    signal,
    onWait,
    onRepaired = () => undefined,
    holder = thisProcess(),
  } = options
  // A refused directory stays unchanged, so it is checked before anything is made in it.
  const wasThere = isFolder(stateDir)
  if (wasThere) keepPrivate(stateDir, onRepaired)
  const lockDir = makeLockDir(stateDir)
  if (!wasThere) keepPrivate(stateDir, onRepaired)
  const giveUpAtMs = clock.nowMs() + waitMs
  let announced = false
  for (;;) {
    const found = find()
    if (found !== undefined) return { found }
    const outcome = tryLockOf(stateDir, lockDir, holder)
    if ('release' in outcome) return { lock: outcome }
    if (signal?.aborted || clock.nowMs() >= giveUpAtMs) throw inUse(stateDir, outcome.heldBy.pid)
    if (!announced) onWait?.(outcome.heldBy.pid)
    announced = true
    await clock.sleep(RETRY_MS)
  }
}

/** @throws OperationError (exit 2) where the system refuses the lock itself: waiting would not help */
function tryLockOf(
  stateDir: string,
  lockDir: string,
  holder: ProcessIdentity,
): StateLock | { heldBy: ProcessIdentity } {
  try {
    return tryLock(lockDir, holder)
  } catch (error) {
    throw systemCodeOf(error) === undefined ? error : unusable(stateDir, error)
  }
}

function tryLock(lockDir: string, holder: ProcessIdentity): StateLock | { heldBy: ProcessIdentity } {
  for (;;) {
    const latest = latestNumber(lockDir)
    const heldBy = latest === 0 ? undefined : readHolder(lockDir, latest)
    if (heldBy !== undefined && isAlive(heldBy)) return { heldBy }
    const mine = latest + 1
    if (!createNumber(lockDir, mine, holder)) continue
    // A slow contender may have made a number whose successor has come and gone. Only the highest number holds the
    // lock.
    if (latestNumber(lockDir) !== mine) {
      rmSync(fileOf(lockDir, mine), { force: true })
      continue
    }
    for (const number of numbersIn(lockDir)) if (number < mine) rmSync(fileOf(lockDir, number), { force: true })
    const isInPlace = placeOf(lockDir)
    const isHeld = () => isInPlace() && isSame(readHolder(lockDir, mine), holder)
    return { isInPlace, isHeld, release: () => isHeld() && release(fileOf(lockDir, mine)) }
  }
}

function isSame(found: ProcessIdentity | undefined, { pid, started }: ProcessIdentity): boolean {
  return found?.pid === pid && found.started === started
}

/** A copy has the same files, and another inode. In doubt the answer is yes: only a missing folder counts as gone. */
function placeOf(lockDir: string): () => boolean {
  const { dev, ino } = statSync(lockDir)
  return () => {
    try {
      const now = statSync(lockDir)
      return now.dev === dev && now.ino === ino
    } catch (error) {
      const code = systemCodeOf(error)
      return code !== 'ENOENT' && code !== 'ENOTDIR'
    }
  }
}

/** The file stays, so that numbers only grow. Without a holder in it, it locks nothing. */
function release(file: string): void {
  try {
    writeFileSync(file, '')
  } catch {
    // The end of this process also releases the lock, and this error must not hide the command's result.
  }
}

/** True when this call made it: link(2) is atomic and never replaces. */
function createNumber(lockDir: string, number: number, holder: ProcessIdentity): boolean {
  const draft = draftOf(path.join(lockDir, String(holder.pid)))
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600, flag: 'wx' })
    linkSync(draft, fileOf(lockDir, number))
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    removeDraft(draft)
  }
}

/** A later command removes it as well, and its error must not hide the first one. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {}
}

function readHolder(lockDir: string, number: number): ProcessIdentity | undefined {
  try {
    // The process that made the number wrote the file whole.
    const holder: ProcessIdentity = JSON.parse(readFileSync(fileOf(lockDir, number), 'utf8'))
    return holder
  } catch {
    // Released (empty), or just replaced by a higher number.
    return undefined
  }
}

function fileOf(lockDir: string, number: number): string {
  return path.join(lockDir, String(number))
}

function numbersIn(lockDir: string): number[] {
  return readdirSync(lockDir)
    .filter((name) => /^[1-9][0-9]{0,14}$/.test(name))
    .map(Number)
}

function latestNumber(lockDir: string): number {
  return Math.max(0, ...numbersIn(lockDir))
}

/** A folder that cannot be read is reported when the lock is made in it. */
function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}

function makeLockDir(stateDir: string): string {
  const lockDir = lockFolder(stateDir)
  try {
    // The journal and keys lie below the state directory, so a power cut must not lose its name.
    DURABLE.makeFolder(lockDir)
    return lockDir
  } catch (error) {
    throw unusable(stateDir, error)
  }
}

function unusable(stateDir: string, error: unknown): OperationError {
  const code = systemCodeOf(error)
  const isRefused = code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS'
  return new OperationError(
    {
      exitCode: ExitCode.Usage,
      code: 'state_unusable',
      message: advice`${option('state')}: cannot use ${stateDir} (${code}${isRefused ? ': its file system refuses a lock, which is a hard link' : ''})`,
      next: code === 'ENOSPC' || code === 'EDQUOT' ? 'make room on that disk' : FITTING,
    },
    { cause: error },
  )
}

const FITTING = advice`give ${option('state')} a directory on a disk of this machine that can be written`

function inUse(stateDir: string, pid: number): OperationError {
  return failedWith(
    'state_in_use',
    `${stateDir} is in use by process ${pid}; nothing was started`,
    'wait until that command ends and run this one again: the same id in another directory would move again',
  )
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) }
}

/** In doubt the answer is yes, because a stuck lock is safer than two processes that hold it. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (!exists(pid)) return false
  const now = startOf(pid)
  return now === started || now === '' || started === ''
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists and belongs to somebody else.
    return systemCodeOf(error) !== 'ESRCH'
  }
}

const PS_TIMEOUT_MS = 2_000

function startOf(pid: number): string {
  if (process.platform === 'linux') return linuxStartOf(pid)
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: PS_TIMEOUT_MS })
  return ps.stdout?.trim() ?? ''
}

/** Boot id and start tick: field 22 of proc(5) stat, counted after the command's closing bracket. */
function linuxStartOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${tick}`
  } catch {
    return ''
  }
}

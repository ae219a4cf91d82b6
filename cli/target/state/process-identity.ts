// Tells a process from a later one with the same pid. Containers reuse a pid at once.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { systemCodeOf } from '../../terminal/system-error.ts'

export interface ProcessIdentity {
  readonly pid: number
  /** When the process started, as its system spells it; empty where that cannot be read. */
  readonly started: string
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) }
}

/** In doubt the answer is yes, because a lock that stays shut is safer than a lock that two processes hold. */
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

// Keeps the running processes, among which a killer chooses. Each process has a time limit. A process beyond its limit
// hangs; it is ended and reported. Every start and end is a line of a log.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { type Ended, type Running, startSluice } from '../../../integration/cli/command-line.ts'

export interface EndedCommand extends Ended {
  /** Whether it was killed on purpose. Its exit code then means nothing. */
  readonly isKilled: boolean
}

/** A process that may be killed now. */
export interface Living {
  readonly name: string
  readonly role: Role
  readonly pid: number
  kill(): Promise<boolean>
}

export type Role = 'serve' | 'client'

interface Start {
  readonly name: string
  readonly role: Role
  readonly args: readonly string[]
  /** Absent: it runs until it is stopped. */
  readonly longestMs?: number
}

export interface Started {
  readonly running: Running
  readonly ended: Promise<EndedCommand>
}

export interface Processes {
  start(command: Start): Started
  living(role: Role): readonly Living[]
  stop(): Promise<void>
}

/** `dir`: folder of the log. `onHang`: called with the name of a command that took too long. */
export function createProcesses(dir: string, onHang: (name: string, longestMs: number) => void): Processes {
  const startedMs = performance.now()
  const log = (line: string) => {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(2)
    appendFileSync(path.join(dir, 'commands.log'), `${seconds.padStart(8)} ${line}\n`)
  }
  const all = new Map<Living, Promise<EndedCommand>>()
  const start: Processes['start'] = ({ name, role, args, longestMs }) => {
    const running = startSluice(args)
    const { child } = running
    let isKilled = false
    const timer =
      longestMs === undefined
        ? undefined
        : setTimeout(() => {
            onHang(name, longestMs)
            child.kill('SIGKILL')
          }, longestMs)
    const ended = running.ended.then((end): EndedCommand => {
      clearTimeout(timer)
      all.delete(living)
      const { exitCode, signal } = end
      // The process may have ended just before the kill reached it.
      const outcome = { ...end, isKilled: isKilled && signal === 'SIGKILL' }
      log(`${outcome.isKilled ? 'killed' : `ended ${exitCode ?? signal}`}  ${name} (${child.pid})${lastLine(end)}`)
      return outcome
    })
    const living: Living = {
      name,
      role,
      pid: child.pid ?? 0,
      async kill() {
        isKilled = true
        child.kill('SIGKILL')
        return (await ended).isKilled
      },
    }
    all.set(living, ended)
    log(`start  ${name} (${child.pid})`)
    return { running, ended }
  }
  return {
    start,
    living: (role) => [...all.keys()].filter((each) => each.role === role),
    async stop() {
      await Promise.all([...all].map(([each]) => each.kill()))
    },
  }
}

/** The last line that a person would see, if the command failed. */
function lastLine({ exitCode, stdout, stderr }: Ended): string {
  const last = (stderr.trim() || (exitCode === 0 ? '' : stdout.trim())).split('\n').at(-1) ?? ''
  return last === '' ? '' : `: ${last}`
}

// A process that tries mutants one after another. A mutant may never end: once it has used its processor time, its helper is
// ended with everything that it started, and the next mutant gets another.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

export const TIMED_OUT = Symbol('timed out')

/** Processor time until a helper is ready, far beyond what it takes. */
const START_LIMIT_SECONDS = 120
const LOOK_EVERY_MS = 1_000
/** Linux counts the time of every process in these. */
const TICKS_IN_A_SECOND = 100

export class Helper<Message extends object, Answer> {
  readonly #file: string
  #child: ChildProcess | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** @throws Error if the helper ends by itself */
  async ask(message: Message, limitSeconds: number): Promise<Answer | typeof TIMED_OUT> {
    const child = this.#child ?? (await this.#begin())
    const answer = this.#hear<Answer>(child, limitSeconds)
    child.send(message)
    return answer
  }

  stop(): void {
    const pid = this.#child?.pid
    this.#child = undefined
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  }

  /** Its first message says that it is ready. It has its own process group, so that the workers of Vitest end with it. */
  async #begin(): Promise<ChildProcess> {
    this.#child = fork(new URL(this.#file, import.meta.url), { detached: true })
    const child = this.#child
    if ((await this.#hear(child, START_LIMIT_SECONDS)) === TIMED_OUT) throw new Error(`${this.#file} did not start`)
    return child
  }

  async #hear<Heard>(child: ChildProcess, limitSeconds: number): Promise<Heard | typeof TIMED_OUT> {
    const limit = usedSeconds(child.pid) + limitSeconds
    const timer = setInterval(() => {
      if (usedSeconds(child.pid) > limit) this.stop()
    }, LOOK_EVERY_MS)
    const over = new AbortController()
    const ended = once(child, 'exit', over).then((): typeof TIMED_OUT => {
      if (this.#child !== child) return TIMED_OUT
      this.#child = undefined
      throw new Error(`${this.#file} ended by itself`)
    })
    try {
      const heard = once(child, 'message', over).then(([message]) => message as Heard)
      return await Promise.race([heard, ended])
    } finally {
      clearInterval(timer)
      ended.catch(() => undefined)
      over.abort()
    }
  }
}

/** Processor time of a process group. Where `/proc` does not tell it, the time of a clock. */
function usedSeconds(group: number | undefined): number {
  try {
    const ticks = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ticksOf(pid, String(group)))
    return ticks.reduce((sum, each) => sum + each, 0) / TICKS_IN_A_SECOND
  } catch {
    return performance.now() / 1_000
  }
}

function ticksOf(pid: string, group: string): number {
  try {
    // The name of the program is in parentheses, and may contain spaces.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ')
    // Its own time, and that of its children that have ended.
    return fields[2] === group ? fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) : 0
  } catch {
    // It ended meanwhile.
    return 0
  }
}

// A process whose ports a test attacks, started from a script that answers over IPC: the one message with which it
// starts, and one for each that it is sent. `memory` is answered by `tellMemory`.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Memory {
  /** What is still in use after a collection. */
  readonly keptBytes: number
  /** The most that the process ever had. */
  readonly mostBytes: number
}

export interface AttackedProcess<Started> {
  readonly started: Started
  /** The next message after this one was sent. Rejects where the process has ended instead. */
  ask<Message>(message: string): Promise<Message>
  stop(): Promise<void>
}

export async function startAttackedProcess<Started>(
  script: string,
  args: readonly string[] = [],
): Promise<AttackedProcess<Started>> {
  const child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const started = await told<Started>(child)
  return {
    started,
    ask(message) {
      child.send(message)
      return told(child)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function told<Message>(child: ChildProcess): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  const onExit = (code: number | null, signal: string | null) => reject(new Error(`it ended: ${code ?? signal}`))
  child.once('message', (message) => resolve(message as Message)).once('exit', onExit)
  return promise.finally(() => child.off('exit', onExit))
}

/** Within the process. */
export function tell(message: object): void {
  process.send?.(message)
}

/** Within the process. */
export function tellMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { arrayBuffers, external, heapUsed } = process.memoryUsage()
  // maxRSS is in KiB.
  const mostBytes = process.resourceUsage().maxRSS * 1024
  tell({ keptBytes: arrayBuffers + external + heapUsed, mostBytes } satisfies Memory)
}

// Starts a process whose ports a test attacks. The process's script talks over IPC: it sends one message at its start,
// and one for each message that it receives. It answers `memory` with `tellMemory`.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Memory {
  /** Bytes in use after a collection. */
  readonly keptBytes: number
  /** Maximum bytes that the process ever had. */
  readonly mostBytes: number
}

export interface AttackedProcess<Started> {
  readonly started: Started
  /** Sends a message and returns the next answer. Rejects if the process has ended. */
  ask<Message>(message: string): Promise<Message>
  stop(): Promise<void>
}

export async function startAttackedProcess<Started>(
  script: string,
  args: readonly string[] = [],
): Promise<AttackedProcess<Started>> {
  const child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const started = await nextMessage<Started>(child)
  return {
    started,
    ask(message) {
      child.send(message)
      return nextMessage(child)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  const onExit = (code: number | null, signal: string | null) => reject(new Error(`it ended: ${code ?? signal}`))
  child.once('message', (message) => resolve(message as Message)).once('exit', onExit)
  return promise.finally(() => child.off('exit', onExit))
}

/** Sends a message from within the process. */
export function tell(message: object): void {
  process.send?.(message)
}

/** Sends the memory figures from within the process. */
export function tellMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { arrayBuffers, external, heapUsed } = process.memoryUsage()
  // maxRSS is in KiB.
  const mostBytes = process.resourceUsage().maxRSS * 1024
  tell({ keptBytes: arrayBuffers + external + heapUsed, mostBytes } satisfies Memory)
}

// Whether the process that serves a directory answers at all. One that was suspended (Ctrl-Z), or that a debugger has
// stopped, is alive and silent: nobody may wait for it without an end. Another one is alive, and its connections fail. It
// asks for nothing, and changes nothing.
import { findConnectionCode } from '../../../core/error-name.ts'
import { ExitCode } from '../../exit-code.ts'
import { OperationError } from '../../operation-error.ts'
import type { Desk } from './desk-file.ts'

// Not imported, for that evaluates all that the module exports, among that a client of WebSockets: 25 ms of each start.
const { get } = process.getBuiltinModule('node:http')

/** Any answer will do, and costs a desk a few milliseconds. One that is very busy is asked again. */
const ANSWER_WITHIN_MS = 2_000
const MOST_ASKS = 3

/** `gone`: nobody listens there any more. */
export type Presence = 'answers' | 'silent' | 'gone'

/** Takes at most six seconds. */
export async function askWhetherThere({ endpointUrl }: Desk): Promise<Presence> {
  for (let asks = 1; ; asks += 1) {
    const presence = await ask(endpointUrl)
    if (presence !== 'silent' || asks === MOST_ASKS) return presence
  }
}

/** The request carries no signature, so it is refused. */
function ask(endpointUrl: string): Promise<Presence> {
  const { promise, resolve } = Promise.withResolvers<Presence>()
  const request = get(endpointUrl, { agent: false, timeout: ANSWER_WITHIN_MS }, () => {
    resolve('answers')
    request.destroy()
  })
  request.on('timeout', () => {
    resolve('silent')
    request.destroy()
  })
  request.on('error', () => resolve('gone'))
  return promise
}

/** What was asked of it may still be in its connection, and is done when it goes on. */
export function silentDesk(stateDir: string, { command, holder: { pid } }: Desk, cause?: unknown): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'unreachable',
      message: `process ${pid} (${command}) serves ${stateDir} and does not answer: it may be suspended; what this command has asked of it may still be done when it goes on`,
      next: `let it go on (fg in its terminal, or kill -CONT ${pid}), or end it (kill -9 ${pid}: nothing is lost), and run this command again`,
    },
    { cause },
  )
}

/** It is alive, and the connection to it fails each time. */
export function brokenDesk(stateDir: string, { command, holder: { pid } }: Desk, cause: unknown): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'unreachable',
      message: `process ${pid} (${command}) serves ${stateDir}, and the connection to it failed (${findConnectionCode(cause) ?? 'no answer'}); what this command has asked of it may have been done`,
      next: `run this command again; where that repeats itself, look at what process ${pid} prints, or end it (kill -9 ${pid}: nothing is lost) and start it again`,
    },
    { cause },
  )
}

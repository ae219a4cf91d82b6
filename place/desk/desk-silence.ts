// Finds out whether the process that serves a directory answers at all. A suspended process (Ctrl-Z), or one that a
// debugger stopped, is alive and silent. Nobody may wait for it without a bound. Another may be alive while its
// connections fail. The request is not signed, so that the process refuses it and changes nothing.
import { findConnectionCode } from '../../core/error-name.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'
import type { Desk } from './desk-file.ts'

// Not imported, because an import evaluates all exports of the module, among them a WebSocket client: 25 ms of each
// start.
const { get } = process.getBuiltinModule('node:http')

/** Any answer counts, and costs a desk a few milliseconds. A very busy desk is asked again. */
const ANSWER_WITHIN_MS = 2_000
const MOST_ASKS = 3

/** `gone`: nothing listens there any longer. */
type Presence = 'answers' | 'silent' | 'gone'

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

/** A request may still be in its connection, and is carried out when the process continues. */
export function silentDesk(stateDir: string, { command, holder: { pid } }: Desk, cause?: unknown): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'unreachable',
      message: `process ${pid} (${command}) serves ${stateDir} and does not answer: it may be suspended; what this command has asked of it may still be done when it continues`,
      next: `let it continue (fg in its terminal, or kill -CONT ${pid}), or end it (kill -9 ${pid}: nothing is lost), and run this command again`,
    },
    { cause },
  )
}

/** The process is alive, and the connection to it fails each time. */
export function brokenDesk(stateDir: string, { command, holder: { pid } }: Desk, cause: unknown): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'unreachable',
      message: `process ${pid} (${command}) serves ${stateDir}, and the connection to it failed (${findConnectionCode(cause) ?? 'no answer'}); what this command has asked of it may have been done`,
      next: `run this command again; if this repeats, look at what process ${pid} prints, or end it (kill -9 ${pid}: nothing is lost) and start it again`,
    },
    { cause },
  )
}

// `sluice events trigger`: puts one event on the bus that asks for a movement. It first makes the check of the receiving
// function, and then waits for the start or the refusal. It starts no execution itself.

import { randomBytes } from 'node:crypto'
import { EVENT_VERSION, type RequestEvent } from '../../../core/contract/events.ts'
import { errorText } from '../../../core/error-name.ts'
import { Refused } from '../../../core/errors.ts'
import { startOfRequest } from '../../../core/triggers/requested-start.ts'
import type { Start } from '../../../core/triggers/starter.ts'
import { type Followed, findStarted, followStart } from '../../../operations/events/follow-start.ts'
import { type TriggerKind, triggerKinds } from '../../../operations/events/trigger-kinds.ts'
import { inputOf } from '../../../operations/runs/run-input.ts'
import type { Progress } from '../../../place/context.ts'
import { askingText } from '../../../place/events/dead-letter.ts'
import { type EventConnection, withEventConnection } from '../../../place/events/event-connection.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { orInterrupted, untilInterrupted } from '../../../place/interruption.ts'
import type { ConnectionFlags } from '../../../place/next-step.ts'
import { failedWith, OperationError, unfit, usageError } from '../../../place/operation-error.ts'
import { printable, printableJson } from '../../../views/text/shown.ts'
import { INVOCATION, sameCommand } from '../../terminal/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { createProgress } from '../../terminal/progress.ts'

export interface TriggerFlags extends ConnectionFlags {
  readonly input?: string
  /** The operand: a file, `-`, or the name of a policy. */
  readonly given?: string
  readonly id?: string
  /** Seconds, or false with --no-wait. */
  readonly wait?: string | boolean
}

/** The `source` of these events. Results have the source `sluice`. */
const SOURCE = 'sluice-trigger'
const DEFAULT_WAIT_SECONDS = 240
const MOST_WAIT_SECONDS = 600

interface Request {
  readonly id: string
  readonly detailType: RequestEvent
  readonly detail: object
  readonly noun: string
  readonly words: string
  /** The same command with the event's id. */
  readonly again: string
  readonly waitMs: number
}

/** @throws OperationError: exit 2 for input, exit 1 for a refusal, exit 3 where the bus has it and no start is seen */
export async function trigger(kind: TriggerKind, flags: TriggerFlags, context: CommandContext): Promise<ExitCode> {
  const request = await readRequestOf(kind, flags, context)
  const signal = context.catchInterruption()
  const progress = createProgress(context.output, context.clock)
  const put = withEventConnection(flags, 'bus', context, (connection) =>
    putOnce(request, connection, progress, { ...context, clock: untilInterrupted(context.clock, signal) }),
  )
  try {
    return await orInterrupted(put, signal, request.again)
  } finally {
    progress.end()
  }
}

async function readRequestOf(
  kind: TriggerKind,
  { given, id: givenId, input, wait }: TriggerFlags,
  { argv, stdin }: CommandContext,
): Promise<Request> {
  const { detailType, noun, read } = triggerKinds[kind]
  const waitMs = readWaitMs(wait)
  const file = inputOf(
    { ...(input !== undefined && { input }), ...(given !== undefined && { given }) },
    `${INVOCATION} events trigger ${kind} --help`,
  )
  const { fields, words } = await read(file, given !== undefined, stdin)
  const id = givenId ?? `trigger-${randomBytes(8).toString('hex')}`
  const detail = { version: EVENT_VERSION, id, ...fields }
  return { id, detailType, detail, noun, words, again: sameCommand(argv, id), waitMs }
}

function readWaitMs(wait: TriggerFlags['wait']): number {
  if (wait === false) return 0
  if (typeof wait !== 'string') return DEFAULT_WAIT_SECONDS * 1000
  const seconds = /^[1-9][0-9]{0,2}$/.test(wait) ? Number(wait) : 0
  if (seconds >= 1 && seconds <= MOST_WAIT_SECONDS) return seconds * 1000
  const problem = `expected a whole number of seconds from 1 to ${MOST_WAIT_SECONDS}; got something else`
  throw unfit('wait', problem, 'correct --wait, or give --no-wait')
}

async function putOnce(
  request: Request,
  connection: EventConnection,
  progress: Progress,
  context: CommandContext,
): Promise<ExitCode> {
  const { clock, output } = context
  const { id, detailType, detail, words, again } = request
  const start = startOf(request, connection)
  output.service(connection.service)
  progress.line({ label: 'trigger', text: `${words}, id ${id}, execution ${start.name}`, tone: 'plain' })
  const facts = { id, source: SOURCE, detailType, stateMachine: start.stateMachine, execution: start.name }
  const ended = (outcome: string, text: string, eventId?: string) => {
    progress.end()
    const json = printableJson({ outcome, ...facts, ...(eventId !== undefined && { eventId }) })
    output.data(output.json ? json : `${outcome}  ${text}`)
    output.next([{ do: 'show-movement', id: start.name }, `${again}   # safe: the same id moves once`])
    return ExitCode.Done
  }
  const known = await findStarted(connection, start)
  if (known === 'other') throw idInUse(request)
  if (known !== undefined)
    return ended('ALREADY_STARTED', `${start.name} was started by this id before; nothing was put`)

  const eventId = await connection.put({ source: SOURCE, detailType, detail }).catch((error: unknown) => {
    throw isRefusal(error) ? error : perhapsPut(request, error)
  })
  progress.line({ label: 'put', text: `on the bus of ${connection.name}, as event ${eventId}`, tone: 'good' })
  if (request.waitMs === 0) return ended('PUT', `the bus has it; it will begin ${start.name}`, eventId)
  const text = 'not begun yet; a refusal by the function comes after three minutes of retries'
  progress.live({ label: 'waiting', text, tone: 'wait' })
  const followed: Followed = await followStart({ connection, start, eventId, clock, waitMs: request.waitMs }).catch(
    (error: unknown) => {
      // The bus has the event, so money may move whatever this error is.
      throw error instanceof OperationError
        ? error
        : notSeen(request, `it could not be looked for (${errorText(error)})`)
    },
  )
  if (followed.kind === 'begun') return ended('STARTED', `${start.stateMachine} ${start.name}`, eventId)
  if (followed.kind === 'unknown') throw notSeen(request, `within ${request.waitMs / 1000} s`)
  throw refusedLater(request, followed)
}

/** Whether it is certain that the bus lacks the event. The refusal of a retry says nothing about the first try. */
function isRefusal(error: unknown): boolean {
  if (error instanceof OperationError) return true
  const { $metadata: { attempts = 0, httpStatusCode = 0 } = {} } = error as {
    readonly $metadata?: { readonly attempts?: number; readonly httpStatusCode?: number }
  }
  return attempts === 1 && httpStatusCode >= 400 && httpStatusCode < 500
}

/** Refuses here what the function would refuse, so that it is never put. */
function startOf({ id, detail, detailType }: Request, { account, treasury }: EventConnection): Start {
  try {
    return startOfRequest({ 'detail-type': detailType, account, detail }, treasury.policies)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const message = `${whole(id, detailType)}: refused: ${error.message}; nothing was put on the bus`
    throw usageError('input', message, 'correct the event and run the command again')
  }
}

function idInUse({ id, detailType, noun }: Request): OperationError {
  return new OperationError({
    exitCode: ExitCode.Usage,
    code: 'id_in_use',
    message: `${whole(id, detailType)}: refused: this id was used for another ${noun}; nothing was put on the bus`,
    next: `use the first input with this id; another --id makes another ${noun}, beside the first`,
  })
}

function refusedLater(
  { id, detailType }: Request,
  { reason, letterId }: Extract<Followed, { kind: 'refused' }>,
): OperationError {
  return failedWith(
    'refused',
    `${whole(id, detailType)}: refused: ${printable(reason)}; it has started nothing`,
    letterId === undefined
      ? { do: 'list-letters', why: 'it is kept there in some three minutes' }
      : { do: 'show-letter', id: letterId },
  )
}

function notSeen({ id, detailType, again }: Request, why: string): OperationError {
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'in_doubt',
    message: `${whole(id, detailType)}: the bus has it, and it has neither begun nor been refused: ${why}`,
    next: `${again}   # safe: the same id moves once; another id would be another movement`,
  })
}

function perhapsPut({ id, detailType, again }: Request, cause: unknown): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.NeedsPerson,
      code: 'in_doubt',
      message: `${whole(id, detailType)}: the bus did not answer (${errorText(cause)}); whether it has the event is unknown`,
      next: `${again}   # safe: the same id moves once; another id would be another movement`,
    },
    { cause },
  )
}

function whole(id: string, detailType: RequestEvent): string {
  return printable(askingText({ id, detailType, source: SOURCE }))
}

// `sluice serve`: runs the embedded AWS until it is stopped. It keeps the schedules of the policies, takes PutEvents at a
// local address, and reports events and executions. It decides nothing: the deployed rules start the runs.

import { Readable } from 'node:stream'
import type { EmbeddedAws, FailedInvocation } from '@sluice/embedded-aws'
import type { OpenConsole } from '../../console/open-console.ts'
import type { Clock } from '../../core/clock.ts'
import { ErrorName } from '../../core/contract/errors.ts'
import { DEAD_LETTER_QUEUE } from '../../core/contract/events.ts'
import { admitService } from '../../place/account/admit-service.ts'
import { readNamedService, readTreasury } from '../../place/configuration.ts'
import type { Progress } from '../../place/context.ts'
import { type EmbeddedSession, withEmbeddedSession } from '../../place/desk/embedded-session.ts'
import { assertFree, findFreePort, readPort } from '../../place/desk/free-port.ts'
import { withWhatMoved } from '../../place/desk/what-moved.ts'
import {
  type AskingEvent,
  askingText,
  type QueueMessage,
  readAsking,
  readDeadLetter,
} from '../../place/events/dead-letter.ts'
import type { ServedEvent } from '../../place/executions/execution-history.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { readText } from '../../place/files/text-file.ts'
import { recordVerified } from '../../place/journal/journal-client.ts'
import { sendingRoles } from '../../place/named-policy.ts'
import { OperationError } from '../../place/operation-error.ts'
import { noteServiceAt } from '../../place/place.ts'
import { type Flags, resolveSettings } from '../../place/settings.ts'
import { createServedLines } from '../../views/narration/served-events.ts'
import { printable } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { isWatched } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'
import { printReady, readyOf } from './ready.ts'

interface Refusals {
  /** An attempt of a function failed. */
  failed(failed: FailedInvocation): void
  /** A queue keeps a new letter. */
  kept(queue: string, message: QueueMessage): void
}

/** Maximum reported events whose letter has not come. The oldest are forgotten, and are then reported twice. */
const MOST_REMEMBERED = 10_000

export function createRefusals(progress: Pick<Progress, 'line'>, write: (facts: object) => void): Refusals {
  const reported = new Set<string>()
  const facts = ({ id, source, detailType }: AskingEvent) => ({ id, source, detailType })
  return {
    failed({ errorMessage, errorType, onFailureArn, payload }) {
      // After other errors a retry may still succeed.
      if (errorType !== ErrorName.Refused) return
      const asked = readAsking(JSON.parse(payload))
      const key = keyOf(asked)
      if (reported.has(key)) return
      reported.add(key)
      for (const oldest of reported) {
        if (reported.size <= MOST_REMEMBERED) break
        reported.delete(oldest)
      }
      const reason = `${errorType}: ${errorMessage}`
      progress.line({ label: 'refused', text: `${askingText(asked)}: ${reason}`, tone: 'bad' })
      write({ event: 'refused', queue: onFailureArn?.split(':').at(-1), reason, ...facts(asked) })
    },
    kept(queue, message) {
      const { asked, letterId, reason } = readDeadLetter(message)
      const wasReported = reported.delete(keyOf(asked))
      const text = wasReported ? `dead letter ${letterId}` : `${reason}; dead letter ${letterId}`
      const label = wasReported ? 'kept' : 'refused'
      progress.line({ label, text: `${askingText(asked)}: ${text}`, tone: wasReported ? 'plain' : 'bad' })
      write({ event: wasReported ? 'dead-letter' : 'refused', queue, reason, ...facts(asked), letter: letterId })
    },
  }
}

/** Unique for each time that an event was put, or that a schedule fired. */
function keyOf({ detailType, eventId, id }: AskingEvent): string {
  return eventId ?? `${detailType} ${id}`
}

interface ServeFlags extends Flags {
  readonly port?: string
  readonly functionUrlPort?: string
  readonly jsonl?: true
  /** False with --no-console. */
  readonly console?: boolean
}

/** Time between two reads of the dead-letter queue. */
const POLL_MS = 500

/**
 * Exits with 0 when it is stopped after it was ready.
 * @throws OperationError when it could not start
 */
export async function serve(flags: ServeFlags, context: CommandContext): Promise<ExitCode> {
  try {
    return await serveUntilStopped(flags, context)
  } catch (error) {
    throw await withWhatMoved(error, { flags, again: { do: 'serve' } as const }, context)
  }
}

async function serveUntilStopped(flags: ServeFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, stdin, variables } = context
  const settings = resolveSettings(flags, variables)
  const treasury = readTreasury(settings.configFile)
  // The keys are read once here, because the commands of the console need them too.
  const keys = settings.service?.keysFile === '-' ? await readText('-', 'keys', stdin) : undefined
  const keysInput = keys === undefined ? stdin : Readable.from([keys])
  const service = await readNamedService(settings, treasury, sendingRoles(treasury), keysInput)
  const askedPort = flags.port === undefined ? undefined : readPort(flags.port, 'port')
  const functionUrlPort = await urlPortOf(flags)
  noteServiceAt(output, { flags: {}, treasury }, settings.service?.url)
  const progress = createProgress(output, clock, 'absolute')
  const reporter = createReporter(flags.jsonl === true, progress, context)
  const stopped = context.catchInterruption()
  let isReady = false
  let opened: OpenConsole | undefined
  const options = {
    ...settings,
    treasury,
    service,
    command: 'serve',
    // Another process in the directory ends by itself, and this one waits for that end.
    waitMs: Number.POSITIVE_INFINITY,
    roles: sendingRoles(treasury),
    progress,
    prepare: () => admitService(settings.stateDir, service, clock),
    port: askedPort === undefined ? undefined : await nextFreePort(askedPort, output),
    functionUrlPort,
    onEvent: reporter.onEvent,
    onClockSetBack: reporter.onClockSetBack,
    onFailedInvocation: reporter.refusals.failed,
    executionEvents: true,
    again: { do: 'serve' } as const,
  }
  try {
    return await withEmbeddedSession(
      options,
      { clock, variables, catchInterruption: () => stopped },
      async (embedded, signal) => {
        const { aws } = embedded
        reporter.attach(aws)
        // The service has accepted the keys, or they belong to the built-in sandbox.
        await recordVerified(aws, clock.nowMs())
        const served = { serviceUrl: service?.url, policies: treasury.policies, nowMs: clock.nowMs() }
        opened = await openConsoleFor(flags, { keys, signal }, context)
        const ready = { ...readyOf(embedded, served), ...(opened && { consoleUrl: opened.newLink() }) }
        // This line comes first, because a program waits for it, and the schedules may report something at once.
        printReady(ready, flags.jsonl === true, context)
        aws.schedules.start()
        isReady = true
        reportNew(embedded, progress)
        progress.line({ label: 'serving', text: servingText(aws), tone: 'good' })
        await watchDeadLetters(aws, reporter.refusals, clock, signal)
        return ExitCode.Done
      },
    )
  } catch (error) {
    if (!isReady || !(error instanceof OperationError) || error.code !== 'interrupted') throw error
    output.note('stopped; what is unfinished continues with the next serve, run or approve in this state directory')
    output.next([{ do: 'serve' }, { do: 'list-runs' }])
    return ExitCode.Done
  } finally {
    progress.end()
    await opened?.stop()
  }
}

/**
 * Opens the console only where a person sees its link, because a link in a log would let in every reader of the log.
 * `sluice console` prints a link there.
 */
async function openConsoleFor(
  flags: ServeFlags,
  { keys, signal }: { readonly keys: string | undefined; readonly signal: AbortSignal },
  context: CommandContext,
): Promise<OpenConsole | undefined> {
  if (flags.console === false || flags.jsonl === true || !isWatched(context)) return undefined
  const { openConsole } = await import('../../console/open-console.ts')
  const connectionFlags = { state: flags.state, service: flags.service, keys: flags.keys, config: flags.config }
  const given = Object.fromEntries(Object.entries(connectionFlags).filter(([, value]) => value !== undefined))
  return openConsole({ flags: given, context, port: 0, signal, keys, spell: context.output.spell })
}

/** Warns the person who serves, because nobody confirms an event before it starts a run. */
function reportNew({ folder: { newSince } }: EmbeddedSession, progress: Progress): void {
  if (newSince === undefined) return
  const text = `this directory does not know what moved before ${newSince}: an event that another directory carried out would move again`
  progress.line({ label: 'found', text, tone: 'wait' })
}

async function nextFreePort(askedPort: number, output: CommandContext['output']): Promise<number> {
  const port = await findFreePort(askedPort)
  if (port !== askedPort) output.note(`port ${askedPort} is taken: serving at ${port}`)
  return port
}

/**
 * A tunnel leads to this port, so no other port can replace it.
 * @throws OperationError where it is taken
 */
async function urlPortOf({ functionUrlPort }: ServeFlags): Promise<number | undefined> {
  if (functionUrlPort === undefined) return undefined
  const port = readPort(functionUrlPort, 'function-url-port')
  await assertFree(port, 'function-url-port')
  return port
}

function servingText(aws: EmbeddedAws): string {
  const schedules = aws.schedules.list().filter(({ isEnabled }) => isEnabled)
  return `events at ${aws.endpointUrl}, schedules: ${schedules.map(({ name }) => name).join(', ') || 'none'}; Ctrl-C stops`
}

interface Reporter {
  readonly onEvent: (executionArn: string, event: ServedEvent) => void
  readonly onClockSetBack: (text: string, setBack: { readonly fromMs: number; readonly toMs: number }) => void
  readonly attach: (aws: EmbeddedAws) => void
  readonly refusals: Refusals
}

function createReporter(isJsonl: boolean, progress: Progress, { clock, output }: CommandContext): Reporter {
  let aws: EmbeddedAws | undefined
  const lineOf = createServedLines((executionArn) => aws?.describeExecution(executionArn).input)
  const write = (facts: object) => {
    if (isJsonl) output.facts({ at: new Date(clock.nowMs()).toISOString(), ...facts })
  }
  return {
    attach(booted) {
      aws = booted
    },
    onEvent(executionArn, event) {
      const happening = lineOf(executionArn, event)
      if (happening === undefined) return
      const { label, text, tone, stateMachine, execution } = happening
      progress.line({ label, text: `${execution}  ${printable(text)}`, tone })
      write({ event: label, stateMachine, execution, text })
    },
    onClockSetBack: (text, { fromMs, toMs }) =>
      write({ event: 'clock', from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), text }),
    refusals: createRefusals(progress, write),
  }
}

/** Reports each new dead letter once, until the command is stopped. */
async function watchDeadLetters(
  aws: EmbeddedAws,
  { kept }: Refusals,
  clock: Clock,
  stopped: AbortSignal,
): Promise<void> {
  // Messages of the other queues wait for their functions.
  const letters = () => aws.queueMessages(DEAD_LETTER_QUEUE)
  const reported = new Set(letters().map(({ id }) => id))
  while (!stopped.aborted) {
    await clock.sleep(POLL_MS)
    if (stopped.aborted) return
    for (const message of letters()) {
      if (reported.has(message.id)) continue
      reported.add(message.id)
      kept(DEAD_LETTER_QUEUE, message)
    }
  }
}

// Starts what a command needs on this machine: the state lock, the cloud assembly, a service, and the embedded AWS that
// uses them. It stops all of it again, however the work ends.

import { appendFileSync } from 'node:fs'
import path from 'node:path'
import type { EmbeddedAws, EmbeddedAwsOptions } from '@sluice/embedded-aws'
import type { Sandbox } from '@sluice/service-sandbox'
import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import type { NamedService } from '../configuration.ts'
import { type OperationContext, type Progress, rootDir, type Variables } from '../context.ts'
import { findDiskFault, isOpenElsewhere, OPEN_ELSEWHERE } from '../files/disk-fault.ts'
import { proxyVariablesOf } from '../forward-proxy.ts'
import { orInterrupted, recordsGone } from '../interruption.ts'
import type { Step } from '../next-step.ts'
import { failedWith, OperationError } from '../operation-error.ts'
import { type Arranged, builtInService, openBuiltInSandbox, type Service } from '../service/built-in-sandbox.ts'
import { assemblyFolder, type ServiceFolder } from '../state/state-layout.ts'
import type { StateLock } from '../state/state-lock.ts'
import { findOrSynthesize, synthesizeInChild } from './assembly.ts'
import { type Desk, type DeskOffer, findDesk, publishDesk, withdrawDesk } from './desk-file.ts'
import { embeddedKeys } from './embedded-keys.ts'
import { type DeskNeed, joinDesk } from './join-desk.ts'
import { reportDamaged, reportLeftUnfinished, takeOver } from './left-unfinished.ts'
import { recordOwnConfiguration, settleOwnJournal } from './own-records.ts'
import { type WatchedPlace, watchPlace } from './watch-place.ts'

export interface EmbeddedSessionOptions {
  readonly stateDir: string
  readonly configFile: string
  readonly treasury: Treasury
  /** The service, with keys that fit the stage. Absent for the built-in sandbox. */
  readonly service?: (Service & Pick<NamedService, 'keepsKeys' | 'ownRoles'>) | undefined
  readonly arranged?: Arranged
  /** Called under the lock, before anything is started. It returns the folder for the state. */
  readonly prepare: () => Promise<ServiceFolder> | ServiceFolder
  readonly onEvent: NonNullable<EmbeddedAwsOptions['onEvent']>
  /** Called with a message when the clock was set back, which is also reported as progress. */
  readonly onClockSetBack?: (words: string, facts: { readonly fromMs: number; readonly toMs: number }) => void
  /** Called for each attempt of an event's function that fails. */
  readonly onFailedInvocation?: EmbeddedAwsOptions['onFailedInvocation']
  readonly progress: Progress
  /** Continues this command. */
  readonly again: Step
  /** The port of the AWS endpoint. Absent for any free port. */
  readonly port?: number | undefined
  /** The port of the functions' own URLs. Absent for any free port. */
  readonly functionUrlPort?: number | undefined
  /** Whether ends of executions are put on the event bus. Only a command that keeps running needs that. */
  readonly executionEvents?: boolean
  /** Present where the command only reads: it leaves unfinished executions to the command that is named here. */
  readonly leavesUnfinishedTo?: Step | undefined
  /** Whether its tables are gone and must be made again. */
  readonly isJournalLost?: boolean
  /** Milliseconds to wait for another command that uses the directory; absent: as for any lock. */
  readonly waitMs?: number
  /**
   * The name that others see for this process, such as `serve`. Absent: its world is thrown away, and nobody may find
   * it.
   */
  readonly command?: string
  /** Present for the tour: what others may show of it. They start nothing in it. */
  readonly tour?: NonNullable<Desk['tour']>
  /** The roles whose keys the work needs. */
  readonly roles: readonly KeyRole[]
}

export interface EmbeddedSession {
  readonly aws: EmbeddedAws
  readonly folder: ServiceFolder
  /** Present with the built-in sandbox. */
  readonly sandbox: Sandbox | undefined
}

/** Names the file for the functions' output. Without it the output is dropped. */
const FUNCTION_LOG = 'SLUICE_FUNCTION_LOG'
/** If set, the bundle is readable in a debugger. */
const DEBUG = 'SLUICE_DEBUG'

type Context = Pick<OperationContext, 'clock' | 'catchInterruption' | 'variables'>

/**
 * Works at the desk that serves the directory, where `atDesk` can; else starts its own desk, which others find
 * meanwhile. Unfinished executions stay on disk. They continue when a command that may move money next uses the same
 * folder.
 */
export async function withEmbeddedSession<Result>(
  options: EmbeddedSessionOptions,
  { clock, catchInterruption, variables }: Context,
  work: (run: EmbeddedSession, signal: AbortSignal) => Promise<Result>,
  atDesk?: (desk: Desk, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { stateDir, progress, again } = options
  // Until here nothing has to be stopped, so a signal may simply end the process.
  const signal = catchInterruption()
  const onWait = (pid: number) =>
    progress.line({ label: 'waiting', text: `${stateDir} is in use by process ${pid}`, tone: 'wait' })
  const onRepaired = (text: string) => progress.line({ label: 'repaired', text, tone: 'wait' })
  const onOtherRelease = (text: string) => progress.line({ label: 'found', text, tone: 'wait' })
  const need = atDesk && needOf(options)
  const interruptible = <T>(waiting: Promise<T>, desk?: Desk) =>
    orInterrupted(waiting, signal, again, desk && `in process ${desk.holder.pid} (${desk.command})`)
  return joinDesk(
    {
      stateDir,
      clock,
      signal,
      onWait,
      onRepaired,
      onOtherRelease,
      need,
      interruptible,
      ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
    },
    {
      asClient: (desk) => (atDesk ?? noDesk)(desk, signal),
      asHolder: (lock) => hold(options, { clock, lock, signal, variables }, work),
    },
  )
}

function noDesk(): never {
  throw new TypeError('nobody asks where nothing was needed of a desk')
}

function needOf({ configFile, roles, service, treasury }: EmbeddedSessionOptions): DeskNeed {
  return { service: service?.url, machines: { roles, treasury, configFile } }
}

interface Held {
  readonly lock: StateLock
  readonly signal: AbortSignal
  readonly clock: Context['clock']
  readonly variables: Variables
}

async function hold<Result>(
  options: EmbeddedSessionOptions,
  { clock, lock, signal, variables }: Held,
  work: (run: EmbeddedSession, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { stateDir, again } = options
  try {
    const folder = await orInterrupted(Promise.resolve(options.prepare()), signal, again)
    const opening = open(options, folder, { clock, variables })
    let place: WatchedPlace | undefined
    try {
      const run = await orInterrupted(opening, signal, again)
      const publish = publisherOf(options, run)
      publish()
      place = watchPlace(lock, publish, run.aws.failed)
      const working = work(run, AbortSignal.any([signal, place.signal]))
      return await orInterrupted(Promise.race([working, place.lost]), signal, again)
    } finally {
      place?.stop()
      // First, so that no new client comes.
      withdrawDesk(stateDir)
      await opening.then(close, () => undefined)
    }
  } catch (error) {
    const mayMove = options.leavesUnfinishedTo === undefined
    throw mayMove && !lock.isHeld() ? recordsGone(stateDir, error) : error
  }
}

/** Announces that this process serves the directory, if it is not announced: somebody may have removed the file. */
function publisherOf(options: EmbeddedSessionOptions, run: EmbeddedSession): () => void {
  const { command, stateDir } = options
  if (command === undefined) return () => undefined
  const offer = offerOf(options, command, run)
  return () => {
    if (findDesk(stateDir)?.holder.pid !== process.pid) publishDesk(stateDir, offer)
  }
}

/** With keys that only read it offers its journal alone, so that nobody starts what those keys would fail. */
function offerOf(
  { configFile, leavesUnfinishedTo, roles, service, tour, treasury }: EmbeddedSessionOptions,
  command: string,
  { aws, sandbox }: EmbeddedSession,
): DeskOffer {
  const { credentials, endpointUrl, region } = aws
  return {
    command,
    endpointUrl,
    region,
    credentials: { ...credentials },
    ...(tour !== undefined && { tour }),
    ...(leavesUnfinishedTo === undefined &&
      tour === undefined && {
        machines: {
          // The key of the built-in sandbox has every role, so another kind of run beside this one finds its key.
          roles: [...new Set([...roles, ...(service?.ownRoles ?? Object.values(KeyRole))])],
          configuration: hashConfiguration(treasury),
          configFile,
        },
      }),
    ...(service !== undefined && { service: service.url }),
    ...(sandbox !== undefined && {
      sandbox: { url: sandbox.baseUrl, controlUrl: sandbox.controlUrl, keys: builtInService(sandbox).keys },
    }),
  }
}

async function open(
  options: EmbeddedSessionOptions,
  folder: ServiceFolder,
  { clock, variables }: Pick<Held, 'clock' | 'variables'>,
): Promise<EmbeddedSession> {
  const assemblyDir = await findAssembly(options, variables)
  const functionLog = variables[FUNCTION_LOG]
  const { leavesUnfinishedTo } = options
  if (leavesUnfinishedTo === undefined) takeOver(folder.awsDir)
  let sandbox: Sandbox | undefined
  try {
    let service: Service | undefined = options.service
    if (service === undefined) {
      sandbox = await openBuiltInSandbox(folder.sandboxFile, options.arranged)
      service = builtInService(sandbox)
    }
    const { url, keys } = service
    const { hasExecutions, startEmbeddedAws } = await import('@sluice/embedded-aws')
    const hasRun = hasExecutions(folder.awsDir)
    const aws = await startEmbeddedAws({
      assemblyDir,
      stateDir: folder.awsDir,
      parameters: { ServiceUrl: url },
      machineVariables: proxyVariablesOf(variables),
      isJournalLost: options.isJournalLost === true,
      ...embeddedKeys(options.treasury.service, keys),
      keepsSecrets: options.service?.keepsKeys !== false,
      onEvent: options.onEvent,
      onClockSetBack: (setBack) => {
        const text = setBackText(setBack.fromMs, setBack.toMs)
        options.progress.line({ label: 'clock', text, tone: 'wait' })
        options.onClockSetBack?.(text, setBack)
      },
      ...(options.onFailedInvocation && { onFailedInvocation: options.onFailedInvocation }),
      ...(functionLog && { onFunctionLog: appendTo(functionLog) }),
      ...(options.port !== undefined && { port: options.port }),
      ...(options.functionUrlPort !== undefined && { functionUrlPort: options.functionUrlPort }),
      executionEvents: options.executionEvents === true,
      resume: leavesUnfinishedTo === undefined,
    })
    await settleOwnJournal(aws, { hasRun, mayMove: leavesUnfinishedTo === undefined })
    if (leavesUnfinishedTo === undefined && options.command !== undefined && options.tour === undefined)
      await recordOwnConfiguration(aws, { ...options, variables, nowMs: clock.nowMs() })
    if (leavesUnfinishedTo !== undefined) reportLeftUnfinished(aws, leavesUnfinishedTo, options.progress)
    reportDamaged(aws, options.progress)
    return { aws, sandbox, folder }
  } catch (error) {
    await sandbox?.stop()
    throw cannotStart(error)
  }
}

function setBackText(fromMs: number, toMs: number): string {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString())
  return `the clock of this machine was set back, from ${from} or later to ${to}: schedules go by the new time, and do nothing twice`
}

/** Writes each line after the name of its function. */
function appendTo(file: string): (functionName: string, line: string) => void {
  const absolute = path.resolve(file)
  return (functionName, line) => appendFileSync(absolute, `${functionName} ${line}\n`, { mode: 0o600 })
}

/**
 * The message of the sandbox or of the embedded AWS names what does not fit: a file, a directory, a part of the
 * assembly.
 */
function cannotStart(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const fault = findDiskFault(error)
  const reason = fault?.message ?? (error instanceof Error ? error.message : 'for an unknown reason')
  return failedWith(
    'state_unusable',
    `cannot start: ${reason}; nothing was sent`,
    fault?.next ??
      (isOpenElsewhere(reason) ? OPEN_ELSEWHERE : undefined) ??
      'correct what the message names and run the same command again; the state directory is the record of what moved: keep it, and run its ids nowhere else',
    error,
  )
}

async function close({ aws, sandbox }: EmbeddedSession): Promise<void> {
  await aws.stop()
  await sandbox?.stop()
}

function findAssembly(
  { stateDir, configFile, progress }: EmbeddedSessionOptions,
  variables: Variables,
): Promise<string> {
  return findOrSynthesize({
    rootDir,
    configFile,
    cacheDir: assemblyFolder(stateDir),
    // Beside Node's compile cache, so `npm ci` removes it.
    sharedDir: path.join(rootDir, 'node_modules/.cache/assemblies'),
    variant: variables[DEBUG] ? 'debug' : '',
    async synthesize(file, outDir, bundleDir) {
      const text = 'writing the cloud assembly, once for this source and configuration'
      progress.line({ label: 'synth', text, tone: 'plain' })
      progress.live({ label: 'synth', text: 'the CDK is at work', tone: 'plain' })
      await synthesizeInChild(rootDir, file, outDir, bundleDir)
      progress.end()
    },
  })
}

// Opens a state directory. A command is a client of the desk that serves it, or locks the directory and opens it
// itself. If the desk ends meanwhile, the work begins again, perhaps in a desk of its own, so all of it must be
// repeatable.

import type { Clock } from '../../core/clock.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { findConnectionCode } from '../../core/error-name.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { ownRelease } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { type Advice, advice, option } from '../next-step.ts'
import { type ErrorCode, failedWith, OperationError } from '../operation-error.ts'
import { lockOrFind, type StateLock } from '../state/state-lock.ts'
import { type Desk, findDesk, isServed } from './desk-file.ts'
import { askWhetherThere, brokenDesk, silentDesk } from './desk-silence.ts'

export interface DeskNeed {
  /** Address of the named service; absent for the built-in sandbox. */
  readonly service: string | undefined
  readonly sandbox?: true
  /** Whether the desk of the tour fits, because the command only shows requests. */
  readonly showsTour?: boolean
  /** Whether the secrets of the functions are read or written. */
  readonly secrets?: true
  /** Present where executions are started or found: the keys and the configuration that they need. */
  readonly machines?: {
    readonly roles: readonly KeyRole[]
    readonly treasury: Treasury
    /** Absolute path of the file with the treasury. */
    readonly configFile: string
  }
}

interface JoinOptions {
  readonly stateDir: string
  readonly clock: Clock
  /** Ends the wait for a process that serves nothing that this command needs. */
  readonly signal?: AbortSignal
  /** Wraps the wait, and the work at a desk, so that an interruption ends either at once. */
  readonly interruptible?: <T>(work: Promise<T>, desk?: Desk) => Promise<T>
  readonly onWait: (holderPid: number) => void
  readonly onRepaired: (words: string) => void
  readonly onOtherRelease: (words: string) => void
  /** Absent: the command needs the directory itself. It waits for a desk to end, unless that is `serve`. */
  readonly need: DeskNeed | undefined
  /** Absent: as long as for any lock. */
  readonly waitMs?: number
}

interface Ways<Result> {
  /** Repeats, as a client or as the holder, when the desk has ended. */
  asClient(desk: Desk): Promise<Result>
  /** The lock is released afterwards. */
  asHolder(lock: StateLock): Promise<Result>
}

/** How often a command begins again, and the pause before each: five seconds of desks that start and end. */
const MOST_DESKS = 20
const AGAIN_MS = 250
/**
 * Wait for the lock once a desk has ended under the command. If the command stops waiting, its work there is in doubt.
 * The new holder of the lock is mostly another process that continues the work.
 */
const AGAIN_WAIT_MS = 5 * 60_000

/** Listeners of commands that have heard it. Some commands open the directory twice. */
const told = new WeakSet<JoinOptions['onOtherRelease']>()

/** @throws OperationError (exit 1) where another process holds the directory and does not offer what is needed */
export async function joinDesk<Result>(options: JoinOptions, { asClient, asHolder }: Ways<Result>): Promise<Result> {
  const { stateDir, need, interruptible = (work) => work } = options
  for (let desks = 1; ; desks += 1) {
    const lockWait = desks === 1 ? {} : { waitMs: AGAIN_WAIT_MS }
    const joined = await interruptible(lockOrFind({ ...options, ...lockWait }, () => fittingDesk(stateDir, need)))
    if ('lock' in joined) {
      try {
        return await asHolder(joined.lock)
      } finally {
        joined.lock.release()
      }
    }
    const desk = joined.found
    const release = ownRelease()
    if (desk.release !== release && !told.has(options.onOtherRelease)) {
      told.add(options.onOtherRelease)
      options.onOtherRelease(`release ${desk.release} serves ${stateDir}, and this command is release ${release}`)
    }
    await interruptible(assertAnswers(stateDir, desk))
    try {
      return await interruptible(asClient(desk), desk)
    } catch (error) {
      if (!(await isDeskGone(error, stateDir, desk))) throw error
      if (desks === MOST_DESKS)
        throw isServed(stateDir, desk) && !isDoubt(error) ? brokenDesk(stateDir, desk, error) : error
      // The system may still be cleaning up a killed process.
      await options.clock.sleep(AGAIN_MS)
    }
  }
}

/**
 * Checked before any request, because some work waits a quarter of an hour for an answer.
 * @throws OperationError (exit 1)
 */
async function assertAnswers(stateDir: string, desk: Desk): Promise<void> {
  if ((await askWhetherThere(desk)) === 'silent' && isServed(stateDir, desk)) throw silentDesk(stateDir, desk)
}

/**
 * Whether the work failed because its desk has ended.
 * @throws OperationError where the desk runs and does not answer
 */
async function isDeskGone(failure: unknown, stateDir: string, desk: Desk): Promise<boolean> {
  const error = faultBeneath(failure)
  const isBroken = isConnectionFailure(error)
  if (!isBroken && !mayBeGone(error)) return false
  if (!isServed(stateDir, desk)) return true
  const found = await askWhetherThere(desk)
  // The desk may have ended during the question.
  if (found === 'silent' && isServed(stateDir, desk)) throw silentDesk(stateDir, desk, error)
  return isBroken || found === 'gone'
}

/** Whether the error concerns the money, which is more important than the desk. */
function isDoubt(error: unknown): boolean {
  return error instanceof OperationError && error.exitCode === ExitCode.NeedsPerson
}

/**
 * Returns the first cause that may be the end of the desk. A command that does not know whether its work continues
 * makes a doubt or a silence of the error. If the desk has ended there is no doubt, and the work begins again.
 */
function faultBeneath(error: unknown): unknown {
  if (!(error instanceof OperationError) || error.cause === undefined) return error
  return UNEXPLAINED.has(error.code) ? faultBeneath(error.cause) : error
}

/** Errors that the end of a desk may explain. */
const UNEXPLAINED: ReadonlySet<ErrorCode> = new Set(['in_doubt', 'unreachable', 'defect'])

/** Whether a connection broke or failed: the error itself, or its cause. */
export function isConnectionFailure(error: unknown): boolean {
  return !(error instanceof OperationError) && findConnectionCode(error) !== undefined
}

/** A refusal by a person or the journal does not concern the connection. */
function mayBeGone(error: unknown): boolean {
  return !(error instanceof OperationError) || error.code === 'unreachable' || error.code === 'defect'
}

/**
 * Undefined where there is no desk, or where it ends soon.
 * @throws OperationError where `serve` runs and does not fit
 */
export function fittingDesk(stateDir: string, need: DeskNeed | undefined): Desk | undefined {
  const desk = findDesk(stateDir)
  if (desk === undefined) return undefined
  // The tour ends soon and its world is thrown away, so nothing that must last is done there.
  if (desk.tour !== undefined && need?.showsTour !== true) return undefined
  const misfit = need === undefined ? NEEDS_ITS_OWN : misfitOf(desk, need)
  if (misfit === undefined) return desk
  if (desk.command !== 'serve') return undefined
  throw failedWith(
    'state_in_use',
    `${stateDir} is served by process ${desk.holder.pid}, ${misfit.why}; nothing was started`,
    misfit.next,
  )
}

interface Misfit {
  readonly why: string
  readonly next: Advice
}

const NEEDS_ITS_OWN: Misfit = {
  why: 'and this command needs the directory for itself',
  next: 'stop that process (Ctrl-C) first',
}
const STOP_IT = 'stop that process (Ctrl-C) and run this command again'

function misfitOf(desk: Desk, { service, sandbox, secrets, machines }: DeskNeed): Misfit | undefined {
  if (desk.service !== service) {
    const which = desk.service ?? 'the built-in sandbox'
    const same =
      desk.service === undefined
        ? advice`leave ${option('service')} out`
        : advice`give ${option('service')} ${desk.service}`
    return { why: `for ${which}`, next: advice`${same}; if you mean the other service, ${STOP_IT}` }
  }
  if (sandbox === true && desk.sandbox === undefined) return { why: 'without the built-in sandbox', next: STOP_IT }
  if (machines === undefined && secrets === undefined) return undefined
  if (desk.machines === undefined) return { why: 'which shows its journal only', next: STOP_IT }
  if (machines === undefined) return undefined
  const { configFile, configuration, roles } = desk.machines
  if (configuration !== hashConfiguration(machines.treasury)) {
    if (configFile !== machines.configFile)
      return {
        why: `with another configuration (${configFile})`,
        next: advice`give ${option('config')} ${configFile}, or ${STOP_IT}`,
      }
    return {
      why: `with ${configFile} as it was when that process started: it has changed since`,
      next: `stop that process (Ctrl-C), start it again, and run this command again`,
    }
  }
  const missing = machines.roles.filter((role) => !roles.includes(role))
  if (missing.length === 0) return undefined
  return {
    why: `without a key for ${missing.join(', ')}`,
    next: 'stop it, and start it again with a key file that has one',
  }
}

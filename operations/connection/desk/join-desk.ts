// One way into a state directory: a command is a client of the desk that serves it, or locks it and opens it itself.
// Where the desk ends meanwhile, the work begins again, perhaps in a desk of its own: all of it may be repeated.
import type { Clock } from '../../../core/clock.ts'
import type { KeyRole, Treasury } from '../../../core/contract/treasury.ts'
import { findConnectionCode } from '../../../core/error-name.ts'
import { hashConfiguration } from '../../../core/treasury/config.ts'
import { ExitCode } from '../../exit-code.ts'
import { type ErrorCode, OperationError } from '../../operation-error.ts'
import { lockOrFind, type StateLock } from '../state/state-lock.ts'
import { type Desk, findDesk, isServed } from './desk-file.ts'
import { askWhetherThere, brokenDesk, silentDesk } from './desk-silence.ts'

/** What a command needs of a desk. */
export interface DeskNeed {
  /** Address of the service that is named; absent for the built-in sandbox. */
  readonly service: string | undefined
  /** Whether the built-in sandbox is asked. */
  readonly sandbox?: true
  /** Whether the desk of the tour will do, because the command only shows what was asked for. */
  readonly showsTour?: boolean
  /** Whether the secrets of the functions are read or put. */
  readonly secrets?: true
  /** Present where executions are started or looked up: with which keys, and by which configuration. */
  readonly machines?: {
    readonly roles: readonly KeyRole[]
    readonly treasury: Treasury
    /** Absolute. Where the treasury was read. */
    readonly configFile: string
  }
}

interface JoinOptions {
  readonly stateDir: string
  readonly clock: Clock
  /** Ends the wait for a process that serves nothing that this command needs. */
  readonly signal?: AbortSignal
  /** Around the wait, and around what is done at a desk: ends either at once when the command is interrupted. */
  readonly interruptible?: <T>(work: Promise<T>, desk?: Desk) => Promise<T>
  readonly onWait: (holderPid: number) => void
  readonly onRepaired: (words: string) => void
  /** Absent: no desk will do, and one that is there is waited for, unless it stays. */
  readonly need: DeskNeed | undefined
  /** Absent: as long as for any lock. */
  readonly waitMs?: number
}

interface Ways<Result> {
  /** Runs again, here or in the other way, where the desk has ended. */
  asClient(desk: Desk): Promise<Result>
  /** The lock is released afterwards. */
  asHolder(lock: StateLock): Promise<Result>
}

/** How often a command begins again, and after which pause: five seconds of desks that come and go. */
const MOST_DESKS = 20
const AGAIN_MS = 250
/**
 * How long the lock is waited for once a desk has ended under the command. What was begun there is in doubt where the
 * command gives up, and the process that has the lock now is mostly another one that goes on with it.
 */
const AGAIN_WAIT_MS = 5 * 60_000

/** @throws OperationError (exit 1) where another process holds the directory and does not serve what is needed */
export async function joinDesk<Result>(options: JoinOptions, { asClient, asHolder }: Ways<Result>): Promise<Result> {
  const { stateDir, need, interruptible = (work) => work } = options
  for (let desks = 1; ; desks += 1) {
    const patience = desks === 1 ? {} : { waitMs: AGAIN_WAIT_MS }
    const joined = await interruptible(lockOrFind({ ...options, ...patience }, () => fittingDesk(stateDir, need)))
    if ('lock' in joined) {
      try {
        return await asHolder(joined.lock)
      } finally {
        joined.lock.release()
      }
    }
    const desk = joined.found
    await interruptible(assertAnswers(stateDir, desk))
    try {
      return await interruptible(asClient(desk), desk)
    } catch (error) {
      if (!(await isDeskGone(error, stateDir, desk))) throw error
      if (desks === MOST_DESKS)
        throw isServed(stateDir, desk) && !isDoubt(error) ? brokenDesk(stateDir, desk, error) : error
      // The system may still be taking a process down that was killed.
      await options.clock.sleep(AGAIN_MS)
    }
  }
}

/** Before anything is asked of it: some work gives an answer a quarter of an hour. @throws OperationError (exit 1) */
async function assertAnswers(stateDir: string, desk: Desk): Promise<void> {
  if ((await askWhetherThere(desk)) === 'silent' && isServed(stateDir, desk)) throw silentDesk(stateDir, desk)
}

/** Whether the work failed because its desk has ended. @throws OperationError where it is there, and answers nobody */
async function isDeskGone(failure: unknown, stateDir: string, desk: Desk): Promise<boolean> {
  const error = faultBeneath(failure)
  const isBroken = isConnectionFailure(error)
  if (!isBroken && !mayBeGone(error)) return false
  if (!isServed(stateDir, desk)) return true
  const found = await askWhetherThere(desk)
  // It may have ended while it was asked.
  if (found === 'silent' && isServed(stateDir, desk)) throw silentDesk(stateDir, desk, error)
  return isBroken || found === 'gone'
}

/** The command has something to say of the money, which is more important than the desk. */
function isDoubt(error: unknown): boolean {
  return error instanceof OperationError && error.exitCode === ExitCode.NeedsPerson
}

/**
 * A command that cannot know whether the work goes on without it words a fault for the person, as a doubt or as a silence.
 * Whether that fault is the end of the desk is known here alone, and then there is no doubt: the work begins again.
 */
function faultBeneath(error: unknown): unknown {
  if (!(error instanceof OperationError) || error.cause === undefined) return error
  return UNEXPLAINED.has(error.code) ? faultBeneath(error.cause) : error
}

/** Ends that the end of a desk may explain. */
const UNEXPLAINED: ReadonlySet<ErrorCode> = new Set(['in_doubt', 'unreachable', 'defect'])

/** An error of a connection that broke or came to nothing, or one that it is the cause of. */
export function isConnectionFailure(error: unknown): boolean {
  return !(error instanceof OperationError) && findConnectionCode(error) !== undefined
}

/** What a person or the journal has refused is no matter of the connection. */
function mayBeGone(error: unknown): boolean {
  return !(error instanceof OperationError) || error.code === 'unreachable' || error.code === 'defect'
}

/** `undefined` where there is none, or where it is over soon. @throws OperationError where a desk that stays does not fit */
export function fittingDesk(stateDir: string, need: DeskNeed | undefined): Desk | undefined {
  const desk = findDesk(stateDir)
  if (desk === undefined) return undefined
  // Its world is thrown away, and it is over soon: nothing that is meant to stay is asked of it.
  if (desk.tour !== undefined && need?.showsTour !== true) return undefined
  const misfit = need === undefined ? NEEDS_ITS_OWN : misfitOf(desk, need)
  if (misfit === undefined) return desk
  if (desk.command !== 'serve') return undefined
  throw new OperationError({
    exitCode: ExitCode.Failed,
    code: 'state_in_use',
    message: `${stateDir} is served by process ${desk.holder.pid}, ${misfit.why}; nothing was started`,
    next: misfit.next,
  })
}

interface Misfit {
  readonly why: string
  readonly next: string
}

const NEEDS_ITS_OWN: Misfit = {
  why: 'and this command needs the directory for itself',
  next: 'stop that process (Ctrl-C) first',
}
const STOP_IT = 'stop that process (Ctrl-C) and run this command again'

function misfitOf(desk: Desk, { service, sandbox, secrets, machines }: DeskNeed): Misfit | undefined {
  if (desk.service !== service) {
    const which = desk.service ?? 'the built-in sandbox'
    const same = desk.service === undefined ? 'leave --service out' : `give --service ${desk.service}`
    return { why: `for ${which}`, next: `${same}; where another one is meant, ${STOP_IT}` }
  }
  if (sandbox === true && desk.sandbox === undefined) return { why: 'without the built-in sandbox', next: STOP_IT }
  if (machines === undefined && secrets === undefined) return undefined
  if (desk.machines === undefined) return { why: 'which shows its journal only', next: STOP_IT }
  if (machines === undefined) return undefined
  const { configFile, configuration, roles } = desk.machines
  if (configuration !== hashConfiguration(machines.treasury)) {
    if (configFile !== machines.configFile)
      return { why: `with another configuration (${configFile})`, next: `give --config ${configFile}, or ${STOP_IT}` }
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

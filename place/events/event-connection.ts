// Finds the place where a command puts events and reads dead letters: the desk that serves a state directory, or AWS by
// the SDK's own configuration. The same calls work on both. It starts no desk, because an event needs a process that
// keeps running.

import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { StateMachine } from '../../core/contract/states.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { errorName, errorText } from '../../core/error-name.ts'
import { accessFailure } from '../aws/aws-access.ts'
import { type AwsAddress, busAt, clientConfigAt, deploymentOf, nameAt } from '../aws/aws-address.ts'
import { findConnectionRemedy } from '../aws/connection-remedy.ts'
import { SERVE_BESIDE, treasuryFor } from '../aws/deployed-configuration.ts'
import { invokeFunction } from '../aws/invoke-function.ts'
import type { OperationContext, UsedService } from '../context.ts'
import { type Desk, isServed } from '../desk/desk-file.ts'
import { askWhetherThere, brokenDesk, silentDesk } from '../desk/desk-silence.ts'
import { fittingDesk, isConnectionFailure } from '../desk/join-desk.ts'
import { type ApiExecutions, openApiExecutions } from '../executions/api-executions.ts'
import { serviceOf } from '../journal-connection.ts'
import { type Advice, advice, type ConnectionFlags, DEPLOY, option } from '../next-step.ts'
import { failedWith, OperationError } from '../operation-error.ts'
import { assertOnlyAws, filesOf } from '../settings.ts'
import { createDeadLetterQueue, type DeadLetterQueue } from './dead-letter-queue.ts'

export interface PutEvent {
  readonly source: string
  readonly detailType: string
  readonly detail: unknown
}

export interface EventConnection {
  readonly treasury: Treasury
  /** In words. */
  readonly name: string
  /** The service where the events move money. */
  readonly service: UsedService
  readonly isAws: boolean
  /** AWS account of the person who puts events here. */
  readonly account: string
  /**
   * Resolves with EventBridge's id once the bus has stored the event.
   * @throws OperationError (exit 1) where the bus refuses it
   */
  put(event: PutEvent): Promise<string>
  readonly find: ApiExecutions['findExecution']
  /** Invokes a function, by its name without an environment. @throws FunctionError, the SDK's own error */
  invoke(functionName: string, payload: string, timeoutMs: number): Promise<string>
  readonly deadLetters: DeadLetterQueue
}

/**
 * `needs`: `bus` where an event is put, which needs a process that stays; `queue` for dead letters alone.
 * @throws OperationError: exit 2 for flags or a configuration that do not fit, exit 1 where no process serves
 */
export async function withEventConnection<Result>(
  flags: ConnectionFlags,
  needs: 'bus' | 'queue',
  { clock, output, variables }: Pick<OperationContext, 'clock' | 'output' | 'variables'>,
  work: (connection: EventConnection) => Promise<Result>,
): Promise<Result> {
  const { configFile, stateDir } = filesOf(flags, variables)
  if (flags.aws === true) assertOnlyAws(flags)
  const treasury = await treasuryFor({ flags, configFile, output })
  const desk = flags.aws === true ? undefined : servingDesk(flags, { needs, stateDir, configFile, treasury, variables })
  const address = desk ?? deploymentOf(treasury)
  const bus = new EventBridgeClient(clientConfigAt(address))
  const executions = openApiExecutions(address)
  const deadLetters = createDeadLetterQueue(address, clock)
  try {
    return await work({
      treasury,
      name: desk === undefined ? 'AWS' : stateDir,
      service: serviceAt(desk, treasury),
      isAws: desk === undefined,
      account: await accountOf(executions, address),
      put: (event) => putEvent(bus, busAt(address), event),
      find: executions.findExecution,
      invoke: (functionName, payload, timeoutMs) => invokeFunction(address, functionName, payload, timeoutMs),
      deadLetters,
    })
  } catch (error) {
    if (desk !== undefined && !(error instanceof OperationError)) {
      if ((await askWhetherThere(desk)) === 'silent') throw silentDesk(stateDir, desk, error)
      if (isConnectionFailure(error) && isServed(stateDir, desk)) throw brokenDesk(stateDir, desk, error)
    }
    throw eventFailure(error, flags.aws === true)
  } finally {
    bus.destroy()
    executions.destroy()
    deadLetters.destroy()
  }
}

function serviceAt(desk: Desk | undefined, { service: { stage, url: configured } }: Treasury): UsedService {
  const url = desk === undefined ? configured : desk.service
  return { stage, ...(url !== undefined && { url }) }
}

interface Sought {
  readonly needs: 'bus' | 'queue'
  readonly stateDir: string
  readonly configFile: string
  readonly treasury: Treasury
  readonly variables: OperationContext['variables']
}

/** A desk that ends without `serve` must not take an event, because nobody would see its result. */
function servingDesk(flags: ConnectionFlags, { needs, stateDir, configFile, treasury, variables }: Sought) {
  const service = serviceOf(flags, variables)
  const machines = needs === 'bus' ? { machines: { roles: [], treasury, configFile } } : {}
  const desk = fittingDesk(stateDir, { service, ...machines })
  const isEnough = needs === 'bus' ? desk?.command === 'serve' : desk?.machines !== undefined
  if (desk !== undefined && isEnough) return desk
  const why = needs === 'bus' ? 'an event needs one that keeps running' : 'it answers for the queue of dead letters'
  throw failedWith('unreachable', `no serve runs for ${stateDir}: ${why}; nothing was put`, SERVE_BESIDE)
}

async function accountOf(executions: ApiExecutions, address: AwsAddress): Promise<string> {
  const account = await executions.account()
  if (account !== undefined) return account
  throw failedWith(
    'unreachable',
    `there is no state machine ${nameAt(address, StateMachine.Convert)} in this AWS account and region; nothing was put`,
    advice`check AWS_PROFILE and AWS_REGION, or deploy: ${DEPLOY}`,
  )
}

async function putEvent(
  client: EventBridgeClient,
  bus: string,
  { source, detailType, detail }: PutEvent,
): Promise<string> {
  const entry = {
    EventBusName: bus,
    Source: source,
    DetailType: detailType,
    Detail: JSON.stringify(detail),
  }
  const { FailedEntryCount, Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }))
  const [{ ErrorCode, ErrorMessage, EventId } = {}] = Entries
  // An entry can be refused in an answer that is a success.
  if (FailedEntryCount === 0 && EventId !== undefined) return EventId
  throw failedWith(
    'refused',
    `the bus ${bus} did not take the event: ${ErrorCode ?? 'no reason given'}: ${ErrorMessage ?? ''}`,
    advice`run the same command again, with the same ${option('id')}`,
  )
}

const remedies: ReadonlyMap<string, Advice> = new Map([
  [
    'AccessDeniedException',
    'let these credentials put events, list and describe executions, and read the dead letters',
  ],
  ['AccessDenied', 'let these credentials receive, show again and delete messages of the queue'],
  ['QueueDoesNotExist', advice`deploy the stack of triggers: ${DEPLOY}`],
])

/**
 * Makes an OperationError for a failure of AWS or a desk. Any other error is returned unchanged.
 */
function eventFailure(error: unknown, isAws: boolean): unknown {
  if (error instanceof OperationError) return error
  const text = errorText(error)
  const refused = accessFailure(error, `AWS refused to answer (${text})`)
  if (refused !== undefined) return refused
  const remedy = remedies.get(errorName(error))
  if (remedy !== undefined) return unreachable(`AWS refused to answer (${text})`, remedy, error)
  if (!isAws && isConnectionFailure(error))
    return unreachable(`the process that serves has ended meanwhile (${text})`, { do: 'serve' }, error)
  const look = findConnectionRemedy(error)
  return look === undefined
    ? error
    : unreachable(`AWS could not be reached (${text})`, `${look}; then try again`, error)
}

function unreachable(message: string, next: Advice, cause: unknown): OperationError {
  return failedWith('unreachable', message, next, cause)
}

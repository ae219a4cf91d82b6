// Protects an id that is first used in a state directory that is new for its account. Another journal, which was lost,
// damaged or is elsewhere, may have moved it already. It reads what the account moved before the directory was made,
// and refuses an id whose movement it cannot rule out, with the movements that may be the id's. It claims nothing and
// sends nothing.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { longestFenceSeconds, type Timing } from '../../../core/contract/timing.ts'
import { Defect } from '../../../core/errors.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { listBeginningOf } from '../../../core/journal/intent-index.ts'
import { createJournal, findOfEitherKind } from '../../../core/journal/journal.ts'
import { readAllOpenIntents } from '../../../core/journal/listed-records.ts'
import type { ServiceKey } from '../../../core/keys/key-source.ts'
import { DATING_SLACK_MS } from '../../../core/movements/withdrawal/known-rows.ts'
import { printable } from '../../../core/printable.ts'
import { problemOf } from '../../../core/service/problem.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import type { AwsAddress } from '../../../place/aws/aws-address.ts'
import type { Progress } from '../../../place/context.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { journalTable } from '../../../place/journal/journal-client.ts'
import { type Advice, advice, option, type Step } from '../../../place/next-step.ts'
import { OperationError, operationErrorOf, usageError } from '../../../place/operation-error.ts'
import { withConnection } from '../../../place/service/service-connection.ts'
import { serviceFailure } from '../../../place/service/service-failure.ts'
import type { MovementTest } from './movement-test.ts'
import {
  type Candidate,
  findCandidates,
  hasMovedElsewhere,
  MOST_CANDIDATES,
  type Records,
} from './unknown-movements.ts'

/** Milliseconds between two reads of the service's clock, while earlier sends may still appear. */
const LOOK_MS = 5_000

export interface NewDirectory extends RefusedDirectory {
  readonly url: string
  readonly readKey: ServiceKey
  readonly journal: AwsAddress
  readonly timing: Timing
  readonly clock: Clock
  readonly progress: Progress
}

/**
 * @throws OperationError: exit 3 with the candidates; exit 2 where the key may not read; exit 1 where the service does
 * not answer
 */
export async function assertNotMoved(intentId: string, test: MovementTest, directory: NewDirectory): Promise<void> {
  const table = journalTable(directory.journal)
  const store = createDynamoStore(table.client, table.tableName)
  const journal = createJournal(store, randomUUID)
  try {
    // This journal knows the id after all, and settles it.
    if ((await findOfEitherKind(journal, intentId)).length > 0) return
    const connection = { baseUrl: directory.url, key: directory.readKey, clock: directory.clock }
    const records = { journal, openIntents: () => readAllOpenIntents({ list: listBeginningOf(table), journal }) }
    const candidates = await withConnection(connection, (client) => lookForIt(test, records, client, directory))
    if (candidates.some(({ inDoubt }) => inDoubt.length > 0)) throw inDoubtHere(candidates, directory)
    if (candidates.length > 0) throw mayHaveMoved(candidates, directory)
  } finally {
    table.client.destroy()
  }
}

async function lookForIt(
  test: MovementTest,
  records: Records,
  client: ServiceClient,
  { newSince, timing, clock, progress }: NewDirectory,
): Promise<readonly Candidate[]> {
  try {
    await client.clock.measure()
    const bornMs = Date.parse(newSince)
    if (client.clock.nowMs() > bornMs + LOOK_BACK_MS) return []
    const untilMs = bornMs + settlingMs(timing)
    const span = { sinceMs: bornMs - LOOK_BACK_MS, untilMs: untilMs + DATING_SLACK_MS }
    // Another journal may be in use, and its last sends may not appear yet.
    if (client.clock.reachedMs() < untilMs && (await hasMovedElsewhere(bornMs, records, client))) {
      const text = `this directory is new, and the account is or may be in use: what was sent elsewhere shows by ${new Date(untilMs).toISOString()}`
      progress.line({ label: 'waiting', text, tone: 'wait' })
      await untilReached(untilMs, client, clock)
    }
    return await findCandidates(test, span, records, client)
  } catch (error) {
    throw cannotLook(error)
  }
}

/** Milliseconds after which everything that was signed before the directory was made is refused, or appears. */
function settlingMs(timing: Timing): number {
  return longestFenceSeconds(timing) * 1000
}

async function untilReached(untilMs: number, client: ServiceClient, clock: Clock): Promise<void> {
  // The number of reads is bounded, in case the clock is set back.
  const most = Math.ceil((untilMs - client.clock.reachedMs()) / LOOK_MS) + 1
  for (let look = 0; look < most && client.clock.reachedMs() < untilMs; look += 1) {
    await clock.sleep(Math.min(LOOK_MS, Math.max(1, untilMs - client.clock.reachedMs())))
    await client.clock.measure()
  }
}

/** A movement that cannot be read cannot be ruled out. */
function cannotLook(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const problem = problemOf(error)
  if (problem?.code === 'insufficient_scope') {
    const scope = problem.endpoint.includes('withdrawals') ? 'transfers:read' : 'trading:read and market_data:read'
    return usageError(
      'keys',
      advice`${option('keys')}: this state directory is new for the account, and the key that reads may not read what has moved there (${problem.endpoint}); nothing was sent`,
      `give a key with the scope ${scope}, or run it with the state directory in which it ran before`,
    )
  }
  // There are too many rows to read.
  if (error instanceof Defect && problem === undefined) {
    const message = `${error.message}: whether this id has moved already, under another journal, cannot be ruled out; this command has sent nothing`
    const next = 'run it with the state directory in which it ran before'
    return new OperationError({ exitCode: ExitCode.NeedsPerson, code: 'in_doubt', message, next }, { cause: error })
  }
  const { exitCode, code, text, next } = operationErrorOf(serviceFailure(error))
  return new OperationError(
    { exitCode, code, message: advice`${text}; this command has sent nothing`, next },
    { cause: error },
  )
}

/**
 * How long before the directory was made movements count, and how long after it ids are checked, in ms. People repeat a
 * run within days: a retry, a restored job, the close of a month. A month covers those, and its lists can still be
 * read.
 */
const LOOK_BACK_MS = 30 * 24 * 3_600_000
/** Maximum candidates that a refusal names. */
const MOST_NAMED = 20

interface RefusedDirectory {
  readonly stateDir: string
  /** ISO-8601, service time. */
  readonly newSince: string
  /** The command lines of `cases foreign ID` and `cases list` for this directory. */
  readonly foreign: Step
  readonly attention: Step
}

/**
 * A movement that an own intent may have made must not be declared foreign. That intent would then count as having
 * moved nothing.
 */
function inDoubtHere(candidates: readonly Candidate[], directory: RefusedDirectory): OperationError {
  const intents = [...new Set(candidates.flatMap(({ inDoubt }) => inDoubt))].map(printable)
  const [these, theirs] = intents.length === 1 ? ['intent', 'it has'] : ['intents', 'they have']
  return refusal(
    candidates,
    directory,
    advice`settle ${these} ${intents.join(', ')} first: ${directory.attention}; once ${theirs} ended, the same command again`,
  )
}

/** No own intent may have made the candidates. */
export function mayHaveMoved(candidates: readonly Candidate[], directory: RefusedDirectory): OperationError {
  return refusal(
    candidates,
    directory,
    advice`run it with the state directory in which it ran before; or, for each movement that a person knows not to be this id's: ${directory.foreign}, then the same command again`,
  )
}

function refusal(
  candidates: readonly Candidate[],
  { stateDir, newSince }: RefusedDirectory,
  next: Advice,
): OperationError {
  // The candidates that decide what to do come first.
  const named = candidates.toSorted((left, right) => right.inDoubt.length - left.inDoubt.length).slice(0, MOST_NAMED)
  const more = candidates.length - named.length
  const orMore = candidates.length === MOST_CANDIDATES ? ' or more' : ''
  const days = LOOK_BACK_MS / (24 * 3_600_000)
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'in_doubt',
    message: [
      `${stateDir} is new for this account since ${newSince}, and of what the account moved in the ${days} days before, ${candidates.length}${orMore} may be this id's: it may have moved already, under another journal; this command has sent nothing`,
      ...named.map(
        ({ text, inDoubt }) =>
          `${text}${inDoubt.length === 0 ? '' : `: it may be the movement of intent ${inDoubt.map(printable).join(', ')}`}`,
      ),
      ...(more > 0 ? [`and ${more}${orMore} more`] : []),
    ].join('\n'),
    next,
  })
}

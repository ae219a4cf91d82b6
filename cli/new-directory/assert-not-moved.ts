// An id that is asked for first in a state directory that is new for its account: another journal may have moved it
// already, one that was lost, damaged or is elsewhere. Looks at what the account has moved before the directory was
// there, and refuses an id whose movement it cannot rule out. Claims nothing, sends nothing.
import { randomUUID } from 'node:crypto'
import { IntentKind, JOURNAL_TABLE } from '../../functions/contract/records.ts'
import type { Timing } from '../../functions/contract/timing.ts'
import type { Clock } from '../../functions/shared/clock.ts'
import type { OrderTried } from '../../functions/shared/conversion/convert-intent.ts'
import { Defect, Transient } from '../../functions/shared/errors.ts'
import { createDynamoStore } from '../../functions/shared/journal/dynamo-store.ts'
import { createJournal, type Journal } from '../../functions/shared/journal/journal.ts'
import type { ServiceKey } from '../../functions/shared/keys/key-source.ts'
import { problemOf } from '../../functions/shared/service/problem.ts'
import type { ServiceClient } from '../../functions/shared/service/service-client.ts'
import { DATING_SLACK_MS } from '../../functions/shared/withdrawal/known-rows.ts'
import { scanIntents } from '../attention/scan-intents.ts'
import { CommandError, usageError } from '../command-error.ts'
import { embeddedClient } from '../embedded-client.ts'
import { ExitCode } from '../exit-code.ts'
import type { Progress } from '../progress/progress.ts'
import { withConnection } from '../service-connection.ts'
import { serviceFailure } from '../service-failure.ts'
import { printable } from '../table.ts'
import type { KnownAsset, MovementTest, SeenOrder, SeenWithdrawal } from './movement-test.ts'

/**
 * How far back from a directory's birth movements count, and how long after it ids do. A run is asked for again within
 * days: a retry, a restored job, a month's close. A month covers those, and leaves lists that can be read.
 */
export const LOOK_BACK_MS = 30 * 24 * 3_600_000
/** Of each kind in that time. */
const MOST_ROWS = 10_000
/** Candidates that a refusal names. */
const MOST_TOLD = 20
/** Between looks at the service's clock, while what was sent before may still show. */
const LOOK_MS = 5_000

export interface NewDirectory {
  readonly stateDir: string
  /** ISO-8601, service time. */
  readonly newSince: string
  readonly url: string
  readonly readingKey: ServiceKey
  readonly journalUrl: string
  readonly timing: Timing
  readonly clock: Clock
  readonly progress: Progress
  /** `foreign ID`, as it is to be called here. */
  readonly foreign: string
}

interface Movement {
  readonly kind: IntentKind
  readonly id: string
  readonly text: string
  readonly mayBeIts: (assets: readonly KnownAsset[]) => boolean
}

/** @throws CommandError: exit 3 with the candidates; exit 2 where the key may not look; exit 1 where the service does not answer */
export async function assertNotMoved(intentId: string, test: MovementTest, place: NewDirectory): Promise<void> {
  const dynamo = embeddedClient(place.journalUrl)
  const journal = createJournal(createDynamoStore(dynamo, JOURNAL_TABLE), randomUUID)
  try {
    // Its own journal knows it after all: that one settles it.
    if ((await journal.find(intentId)) !== undefined) return
    const connection = { baseUrl: place.url, key: place.readingKey, clock: place.clock }
    const records = { journal, ownOrders: () => ownOrders(dynamo) }
    const candidates = await withConnection(connection, (client) => findCandidates(test, records, client, place))
    if (candidates.length > 0) throw mayHaveMoved(candidates, place)
  } finally {
    dynamo.destroy()
  }
}

/** Placed by this journal, and not claimed yet: an order is known by its id before it is sent. */
async function ownOrders(dynamo: ReturnType<typeof embeddedClient>): Promise<ReadonlySet<string>> {
  const intents = await scanIntents(dynamo, JOURNAL_TABLE)
  return new Set(intents.flatMap(({ attempt }) => (attempt as Partial<OrderTried> | undefined)?.orderId ?? []))
}

async function findCandidates(
  test: MovementTest,
  records: Records,
  client: ServiceClient,
  { newSince, timing, clock, progress }: NewDirectory,
): Promise<readonly Movement[]> {
  try {
    await client.clock.measure()
    const bornMs = Date.parse(newSince)
    if (client.clock.nowMs() > bornMs + LOOK_BACK_MS) return []
    const untilMs = bornMs + settlingMs(timing)
    const span = { sinceMs: bornMs - LOOK_BACK_MS, untilMs: untilMs + DATING_SLACK_MS }
    // Another journal may be about: what it sent last may not show yet, and what shows says nothing of it.
    if (client.clock.reachedMs() < untilMs && (await hasMovedElsewhere(client, bornMs, records))) {
      const text = `this directory is new, and the account in use: what was sent elsewhere shows by ${new Date(untilMs).toISOString()}`
      progress.line({ label: 'waiting', text, tone: 'wait' })
      await untilReached(untilMs, client, clock)
    }
    const unclaimed = await listUnclaimed(test, span, records, client)
    if (unclaimed.length === 0) return []
    const assets = await client.assets()
    return unclaimed.filter(({ mayBeIts }) => mayBeIts(assets))
  } catch (error) {
    throw cannotLook(error)
  }
}

/** By when all that was signed before the directory's birth is refused, or shows. */
function settlingMs({ tokenLifeSeconds, leewaySeconds, visibilitySeconds, orderVisibilitySeconds }: Timing): number {
  return (tokenLifeSeconds + leewaySeconds + Math.max(visibilitySeconds, orderVisibilitySeconds)) * 1000
}

/**
 * Of either kind and any age, but for what this journal itself has moved since its birth. What is refused to the key
 * counts as moved.
 */
async function hasMovedElsewhere(
  client: ServiceClient,
  bornMs: number,
  { journal, ownOrders }: Records,
): Promise<boolean> {
  const ours = await ownOrders()
  const isOurs = async (kind: IntentKind, { id, createdAt }: { readonly id: string; readonly createdAt: string }) => {
    // Negated, so that a time that cannot be read is before.
    if (!(Date.parse(createdAt) >= bornMs - DATING_SLACK_MS)) return false
    const holder = await journal.findClaim(kind, id)
    if (holder === undefined) return kind === IntentKind.Convert && ours.has(id)
    return (await journal.find(holder)) !== undefined
  }
  const most = { maxItems: MOST_ROWS }
  try {
    for await (const order of client.walkOrders({}, most)) if (!(await isOurs(IntentKind.Convert, order))) return true
    for await (const row of client.walkWithdrawals({}, most)) if (!(await isOurs(IntentKind.Withdraw, row))) return true
  } catch (error) {
    if (error instanceof Transient) throw error
    return true
  }
  return false
}

async function untilReached(untilMs: number, client: ServiceClient, clock: Clock): Promise<void> {
  // One look more than the time holds: a clock that is set back is not waited for.
  const most = Math.ceil((untilMs - client.clock.reachedMs()) / LOOK_MS) + 1
  for (let look = 0; look < most && client.clock.reachedMs() < untilMs; look += 1) {
    await clock.sleep(Math.min(LOOK_MS, Math.max(1, untilMs - client.clock.reachedMs())))
    await client.clock.measure()
  }
}

interface TimeSpan {
  readonly sinceMs: number
  readonly untilMs: number
}

interface Records {
  readonly journal: Pick<Journal, 'find' | 'findClaim'>
  /** Ids of the orders that this journal has placed, claimed or not. */
  readonly ownOrders: () => Promise<ReadonlySet<string>>
}

/** Movements of the id's kinds that this journal does not know. */
async function listUnclaimed(
  test: MovementTest,
  span: TimeSpan,
  { journal, ownOrders }: Records,
  client: ServiceClient,
): Promise<Movement[]> {
  const startDate = new Date(span.sinceMs).toISOString()
  const orders = test.order === undefined ? [] : await client.listOrders({ startDate }, MOST_ROWS)
  const rows = test.withdrawal === undefined ? [] : await client.listWithdrawals({ startDate }, MOST_ROWS)
  const movements = [
    ...orders.filter((order) => isWithin(span, order)).map((order) => orderMovement(order, test)),
    ...rows.filter((row) => isWithin(span, row)).map((row) => withdrawalMovement(row, test)),
  ]
  const unclaimed: Movement[] = []
  for (const movement of movements) {
    if ((await journal.findClaim(movement.kind, movement.id)) === undefined) unclaimed.push(movement)
  }
  if (unclaimed.length === 0) return []
  const own = await ownOrders()
  return unclaimed.filter(({ kind, id }) => kind !== IntentKind.Convert || !own.has(id))
}

/** Negated, so that a time that cannot be read is within. */
function isWithin({ sinceMs, untilMs }: TimeSpan, { createdAt }: { readonly createdAt: string }): boolean {
  const atMs = Date.parse(createdAt)
  return !(atMs < sinceMs - DATING_SLACK_MS || atMs > untilMs)
}

function orderMovement(order: SeenOrder, { order: isIts }: MovementTest): Movement {
  const { id, side, market, baseAmount, quoteAmount, createdAt } = order
  const text = `order ${printable(id)}: ${printable(side)} on ${printable(market)}, ${baseAmount} for ${quoteAmount}, at ${printable(createdAt)}`
  return { kind: IntentKind.Convert, id, text, mayBeIts: (assets) => isIts?.(order, assets) === true }
}

function withdrawalMovement(row: SeenWithdrawal, { withdrawal: isIts }: MovementTest): Movement {
  const { id, assetSymbol, amount, total, createdAt } = row
  const text = `withdrawal ${printable(id)}: ${amount} ${printable(assetSymbol ?? '(asset unknown)')}, ${total} in all, at ${printable(createdAt)}`
  return { kind: IntentKind.Withdraw, id, text, mayBeIts: (assets) => isIts?.(row, assets) === true }
}

function mayHaveMoved(candidates: readonly Movement[], { stateDir, newSince, foreign }: NewDirectory): CommandError {
  const told = candidates.slice(0, MOST_TOLD).map(({ text }) => text)
  const more = candidates.length - told.length
  const days = LOOK_BACK_MS / (24 * 3_600_000)
  return new CommandError({
    exitCode: ExitCode.NeedsPerson,
    code: 'in_doubt',
    message: [
      `${stateDir} is new for this account since ${newSince}, and of what the account moved in the ${days} days before, ${candidates.length} may be this id's: it may have moved already, under another journal; this command has sent nothing`,
      ...told,
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('\n'),
    next: `run it with the state directory in which it ran before; or, for each movement that a person knows not to be this id's: ${foreign}, then the same command again`,
  })
}

/** What cannot be looked at is not ruled out. */
function cannotLook(error: unknown): CommandError {
  if (error instanceof CommandError) return error
  const problem = problemOf(error)
  if (problem?.code === 'insufficient_scope') {
    const scope = problem.endpoint.includes('withdrawals') ? 'transfers:read' : 'trading:read and market_data:read'
    return usageError(
      'keys',
      `--keys: this state directory is new for the account, and the key that reads may not look at what has moved there (${problem.endpoint}); nothing was sent`,
      `give a key with the scope ${scope}, or run it with the state directory in which it ran before`,
    )
  }
  // More rows than can be told apart.
  if (error instanceof Defect && problem === undefined) {
    const message = `${error.message}: whether this id has moved already, under another journal, cannot be ruled out; this command has sent nothing`
    const next = 'run it with the state directory in which it ran before'
    return new CommandError({ exitCode: ExitCode.NeedsPerson, code: 'in_doubt', message, next }, { cause: error })
  }
  return serviceFailure(error)
}

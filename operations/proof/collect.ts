// Collects the evidence of a proof: stored records, the executions' histories, and what the service shows now of each
// movement. It reads only, judges nothing, and says what it had to leave out.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { ledgerSourceOf } from '../../core/contract/ledger-types.ts'
import { WithdrawEnd } from '../../core/contract/outcomes.ts'
import { FOREIGN, IntentKind, PAGES_KEY, recordKey } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { Defect, Refused } from '../../core/errors.ts'
import { isSpokenTo } from '../../core/journal/accepted-requests.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { findMissing, startOfKnown } from '../../core/movements/withdrawal/known-rows.ts'
import { ANY_PLAN, requestsOf } from '../../core/runs/approval/decisions.ts'
import { type DecisionVerifier, decisionKeyText } from '../../core/runs/approval/signed-decision.ts'
import {
  frozenLegs,
  isAtEnd,
  legIntentId,
  legOf,
  type RunRecord,
  runOfRecord,
} from '../../core/runs/record/run-record.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { ExecutionHistory } from '../../place/executions/execution-history.ts'
import { RequestKind } from '../movements/record-kind.ts'
import type { Part } from './pack-file.ts'
import type { Origin, ServicePart } from './proof-parts.ts'

export interface Proven {
  readonly kind: RequestKind
  readonly id: string
}

export interface EvidenceSources {
  readStored(key: string): Promise<StoredRecord | undefined>
  /** The histories of an intent, and why some could not be read. */
  histories(intent: Intent): Promise<{ readonly histories: readonly ExecutionHistory[]; readonly unread?: string }>
  readonly service: Pick<
    ServiceClient,
    | 'clock'
    | 'keyInUse'
    | 'accountOfKey'
    | 'findOrder'
    | 'fillsOf'
    | 'findWithdrawal'
    | 'listWithdrawals'
    | 'walkLedger'
  >
  readonly decisionKey: DecisionVerifier
  /** The origin without the account, which is read from the service. */
  readonly from: Omit<Origin, 'account'>
}

const MOST_FILLS = 2_000
const MOST_ENTRIES = 5_000
const MOST_ORDERS = 100
/** Maximum rows, because each costs a read of its claim. */
const MOST_ROWS = 500
const MOST_HISTORY_BYTES = 1024 * 1024
const DAY_MS = 86_400_000
/** A service may date its rows to the day, in any zone (docs/movement-protocol.md, "Withdrawals"). */
const ROW_SLACK_DAYS = 2

/** @throws Defect for an unreadable record, Transient, Refused */
export async function collectParts({ kind, id }: Proven, sources: EvidenceSources): Promise<Part[]> {
  const { service } = sources
  const records = new Map<string, StoredRecord>()
  const keep: Keep = async (key, isWanted = () => true) => {
    const record = await sources.readStored(key)
    if (record === undefined || !isWanted(record)) return undefined
    records.set(key, record)
    return record
  }
  await service.clock.measure()
  const from = { ...sources.from, account: (await service.accountOfKey()) ?? null }
  const readWith = await service.keyInUse()
  const at = new Date(service.clock.reachedMs()).toISOString()
  await keep(recordKey.account)
  const run = kind === RequestKind.Run ? await keepRun(id, keep) : undefined
  const isDecided = [...records.keys()].some((key) => isSpokenTo(Verb.Decide, key))
  const decidedWith = isDecided && { decisionKey: decisionKeyText(await sources.decisionKey.publicKey()) }
  const about = { part: 'about', kind, id, at, from, readWith, ...decidedWith }
  const intents = kind === RequestKind.Run ? [] : [recordKey.intent(kind, id)]
  const legs =
    run === undefined ? [] : frozenLegs(run).map((leg) => recordKey.intent(legOf(run, leg).kind, leg.intentId))
  const more = await mapBounded([...intents, ...legs], READS_AT_ONCE, async (key) => {
    const record = await keep(key, (each) => run === undefined || !isOfOtherRun(each, run))
    if (record === undefined) return []
    const intent = intentOfRecord(record)
    const history = await executionsOf(intent, sources)
    const shown = await serviceOf(intent, history, sources)
    const claims = [...(intent.ref === undefined ? [] : [intent.ref]), ...(shown.rows ?? []).map((row) => row.id)]
    await mapBounded([...new Set(claims)], READS_AT_ONCE, async (each) => {
      const claim = await keep(recordKey.claim(intent.kind, each))
      if (claim?.intentId === FOREIGN) await keep(recordKey.foreign(intent.kind, each))
    })
    return [history, shown]
  })
  const stored = [...records].map(([key, record]) => ({ part: `record ${key}`, record }))
  return [about, ...stored, ...more.flat()]
}

/** Puts a record into the proof, if it is wanted there. */
type Keep = (key: string, isWanted?: (record: StoredRecord) => boolean) => Promise<StoredRecord | undefined>

/**
 * Whether the intent of a row belongs to another run, which began the row first. This run's leg has ended without a movement, so
 * the proof shows it as not begun.
 */
function isOfOtherRun(record: StoredRecord, run: RunRecord): boolean {
  const frozen = frozenLegs(run).find((leg) => record.pk === recordKey.intent(legOf(run, leg).kind, leg.intentId))
  if (frozen === undefined || legOf(run, frozen).once === undefined) return false
  const { run: owner } = intentOfRecord(record).params
  const hasMovedNothing = run.results[frozen.intentId]?.outcome === WithdrawEnd.Exhausted
  return hasMovedNothing && typeof owner === 'string' && owner !== run.runId
}

async function keepRun(runId: string, keep: Keep): Promise<RunRecord | undefined> {
  const record = await keep(recordKey.run(runId))
  if (record === undefined) return undefined
  if (record[PAGES_KEY] !== undefined)
    throw new Refused(`run ${runId} has too many legs for one proof: make a proof of each of its movements`)
  const run = runOfRecord(record)
  await keep(recordKey.requester(runId))
  // Decisions are read even where the record says that nobody was asked, because people may have decided anyway.
  await keep(recordKey.decisions(runId, ANY_PLAN))
  if (run.approval !== undefined) {
    const decided = await keep(recordKey.decisions(runId, run.approval.planHash))
    await mapBounded(requestsOf(decided), READS_AT_ONCE, (key) => keep(key))
  }
  // This includes legs that the record does not list as frozen. A record that somebody has changed may leave out what
  // has moved.
  const legs = isAtEnd(run) ? (run.plan?.legs ?? []) : []
  const planned = legs.map((leg) => recordKey.intent(leg.kind, legIntentId(runId, leg)))
  await mapBounded(planned, READS_AT_ONCE, (key) => keep(key, (each) => !isOfOtherRun(each, run)))
  return run
}

type ExecutionsPart = Part & { readonly histories: readonly ExecutionHistory[] }

async function executionsOf(intent: Intent, sources: EvidenceSources): Promise<ExecutionsPart> {
  const part = `executions ${intent.intentId}`
  const { histories, unread } = await sources.histories(intent)
  if (JSON.stringify(histories).length > MOST_HISTORY_BYTES) return { part, histories: [], unread: 'they are too long' }
  // The ARN would name this machine, or the account of AWS.
  const named = histories.map(({ executionArn: _arn, ...history }) => history)
  return { part, histories: named, ...(unread !== undefined && { unread }) }
}

async function serviceOf(intent: Intent, history: ExecutionsPart, { service }: EvidenceSources): Promise<ServicePart> {
  const shown =
    intent.kind === IntentKind.Convert ? await ordersOf(intent, history, service) : await withdrawalsOf(intent, service)
  // The end of the reads. Whatever a service showed then existed at that time.
  const readAt = new Date(service.clock.reachedMs()).toISOString()
  return { part: `service ${intent.intentId}`, readAt, ...shown }
}

type Shown = Omit<ServicePart, 'part' | 'readAt'>

/** The orders of all known quotes of the intent, whether or not the orders were sent. */
async function ordersOf(
  { ref, attempt }: Intent,
  { histories }: ExecutionsPart,
  service: EvidenceSources['service'],
): Promise<Shown> {
  const quoted = histories.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.did === 'left' ? orderIdsIn(step.output) : [])),
  )
  const own = attempt !== undefined && 'orderId' in attempt ? [attempt.orderId] : []
  const ids = [...new Set([...(ref === undefined ? [] : [ref]), ...own, ...quoted])]
  const orders = await mapBounded(ids.slice(0, MOST_ORDERS), READS_AT_ONCE, async (id) => ({
    id,
    row: (await service.findOrder(id)) ?? null,
  }))
  const leftOut = ids.length > MOST_ORDERS ? { leftOut: `${ids.length - MOST_ORDERS} other quotes` } : {}
  const exists = orders.some(({ id, row }) => id === ref && row !== null)
  if (ref === undefined || !exists) return { orders, fills: [], ledger: [], ...leftOut }
  const [fills, ledger] = [await service.fillsOf(ref, MOST_FILLS), await ledgerOf(service, { orderId: ref })]
  return { orders, fills: [...fills], ledger, ...leftOut }
}

function orderIdsIn(output: Readonly<Record<string, unknown>>): string[] {
  return typeof output.orderId === 'string' ? [output.orderId] : []
}

async function withdrawalsOf(intent: Intent, service: EvidenceSources['service']): Promise<Shown> {
  const { ref, frozen, createdAt, notAfter, attempt } = intent
  const withdrawal = ref === undefined ? undefined : await service.findWithdrawal(ref)
  const ledger = withdrawal === undefined ? [] : await ledgerOf(service, { sourceId: withdrawal.id })
  const shown = { ...(ref !== undefined && { withdrawal: withdrawal ?? null }), ledger }
  const asset = 'assetSymbol' in frozen ? frozen.assetSymbol : undefined
  // Nothing was ever about to be sent, so no row can be its own.
  if (asset === undefined || attempt === undefined || !('known' in attempt)) return shown
  const startMs = Date.parse(createdAt) - 2 * ROW_SLACK_DAYS * DAY_MS
  const filter = {
    assetSymbol: asset,
    // Begins at the date of the step's own list, or earlier, so that this list shows all rows of the step's list.
    startDate: new Date(Math.min(startMs, Date.parse(startOfKnown(attempt)))).toISOString(),
    endDate: new Date(Date.parse(notAfter) + (ROW_SLACK_DAYS + 1) * DAY_MS).toISOString(),
  }
  try {
    const rows = await service.listWithdrawals(filter, MOST_ROWS)
    const missing = findMissing(attempt, rows)
    if (missing === undefined) return { ...shown, rows: [...rows] }
    return {
      ...shown,
      leftOut: `the withdrawals of ${asset} around it: the list lacks ${missing}, which it has shown before`,
    }
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    return {
      ...shown,
      leftOut: `the withdrawals of ${asset} around it: they are more than ${MOST_ROWS}, or the list is not whole`,
    }
  }
}

async function ledgerOf(
  service: EvidenceSources['service'],
  filter: { readonly orderId?: string; readonly sourceId?: string },
): Promise<NonNullable<Shown['ledger']>> {
  const entries = []
  for await (const entry of service.walkLedger(filter, { maxItems: MOST_ENTRIES })) entries.push(entry)
  // It is not certain which filters a ledger supports. Entries of other movements are no evidence.
  return entries.filter(({ orderId, source }) =>
    filter.orderId === undefined
      ? source?.id === filter.sourceId && ['withdrawal', 'unknown'].includes(ledgerSourceOf(source?.type ?? ''))
      : orderId === filter.orderId,
  )
}

// The audit: compares what moved at the service with the journal, both ways, and reports what does not tie out. Moves
// no money, and changes no intent. It judges in one slice what fits into memory. Otherwise it goes slice by slice, and
// records how far it has come after each. A call that runs out of time leaves the rest to the next. It believes only a
// sealed record of the last audit, and otherwise judges anew.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { type Finding, FindingType, type ReconcileInput, type ReconcileReport } from '../../core/contract/reconcile.ts'
import { AUDIT_WALK, IntentKind, recordKey } from '../../core/contract/records.ts'
import { TooMany } from '../../core/errors.ts'
import { readable } from '../../core/journal/listed-records.ts'
import type { Walked, Watermark, Watermarks } from '../../core/journal/watermarks.ts'
import { FIRST_LOOK_MS, isAhead, iso } from './audit-window.ts'
import { judgeStarts } from './judge-starts.ts'
import { Audit, type Part } from './one-audit.ts'
import type { ReconcilePorts } from './ports.ts'
import { type Slice, Slices } from './slices.ts'

/** Whether the last call left a part of its audit to the next. @throws Transient */
export async function isUnfinished(watermarks: Watermarks): Promise<boolean> {
  return (await watermarks.find(AUDIT_WALK))?.unfinished !== undefined
}

/**
 * Runs one audit, or as much of it as one call has time for.
 * @throws Transient, Refused, Defect. The slice in which it failed is judged again by the next call.
 */
export async function reconcile({ continues, since }: ReconcileInput, ports: ReconcilePorts): Promise<ReconcileReport> {
  const { service } = ports
  await service.clock.measure()
  const nowMs = service.clock.reachedMs()
  const last = await readLastAudit(nowMs, ports)
  const { mark, anewFrom, clockSetBackFrom } = last
  const before = since === undefined ? last.before : undefined
  const open = await stillUnclaimed(before?.open, ports)
  const audit = new Audit(ports, { nowMs, before, since, anewFrom, open, isContinuation: continues === true })
  // A requested look back does not move the watermark, so the next audit reports it.
  if (since === undefined && last.finding !== undefined) audit.find(last.finding)
  // A requested look back does not move the watermark.
  const record = since === undefined ? recorder(audit, ports, mark) : async () => true
  await judgeAll(audit, ports, record)
  return { ...audit.report(), ...(clockSetBackFrom !== undefined && { clockSetBackFrom }) }
}

/** A record that cannot be read settles nothing. */
async function stillUnclaimed(
  open: readonly Finding[] = [],
  { isShared, journal }: ReconcilePorts,
): Promise<readonly Finding[]> {
  if (isShared) return []
  const claims = await mapBounded(open, READS_AT_ONCE, ({ movement, movementId = '' }) => {
    const kind = movement === 'order' ? IntentKind.Convert : IntentKind.Withdraw
    return readable(
      () => journal.findClaim(kind, movementId),
      () => undefined,
    )
  })
  return open.filter((_, index) => {
    const claim = claims[index]
    return claim === 'unreadable' || claim?.read === undefined
  })
}

/** Records how far the audit has come. False where another audit has moved the watermark meanwhile. */
type Record = () => Promise<boolean>

function recorder(audit: Audit, { watermarks, starts }: ReconcilePorts, found: Watermark | undefined): Record {
  let mark = found
  let startsJudgedMs = audit.throughMs
  return async () => {
    const { throughMs } = audit
    if (starts !== undefined) await judgeStarts({ sinceMs: startsJudgedMs, throughMs }, starts)
    startsJudgedMs = throughMs
    mark = await watermarks.move(AUDIT_WALK, mark, audit.walked())
    return mark !== undefined
  }
}

async function judgeAll(audit: Audit, ports: ReconcilePorts, record: Record): Promise<void> {
  if (!audit.isContinued && (await judgedWhole(audit))) {
    await record()
    return
  }
  let isRecorded = false
  let lengthMs: number | undefined
  // The newest movements come first, because the audits must catch up with the present.
  for (const part of ['stretch', 'again'] as const satisfies readonly Part[]) {
    const slices = new Slices(audit.left(part), audit.window.throughMs, lengthMs)
    let judged = 0
    for (let slice = slices.next(); slice !== undefined; slice = slices.next()) {
      // Each call judges a slice of both parts, so that neither waits for ever.
      if (judged > 0 && !ports.hasTime()) break
      if (!(await judgedSlice(audit, slice, slices))) continue
      judged += 1
      audit.pass(part, slice.throughMs)
      if (!(await record())) return
      isRecorded = true
    }
    lengthMs = slices.lengthMs
  }
  // An earlier call recorded all but the end.
  if (!isRecorded) await record()
}

/** False where there are too many movements for one slice. */
async function judgedWhole(audit: Audit): Promise<boolean> {
  const { againFromMs, sinceMs, throughMs } = audit.window
  try {
    if (throughMs <= sinceMs) await audit.judgeOpenIntents()
    else await audit.judge({ sinceMs: againFromMs, throughMs, isWhole: true, isNewest: true, isShortest: false })
  } catch (error) {
    if (!(error instanceof TooMany) || throughMs <= sinceMs) throw error
    return false
  }
  audit.passWhole()
  return true
}

/** False where the slice was cut. @throws TooMany where it is too short to be cut */
async function judgedSlice(audit: Audit, slice: Slice, slices: Slices): Promise<boolean> {
  try {
    slices.pass(slice, await audit.judge(slice))
    return true
  } catch (error) {
    if (!(error instanceof TooMany)) throw error
    slices.cut(slice, error)
    return false
  }
}

/** How far back an audit judges anew, in milliseconds. Every record that nobody may believe is found within an hour. */
const MOST_ANEW_MS = 7 * 24 * 3_600_000

export interface LastAudit {
  /** The record to replace, whoever wrote it. */
  readonly mark: Watermark | undefined
  /** The memory of the last audit. Undefined where there is nothing to believe. */
  readonly before: Walked | undefined
  /** ISO-8601, where an audit without memory begins. */
  readonly anewFrom: string
  /** ISO-8601: where the last audit ended, by a clock that ran ahead. */
  readonly clockSetBackFrom: string | undefined
  readonly finding: Finding | undefined
}

/** @throws Transient, Refused, Defect */
export async function readLastAudit(nowMs: number, { watermarks, findVerifiedAt }: ReconcilePorts): Promise<LastAudit> {
  const mark = await watermarks.find(AUDIT_WALK)
  // A clock that ran ahead may have skipped movements. So the audit looks back like a first audit: better judged twice
  // than never.
  const clockSetBackFrom = mark?.isSealed === true && isAhead(mark.through, nowMs) ? mark.through : undefined
  if (mark?.isSealed === true) {
    const before = clockSetBackFrom === undefined ? mark : undefined
    return { mark, before, anewFrom: iso(nowMs - FIRST_LOOK_MS), clockSetBackFrom, finding: undefined }
  }
  const verifiedAt = await findVerifiedAt()
  // A record shows that there were audits, so everything may have been judged and muted.
  const begunMs = verifiedAt === undefined ? (mark === undefined ? nowMs : 0) : msOf(verifiedAt)
  const anewFrom = iso(Math.max(nowMs - MOST_ANEW_MS, Math.min(nowMs - FIRST_LOOK_MS, begunMs)))
  const message = mark === undefined ? missingText(verifiedAt, anewFrom) : unsealedText(anewFrom)
  const finding = message === undefined ? undefined : { finding: FindingType.ChangedRecord, message }
  return { mark, before: undefined, anewFrom, clockSetBackFrom: undefined, finding }
}

const RECORD = recordKey.watermark(AUDIT_WALK)

function unsealedText(anewFrom: string): string {
  return `the record ${RECORD} is not as an audit has written it with the present key or the one before: somebody changed it, the keys were replaced twice, or the key before cannot be read. This audit believes nothing of it, and judges everything after ${anewFrom} anew. For earlier movements run sluice journal audit --since`
}

/** Undefined for a first audit. */
function missingText(verifiedAt: string | undefined, anewFrom: string): string | undefined {
  if (verifiedAt === undefined || msOf(verifiedAt) >= Date.parse(anewFrom)) return undefined
  return `there is no record ${RECORD}, and the keys were verified at ${verifiedAt}: somebody deleted it, or no audit has ended since. This audit judges everything after ${anewFrom}. For earlier movements run sluice journal audit --since`
}

/** An unreadable time is long ago. */
function msOf(time: string): number {
  const atMs = Date.parse(time)
  return Number.isNaN(atMs) ? 0 : atMs
}

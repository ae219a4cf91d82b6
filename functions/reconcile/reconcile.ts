// The audit: compares what moved at the service with the journal, both ways, and reports what does not tie out. Moves
// no money, and changes no intent. It judges in one slice what fits into memory. Otherwise it goes slice by slice, and
// records how far it has come after each. A call that runs out of time leaves the rest to the next.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { Finding, ReconcileInput, ReconcileReport } from '../../core/contract/reconcile.ts'
import { AUDIT_WALK, IntentKind } from '../../core/contract/records.ts'
import { TooMany } from '../../core/errors.ts'
import { readable } from '../../core/journal/listed-records.ts'
import type { Watermark, Watermarks } from '../../core/journal/watermarks.ts'
import { judgeStarts } from './judge-starts.ts'
import { readLastAudit } from './last-audit.ts'
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

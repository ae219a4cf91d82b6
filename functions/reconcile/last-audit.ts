// Decides what an audit believes of the record of the last one. It believes only a sealed record. Without one it
// remembers nothing, and judges anew what earlier audits may not have judged. A time that nobody has judged is a finding.
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { AUDIT_WALK, recordKey } from '../../core/contract/records.ts'
import type { Walked, Watermark } from '../../core/journal/watermarks.ts'
import { FIRST_LOOK_MS, isAhead, iso } from './audit-window.ts'
import type { ReconcilePorts } from './ports.ts'

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
export async function readLastAudit(
  nowMs: number,
  { watermarks, findVerifiedAt }: Pick<ReconcilePorts, 'watermarks' | 'findVerifiedAt'>,
): Promise<LastAudit> {
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

// Compares the journal with an export of it. Each intent, claim and run of the export must still exist, with the same
// content or more. An ended intent cannot have another end, and a claim cannot have another holder. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { Defect } from '../../../core/errors.ts'
import { type Intent, isSettled } from '../../../core/journal/intent.ts'
import { intentOfRecord } from '../../../core/journal/intent-record.ts'
import { outlineOf } from '../../../core/journal/long-records.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { isAtEnd, mayBeginAgain, type RunRecord, runOfRecord } from '../../../core/runs/record/run-record.ts'
import type { RequestAccess } from '../../../place/journal/journal-parts.ts'
import { type Finding, FindingKind } from '../judge.ts'
import { recordsOfExport } from './read-export.ts'
import type { ReadExport } from './restore-export.ts'

/** Keys of intents, claims, and runs with their pages. A movement rests on these records, and they are never deleted. */
const KEPT_FOR_GOOD = /^[ICRG]#/
const MOST_FINDINGS = 10_000
const AT_ONCE = 1_000

export async function holdExport(
  connection: Pick<RequestAccess, 'readRecord'>,
  { dir, manifest }: ReadExport,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  let some: StoredRecord[] = []
  const look = async () => {
    await mapBounded(some, READS_AT_ONCE, async (record) => {
      const finding = await judgeReadable(record, connection, manifest.startedAt)
      if (finding !== undefined && findings.length < MOST_FINDINGS) findings.push({ ...finding, about: record.pk })
    })
    some = []
  }
  for await (const record of recordsOfExport(dir, manifest)) {
    if (!KEPT_FOR_GOOD.test(record.pk)) continue
    some.push(record)
    if (some.length === AT_ONCE) await look()
  }
  await look()
  return findings
}

/** A record that was edited must not hide the others. */
async function judgeReadable(
  was: StoredRecord,
  { readRecord }: Pick<RequestAccess, 'readRecord'>,
  at: string,
): Promise<Omit<Finding, 'about'> | undefined> {
  try {
    return judgeKept(was, await readRecord(was.pk), at)
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    return { finding: FindingKind.Unreadable, message: error.message }
  }
}

function judgeKept(was: StoredRecord, is: StoredRecord | undefined, at: string): Omit<Finding, 'about'> | undefined {
  if (is === undefined)
    return { finding: FindingKind.Lost, message: `the export of ${at} has it, and the journal does not` }
  if (was.pk.startsWith('C#')) {
    if (was.intentId === is.intentId) return undefined
    const message = `${String(was.intentId)} held it in the export of ${at}, and ${String(is.intentId)} does now`
    return { finding: FindingKind.Contradiction, message }
  }
  if (was.pk.startsWith('I#')) return judgeIntent(intentOfRecord(was), intentOfRecord(is), at)
  if (was.pk.startsWith('G#')) return undefined
  return judgeRun(runOfRecord(outlineOf(was)), runOfRecord(is), at)
}

/** A run at another end is never planned again, whatever its version: a rebuild counts from 1. */
function judgeRun(was: RunRecord, is: RunRecord, at: string): Omit<Finding, 'about'> | undefined {
  if (is.version >= was.version || (isAtEnd(is) && !mayBeginAgain(is))) return undefined
  const message = `it was ${was.outcome} at version ${was.version} in the export of ${at}, and is ${is.outcome} at version ${is.version}`
  return { finding: FindingKind.Behind, message }
}

function judgeIntent(was: Intent, is: Intent, at: string): Omit<Finding, 'about'> | undefined {
  const text = ({ ref, state }: Intent) => `${state}${ref === undefined ? '' : ` by ${ref}`}`
  if (isSettled(was.state)) {
    if (is.state === was.state && is.ref === was.ref) return undefined
    const message = `it was ${text(was)} in the export of ${at}, and is ${text(is)}`
    return { finding: isSettled(is.state) ? FindingKind.Contradiction : FindingKind.Behind, message }
  }
  // An intent that has ended, or waits for a person, cannot send.
  if (is.version >= was.version || is.state === 'ESCALATED' || isSettled(is.state)) return undefined
  const message = `it was at version ${was.version} in the export of ${at}, and is at version ${is.version}`
  return { finding: FindingKind.Behind, message }
}

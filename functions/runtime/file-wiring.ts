// Builds the ports of the function that reads payout files: S3, the journal's records of a start, and the report on a refused
// file. It is separate from trigger-wiring.ts, because no other function needs the client of S3.
import { S3Client } from '@aws-sdk/client-s3'
import { FILE_REFUSED, type FileRefused } from '../../core/contract/events.ts'
import { createPages } from '../../core/journal/pages.ts'
import { guardStore } from '../../core/journal/table-identity.ts'
import { createVerification } from '../../core/journal/verification.ts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import { createRequesters } from '../../core/runs/approval/requesters.ts'
import { createRuns } from '../../core/runs/record/runs.ts'
import { createObjectReader, type ReadVersion } from '../../core/triggers/payout-object.ts'
import { createDeadLetters, sqsClient } from '../../core/triggers/queues.ts'
import { newId, wireTable } from './clients.ts'
import { readDeadLetterQueue } from './environment.ts'
import { wireBus } from './trigger-wiring.ts'

export function wireVersions(): ReadVersion {
  return createObjectReader(new S3Client(requestLimits(AWS_LIMITS)))
}

/** The function's role allows only these records, and reads of the records that identify the journal. */
export function wireFileRecords(env: NodeJS.ProcessEnv) {
  const { store, assertOwnTable } = wireTable(env)
  const own = guardStore(store, assertOwnTable)
  return {
    runs: createRuns(own, newId),
    pages: createPages(own),
    requesters: createRequesters(own, newId),
    isVerified: createVerification(store),
  }
}

/** Puts the event on the bus, and a dead letter with the first findings, so that an alarm rings also without notices. */
export function wireReport(env: NodeJS.ProcessEnv): (refused: FileRefused) => Promise<void> {
  const publish = wireBus(env)
  const bury = createDeadLetters(sqsClient(), readDeadLetterQueue(env))
  return async (refused) => {
    await publish({ detailType: FILE_REFUSED, detail: refused, timeMs: Date.parse(refused.at) })
    const { at: _at, findings, findingsInAll, version: _version, ...place } = refused
    const first = findings.slice(0, MOST_IN_REASON)
    const lines = first.map(({ line, says }) => (line === undefined ? says : `line ${line}: ${says}`))
    const more = findingsInAll > first.length ? [`and ${findingsInAll - first.length} more`] : []
    await bury({ source: 'file', ...place }, { code: 'BAD_FILE', message: [...lines, ...more].join('; ') })
  }
}

/** Findings in the reason of the dead letter. The event has more of them. */
const MOST_IN_REASON = 5

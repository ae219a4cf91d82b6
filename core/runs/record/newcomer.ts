// A policy under a name that has moved nothing yet may be one that was renamed without a word: its day's budgets and
// turnover would begin anew. So while a policy of its kind is gone from treasury.json that moved something within a
// day, it has its day used up, until the file says what it was. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import { listing } from '../../contract/records.ts'
import { dayOf } from '../../journal/sending-days.ts'
import type { RunPorts } from '../ports.ts'
import { isGone } from '../settle/abandoned-balances.ts'
import type { PolicyRecord } from './policy-record.ts'
import { INLINE } from './request.ts'
import type { RunRecord } from './run-record.ts'

const DAY_MS = 86_400_000
const MOST_LISTED = 1_000

/** One sentence where it is not to begin yet. @throws Transient, Defect beyond 1,000 policies that moved on a day */
export async function findFormer(
  { policy, kind }: RunRecord,
  { lastTradedAt }: PolicyRecord,
  ports: Pick<RunPorts, 'index' | 'policies' | 'runs' | 'service' | 'treasury'>,
): Promise<string | undefined> {
  if (lastTradedAt !== undefined || policy.startsWith(INLINE)) return undefined
  const { index, policies, runs, service, treasury } = ports
  const nowMs = service.clock.nowMs()
  const days = [...new Set([dayOf(nowMs - DAY_MS), dayOf(nowMs)])]
  const lists = await mapBounded([listing.residues, ...days.map(listing.movedOn)], READS_AT_ONCE, (list) =>
    index.list(list, MOST_LISTED),
  )
  const gone = [...new Set(lists.flat())].filter((name) => !name.startsWith(INLINE) && isGone(name, treasury))
  const records = await mapBounded(gone, READS_AT_ONCE, (name) => policies.find(name))
  for (const { policy: former, lastTradedAt: at, lastRunId } of records) {
    if (at === undefined || Date.parse(at) + DAY_MS <= nowMs) continue
    const last = lastRunId === undefined ? undefined : await runs.find(intentIdOf(lastRunId))
    if (last !== undefined && last.kind !== kind) continue
    const said = `if ${policy} is that policy, it says so by "was": "${former}"`
    return `policy ${former} is gone from treasury.json, and moved something at ${at}: ${said}; else it begins a day later`
  }
  return undefined
}

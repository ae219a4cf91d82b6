// Finds payout rows that were paid more than once. The steps never begin a row's next try before the one before is a certified
// zero, so only an edited journal or a defect gives a row two withdrawals. Reads only.

import { IntentState } from '../../contract/records.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../contract/withdraw.ts'
import { type Intent, isConversion } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RunService } from '../ports.ts'
import { frozenLegs, legOf } from '../record/run-record.ts'
import type { Runs } from '../record/runs.ts'
import { findTries, idOfOnce } from './payments.ts'

/**
 * For those who check an intent later: one sentence where another withdrawal has paid the row of this one.
 * @throws Transient, Defect
 */
export type PaidTwiceFinder = (intent: Intent) => Promise<string | undefined>

interface Ports {
  readonly journal: Pick<Journal, 'find'>
  readonly runs: Pick<Runs, 'find'>
  readonly service: Pick<RunService, 'findWithdrawal'>
}

export function createPaidTwiceFinder({ journal, runs, service }: Ports): PaidTwiceFinder {
  const isKept = async ({ state, ref }: Intent) => {
    if (state !== IntentState.Done || ref === undefined) return false
    const row = await service.findWithdrawal(ref)
    return row === undefined || !FAILED_WITHDRAWAL_STATUSES.has(row.status)
  }
  return async (intent) => {
    const { intentId, params } = intent
    if (isConversion(intent) || typeof params.run !== 'string') return undefined
    const run = await runs.find(params.run)
    const frozen = run && frozenLegs(run).find((each) => each.intentId === intentId)
    const { once } = run && frozen ? legOf(run, frozen) : {}
    if (once === undefined) return undefined
    const tries = await findTries(idOfOnce(once), journal)
    for (const other of tries) {
      if (other.intentId === intentId || !(await isKept(other))) continue
      if (!(await isKept(intent))) return undefined
      return `withdrawal ${other.ref} of intent ${other.intentId} has paid the same payout row`
    }
    return undefined
  }
}

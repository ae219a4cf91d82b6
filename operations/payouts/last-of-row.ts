// Finds the withdrawal of a payout row by the id of the row, whatever policy and run paid it. Reads only.
import { IntentKind } from '../../core/contract/records.ts'
import type { WithdrawIntent } from '../../core/journal/intent.ts'
import { MOST_TRIES, onceOf } from '../../core/runs/plan/payments.ts'
import { onceIntentId } from '../../core/runs/record/run-record.ts'
import type { IntentAccess } from '../connection/journal/journal-parts.ts'

type Access = Pick<IntentAccess, 'journal'>

/** The last try. Undefined for a row that no run has begun. @throws Transient, Defect */
export async function findLastOfRow(id: string, access: Access): Promise<WithdrawIntent | undefined> {
  return (await findTriesOfRow(id, access)).at(-1)
}

/** In their order. @throws Transient, Defect */
export async function findTriesOfRow(id: string, { journal }: Access): Promise<readonly WithdrawIntent[]> {
  const found: WithdrawIntent[] = []
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const intent = await journal.find(onceIntentId(onceOf(id, tries)), IntentKind.Withdraw)
    if (intent === undefined) break
    found.push(intent)
  }
  return found
}

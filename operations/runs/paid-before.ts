// Finds the labels under which a contact was last paid. Anybody with the bearer secret can rename two contacts. So
// people who decide on a withdrawal read the earlier labels beside the current ones. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { PayeeLabels } from '../../core/contract/payee.ts'
import { IntentState, RequestList } from '../../core/contract/records.ts'
import { Defect } from '../../core/errors.ts'
import { isWithdrawal, type WithdrawIntent } from '../../core/journal/intent.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import { labelsOf } from '../../core/movements/withdrawal/payee.ts'
import type { MovementToDecide } from '../../core/runs/approval/movement-decision.ts'
import type { RequestAccess } from '../../place/journal/journal-parts.ts'

/** Maximum withdrawals that are read, newest first, whoever they paid. */
const MOST_WITHDRAWALS = 200

/** Labels by the id of their contact, from the newest withdrawals that moved money. */
export type PaidLabels = ReadonlyMap<string, PayeeLabels>

/** Reads for the terms of these movements, and only if one of them is a withdrawal. @throws Transient */
export async function readPaidLabels(
  asked: readonly MovementToDecide[],
  { walkRequests, readRecord }: RequestAccess,
  nowMs: number,
): Promise<PaidLabels> {
  if (!asked.some(({ intent }) => isWithdrawal(intent))) return new Map()
  const keys: string[] = []
  for await (const { key } of walkRequests([RequestList.Withdraw], {}, nowMs)) {
    keys.push(key)
    if (keys.length === MOST_WITHDRAWALS) break
  }
  const found = await mapBounded(keys, READS_AT_ONCE, (key) => findPaid(key, readRecord))
  const labels = new Map<string, PayeeLabels>()
  for (const intent of found) {
    const { payee } = intent?.frozen ?? {}
    const paidAs = labelsOf(payee)
    if (payee !== undefined && paidAs !== undefined && !labels.has(payee.contactId)) {
      labels.set(payee.contactId, paidAs)
    }
  }
  return labels
}

/** An unreadable record must not hide the others. `journal verify` names it. */
async function findPaid(key: string, readRecord: RequestAccess['readRecord']): Promise<WithdrawIntent | undefined> {
  try {
    const record = await readRecord(key)
    const intent = record && intentOfRecord(record)
    return intent !== undefined && isWithdrawal(intent) && intent.state === IntentState.Done ? intent : undefined
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    return undefined
  }
}

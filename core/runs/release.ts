// Records a person's decision to write off what runs of a policy left in hubs. No later run moves these balances. A desk
// and the function Release use it. It sends nothing.
import { Refused } from '../errors.ts'
import type { PersonsQuestion } from '../journal/persons-question.ts'
import type { PolicyRecord, PolicyRecords } from './record/policy-record.ts'

type Released = NonNullable<PolicyRecord['released']>

/**
 * Only `carryOut` of the returned question writes.
 * @throws Refused where nothing was left; Transient, Defect
 */
export async function findReleasable(policy: string, records: PolicyRecords): Promise<PersonsQuestion<Released>> {
  const record = await records.find(policy)
  const { residues = {} } = record
  const left = Object.entries(residues).map(([key, amount]) => `${amount} ${key}`)
  if (left.length === 0) throw new Refused(`runs of ${policy} left nothing on their way; nothing was recorded`)
  return {
    question: `release what runs of ${policy} left on their way (${left.join(', ')}), for good?`,
    async carryOut({ by, because, at, spoken }) {
      const released = { by, because, at, residues, ...(spoken !== undefined && { spoken }) }
      await records.keepReleased(policy, released)
      await records.advance(record, { residues: {}, released })
      return released
    },
  }
}

// Reads the runs that hold the policies which pay rows, under whatever name a policy had when its run began. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import { takesRows } from '../../policies/kinds.ts'
import type { RunPorts } from '../ports.ts'
import type { RunRecord } from '../record/run-record.ts'

/** Includes runs that have ended, where no other run has taken their policy since. @throws Transient, Defect */
export async function readRunsOfRows({
  namesOf,
  policies,
  runs,
  treasury,
}: Pick<RunPorts, 'namesOf' | 'policies' | 'runs' | 'treasury'>): Promise<readonly RunRecord[]> {
  const paying = Object.entries(treasury.policies).filter(([, policy]) => takesRows(policy))
  const names = await mapBounded(paying, READS_AT_ONCE, ([name]) => namesOf(name))
  const memories = await mapBounded([...new Set(names.flat())], READS_AT_ONCE, policies.find)
  const holders = memories.flatMap(({ holder }) => (holder === undefined ? [] : [intentIdOf(holder)]))
  const found = await mapBounded([...new Set(holders)], READS_AT_ONCE, runs.find)
  return found.filter((run) => run !== undefined)
}

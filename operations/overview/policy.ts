// Reads the page of a policy: its configuration and its last runs. Reads only.

import type { Policy } from '../../core/contract/policies.ts'
import { atJournal, type Everywhere, type Reader } from '../connection/journal/reader.ts'
import { findPolicy } from '../connection/named-policy.ts'
import { type PolicyRow, policyRows } from '../runs/policy-rows.ts'
import { type RunRow, rowOf } from './overview.ts'

export interface PolicyPage extends Everywhere {
  readonly row: PolicyRow
  readonly policy: Policy
  readonly runs: readonly RunRow[]
}

const RUNS_SHOWN = 20

/** @throws OperationError (exit 2) where treasury.json has no such policy */
export function readPolicy(reader: Reader, name: string): Promise<PolicyPage> {
  const nowMs = reader.context.clock.nowMs()
  return atJournal(reader, async (connection) => {
    const policy = findPolicy(name, connection.treasury, { source: 'policy', flags: reader.flags })
    const [rows, runs] = await Promise.all([
      policyRows(connection, nowMs),
      connection.runJournal.listOf(name, RUNS_SHOWN, nowMs),
    ])
    const row = rows.find(({ policy }) => policy === name)
    if (row === undefined) throw new TypeError('each policy of treasury.json has a row')
    return { row, policy, runs: runs.slice(0, RUNS_SHOWN).map(rowOf) }
  })
}

// Finds all that needs a person: what stopped, what waits for a word, halts, and what runs left on their way. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { JournalConnection } from '../connection/journal/journal-connection.ts'
import { findOtherService } from '../connection/state/other-records.ts'
import { type Attention, type LeftBehind, leftBehind, type Unopened } from '../movements/attention.ts'
import type { WaitingMovement } from '../runs/waiting-movements.ts'
import type { ConnectionFlags } from '../words/command-line.ts'
import { findWaiting } from './find-waiting.ts'
import { type HaltFacts, haltFacts } from './halts.ts'

/** Failed executions of each machine that are looked at, where `--failed` does not say so. */
export const DEFAULT_FAILED = 500

interface Looking {
  readonly flags: ConnectionFlags
  /** Epoch ms. */
  readonly nowMs: number
  readonly failed?: number
  readonly after?: string | undefined
}

export interface Needs {
  readonly found: readonly Attention[]
  /** Runs that were settled with a leg in doubt or stuck, and not anew since. */
  readonly inNeed: readonly RunInNeed[]
  /** Kept out of the journal by a fault of ours. */
  readonly unopened: readonly Unopened[]
  readonly approvals: readonly ReturnType<typeof approvalOf>[]
  /** Single movements that wait for people to approve them. */
  readonly movements: readonly WaitingMovement[]
  readonly halts: readonly HaltFacts[]
  readonly left: LeftBehind
  /** Another service whose records are in the same directory, and were not looked at. */
  readonly other: string | undefined
  /** What is wrong with records that do not fit. */
  readonly unreadable: readonly string[]
  /** What was not looked at, because there is too much of it. */
  readonly cutOff: readonly string[]
}

/** All that needs a person. Reads only. */
export async function findNeeds(
  connection: JournalConnection,
  { flags, nowMs, failed = DEFAULT_FAILED, after }: Looking,
): Promise<Needs> {
  // The work may begin again where a desk dies, so what was told is of this time.
  const told = { unreadable: new Set<string>(), cutOff: [] as string[] }
  const onCutOff = (message: string) => void told.cutOff.push(message)
  // One that cannot be read hides none of the others.
  const onMisfit = ({ message }: Error) => void told.unreadable.add(message)
  const { waiting, unopened, movements } = await findWaiting(connection, { after, failed, nowMs, onMisfit, onCutOff })
  const awaiting = await connection.runJournal.awaiting(onCutOff)
  const inNeed = await connection.runJournal.inNeed(onCutOff)
  return {
    other: connection.embedded && findOtherService(connection.embedded.stateDir, connection.embedded.serviceUrl),
    found: waiting,
    inNeed: inNeed.map(({ runId, policy, why = 'no reason was recorded' }) => ({ runId, policy, why })),
    unopened,
    approvals: awaiting.map(approvalOf),
    movements,
    halts: await mapBounded(await connection.haltsInForce(), READS_AT_ONCE, async (halt) =>
      haltFacts(halt, await connection.halts.findFirstWord(halt, nowMs), connection.treasury, flags),
    ),
    left: leftBehind(await connection.runJournal.leavers(onCutOff), connection.treasury),
    unreadable: [...told.unreadable],
    cutOff: told.cutOff,
  }
}

export interface RunInNeed {
  readonly runId: string
  readonly policy: string
  readonly why: string
}

function approvalOf({ runId, policy, approval }: RunRecord) {
  return { runId, policy, planHash: approval?.planHash ?? '', expiresAt: approval?.expiresAt ?? '' }
}

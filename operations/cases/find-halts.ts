// Finds the halts in force and the withdrawals on their way, for commands that are about something else and say so beside
// it. Reads only, and makes no state directory.

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Halt } from '../../core/journal/halts.ts'
import type { OperationContext } from '../../place/context.ts'
import { type JournalConnection, withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { OperationError, operationErrorOf } from '../../place/operation-error.ts'
import { stateDirOf } from '../../place/settings.ts'
import type { OnTheWay } from '../movements/under-way.ts'
import { findWaiting } from './find-waiting.ts'

/** `why`: the reason that they could not be read. */
type Kept<Found> = { readonly found: readonly Found[] } | { readonly why: string }

/** Maximum failed executions of each machine that are examined. */
const FAILED_READ = 50

export function findHalts(flags: ConnectionFlags, context: OperationContext): Promise<Kept<Halt>> {
  return findKept(flags, context, (journal) => journal.haltsInForce())
}

export function findOnTheWay(flags: ConnectionFlags, context: OperationContext): Promise<Kept<OnTheWay>> {
  const ignored = () => undefined
  const looking = { failed: FAILED_READ, nowMs: context.clock.nowMs(), onMisfit: ignored, onCutOff: ignored }
  return findKept(flags, context, async (journal) => (await findWaiting(journal, looking)).onTheWay)
}

/** Without a state directory nothing was ever recorded. */
async function findKept<Found>(
  flags: ConnectionFlags,
  context: OperationContext,
  read: (journal: JournalConnection) => Promise<readonly Found[]>,
): Promise<Kept<Found>> {
  const { aws, config, service, state } = flags
  if (aws !== true && !existsSync(path.join(stateDirOf(flags, context.variables), 'lock'))) return { found: [] }
  const connection = {
    ...(aws === true && { aws }),
    ...(config !== undefined && { config }),
    ...(aws !== true && { ...(service !== undefined && { service }), ...(state !== undefined && { state }) }),
  }
  try {
    return { found: await withJournalConnection(connection, context, read) }
  } catch (error) {
    if (error instanceof OperationError && error.code === 'no_runs') return { found: [] }
    return { why: operationErrorOf(error).message }
  }
}

// Finds the halts in force, for a command that says whether sending would work. Reads only, and makes no state
// directory.

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Halt } from '../../core/journal/halts.ts'
import { withJournalConnection } from '../connection/journal/journal-connection.ts'
import { stateDirOf } from '../connection/settings.ts'
import type { OperationContext } from '../context.ts'
import { OperationError, operationErrorOf } from '../operation-error.ts'
import type { ConnectionFlags } from '../words/command-line.ts'

/** `why`: the reason that they could not be read. */
type FoundHalts = { readonly halts: readonly Halt[] } | { readonly why: string }

/** Without a state directory nothing was ever recorded, so nothing is halted. */
export async function findHalts(flags: ConnectionFlags, context: OperationContext): Promise<FoundHalts> {
  const { aws, config, service, state } = flags
  if (aws !== true && !existsSync(path.join(stateDirOf(flags, context.variables), 'lock'))) return { halts: [] }
  const connection = {
    ...(aws === true && { aws }),
    ...(config !== undefined && { config }),
    ...(aws !== true && { ...(service !== undefined && { service }), ...(state !== undefined && { state }) }),
  }
  try {
    return { halts: await withJournalConnection(connection, context, (journal) => journal.haltsInForce()) }
  } catch (error) {
    if (error instanceof OperationError && error.code === 'no_runs') return { halts: [] }
    return { why: operationErrorOf(error).message }
  }
}

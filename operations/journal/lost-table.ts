// Makes the empty table of a state directory whose journal is gone, so that it can be rebuilt. Every function refuses
// the table until it is accepted. On AWS the state stack makes the table.

import { existsSync } from 'node:fs'
import { databaseFolder, hasExecutions } from '@sluice/embedded-aws'
import { errorName } from '../../core/error-name.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { withEmbeddedSession } from '../../place/desk/embedded-session.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { OperationError } from '../../place/operation-error.ts'
import { findPlace, readKeys } from '../../place/place.ts'
import { findFolder } from '../../place/state/state-layout.ts'

/** @throws OperationError (exit 3) where the journal is gone and nothing may be written */
export async function makeLostTable(
  flags: ConnectionFlags,
  context: OperationContext,
  { mayWrite, progress }: { readonly mayWrite: boolean; readonly progress: Progress },
): Promise<void> {
  const place = findPlace(flags, context)
  if (place.isAws) return
  const { settings } = place
  const folder = findFolder(settings.stateDir, settings.service?.url)
  if (folder === undefined || !hasExecutions(folder.awsDir)) return
  if (existsSync(databaseFolder(folder.awsDir)) && (await isTableThere(flags, context))) return
  const again = { do: 'rebuild-journal', isWritten: true } as const
  if (!mayWrite) {
    throw new OperationError({
      exitCode: ExitCode.NeedsPerson,
      code: 'state_unusable',
      message: `the journal in ${folder.awsDir} is gone: its executions are there, and what they moved can be rebuilt from them`,
      next: { ...again, why: 'makes an empty one first' },
    })
  }
  const treasury = await place.treasury()
  const service = await readKeys(place, [])
  const options = {
    ...settings,
    treasury,
    service,
    command: 'journal rebuild',
    roles: [],
    prepare: () => folder,
    onEvent: () => undefined,
    progress,
    again,
    leavesUnfinishedTo: { do: 'serve' } as const,
    isJournalLost: true,
  }
  await withEmbeddedSession(options, context, async () => undefined)
}

/** A command that was killed while it made the table leaves a database without it. */
function isTableThere(flags: ConnectionFlags, context: OperationContext): Promise<boolean> {
  return withJournalConnection(flags, context, async ({ table: { client, tableName } }) => {
    try {
      await client.describeTable({ TableName: tableName })
      return true
    } catch (error) {
      if (errorName(error) === 'ResourceNotFoundException') return false
      throw error
    }
  })
}

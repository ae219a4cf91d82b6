// `sluice keys stage`: puts a new bearer secret beside the current one. Both are valid for seven days after the rotation in
// the dashboard, so there is no hurry.

import { type DraftFlags, putDraft, readBearer } from '../../operations/keys/draft.ts'
import { nextCommand } from '../../operations/keys/key-failure.ts'
import { withKeyStore } from '../../operations/keys/key-store.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { usageError } from '../../place/operation-error.ts'
import type { CommandContext } from '../terminal/context.ts'
import { reportDraft } from './report-draft.ts'

/** @throws OperationError; nothing was put then. */
export async function stageBearer(flags: DraftFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  return withKeyStore(flags, context, async (keyStore) => {
    const secret = await readBearer(flags, keyStore, context)
    if (secret === undefined) {
      const message = '--bearer: expected a file with the new bearer secret, or - for standard input; got nothing'
      throw usageError('usage', message, `${nextCommand('stage', flags)} --bearer FILE`)
    }
    const draft = await putDraft(flags, keyStore, output, { secret })
    output.data(output.json ? JSON.stringify({ role: flags.role, ...draft }) : draft.versionId)
    const both = 'for a new signing key too, run this first: keys generate continues from this pending version'
    reportDraft(draft, { what: 'new bearer secret', first: both }, flags, output)
    return ExitCode.Done
  })
}

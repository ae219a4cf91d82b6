// Opens the journal that a state directory keeps between runs. A journal that cannot be opened needs a person: its ids
// may have moved money, and an empty journal in its place would let them move again.
import { type EmbeddedJournal, hasExecutions, startEmbeddedJournal } from '@sluice/embedded-aws'
import { decisionKeyAlias } from '../../core/contract/deployed-names.ts'
import { ExitCode } from '../exit-code.ts'
import { findDiskFault, isOpenElsewhere, OPEN_ELSEWHERE } from '../files/disk-fault.ts'
import { OperationError } from '../operation-error.ts'

/**
 * Undefined where nothing was ever recorded.
 * @throws OperationError: exit 3 for a damaged journal, exit 1 where another process has it open
 */
export async function openKeptJournal(awsDir: string): Promise<EmbeddedJournal | undefined> {
  try {
    const journal = await startEmbeddedJournal(awsDir, { signingKeys: [decisionKeyAlias(undefined)] })
    if (journal === undefined && hasExecutions(awsDir)) throw new Error('its tables are gone')
    return journal
  } catch (error) {
    throw damagedJournal(awsDir, error)
  }
}

export function damagedJournal(awsDir: string, cause: unknown): OperationError {
  const reason = cause instanceof Error ? cause.message : 'for an unknown reason'
  if (isOpenElsewhere(reason)) {
    const message = `the journal in ${awsDir} cannot be opened (${reason}); this command has sent nothing`
    return new OperationError(
      { exitCode: ExitCode.Failed, code: 'state_in_use', message, next: OPEN_ELSEWHERE },
      { cause },
    )
  }
  return new OperationError(
    {
      exitCode: ExitCode.NeedsPerson,
      code: 'state_unusable',
      message: `the journal in ${awsDir} cannot be read (${reason}): what its ids have moved is not known; this command has sent nothing`,
      next:
        findDiskFault(cause)?.next ??
        'keep the directory, and do not run its ids under other names; docs/runbook.md, "A damaged state directory", says what is safe',
    },
    { cause },
  )
}

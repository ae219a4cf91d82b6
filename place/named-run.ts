// Finds the run of a policy that a command names by its id. Reads only.
import { intentId } from '../core/contract/fields.ts'
import type { RunRecord } from '../core/runs/record/run-record.ts'
import { nearestName } from '../core/treasury/nearest-name.ts'
import { ExitCode } from './exit-code.ts'
import type { ConfiguredJournal, NamedJournal, RunAccess } from './journal/journal-parts.ts'
import { OperationError, usageError } from './operation-error.ts'
import { type ConnectionFlags, commandIn } from './words/command-line.ts'

/**
 * The flags are those that name the connection.
 * @throws OperationError: exit 2 for a text that cannot be an id, exit 1 where the journal has no such run
 */
export async function findRun(
  runId: string,
  flags: ConnectionFlags,
  { runJournal, name, treasury }: NamedJournal & ConfiguredJournal & RunAccess,
): Promise<RunRecord> {
  if (!intentId.safeParse(runId).success) {
    const expected = 'expected at most 76 letters, digits and dashes'
    throw usageError('usage', `run: ${expected}; got something else`, commandIn('runs list', flags))
  }
  const run = await runJournal.runs.find(runId)
  if (run !== undefined) return run
  // People often give a policy's name in place of its run's id.
  const policy = nearestName(runId, Object.keys(treasury.policies))
  const hint = policy === undefined ? '' : `; did you mean a run of policy ${policy}?`
  throw new OperationError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `the journal in ${name} has no run ${runId}${hint}`,
    next: commandIn(policy === undefined ? 'runs list' : `runs list --policy ${policy}`, flags),
  })
}

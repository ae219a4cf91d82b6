// `sluice payouts run`: pays the rows of a file that are not paid yet, and prints what became of each.
import { RunEnd } from '../../core/contract/runs.ts'
import { newRunId, parseRunId } from '../../operations/movements/intent-id.ts'
import { readPayoutResults, resultsExitCode } from '../../operations/payouts/payout-results.ts'
import { heaviestOf, payFile, readPayingPolicy } from '../../operations/payouts/payout-runs.ts'
import { parseForPolicy, readPayoutBytes } from '../../operations/payouts/read-payout-file.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { noteService } from '../../place/place.ts'
import { policyRunWords } from '../../views/runs/policy-run-words.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'
import { leftSteps, type PayFlags, policyOf, printResults, resultColumns } from './results.ts'

/** @throws OperationError without a result */
export async function runFile(file: string, flags: PayFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdin, clock } = context
  assertListFlags(flags, output, resultColumns)
  const policy = policyOf(flags)
  const runId = flags.id === undefined ? newRunId() : parseRunId(flags.id)
  const again = { do: 'same', id: runId } as const
  const bytes = await readPayoutBytes(file, stdin)
  const payingPolicy = await readPayingPolicy(policy, flags, context)
  const progress = createProgress(output, clock)
  await noteService(payingPolicy.place)
  const parsed = await parseForPolicy(bytes, payingPolicy)
  progress.line({ label: 'payouts', text: `${policy}, id ${runId}`, tone: 'plain' })
  const paying = { runId, again }
  const paid = await payFile(parsed, payingPolicy, paying, { watch: policyRunWords.watch, progress }).finally(() =>
    progress.end(),
  )
  const { keys: _keys, ...journalFlags } = flags
  const results = await readPayoutResults(parsed.rows, policy, journalFlags, context)
  const { outcome, runId: run, why } = paid.result
  if (output.json) output.facts({ outcome, run, why, rows: results })
  else printResults(results, flags, context)
  output.note(`${outcome}  run ${run}: ${why ?? outcomeWords(outcome).says}`)
  const hasEnded = paid.exitCode === ExitCode.Done || paid.exitCode === ExitCode.Failed
  output.next([
    ...(outcome === RunEnd.AwaitingApproval
      ? [{ do: 'decide', id: run, needsKeys: true, why: 'or reject' } as const]
      : []),
    { ...again, why: 'this result again' },
    ...(hasEnded ? leftSteps(results, file, policy) : []),
    { do: 'list-payouts', file, policy },
    { do: 'show-run', id: run },
  ])
  return heaviestOf([paid.exitCode, resultsExitCode(results)])
}

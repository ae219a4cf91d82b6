// `sluice movements show` and `sluice runs show`: show a request by any of its ids, from the journal and the executions.
// Reads only, and asks the service nothing.

import { RunEnd } from '../../core/contract/runs.ts'
import type { ForeignMovement } from '../../operations/movements/find-records.ts'
import { intentExitCode, type LoadedIntent } from '../../operations/movements/load-intent.ts'
import { readShownRecord, type Shown, type ShownRecord } from '../../operations/movements/one-record.ts'
import { type Unrecorded, unrecordedExitCode } from '../../operations/movements/unrecorded.ts'
import { exitCodeOf } from '../../operations/run-exit-code.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { isOnAws } from '../../place/settings.ts'
import { intentJson, intentLines, unrecordedJson, unrecordedLines } from '../../views/movements/intent-text.ts'
import { foreignText } from '../../views/movements/request-columns.ts'
import { reportLines } from '../../views/runs/report-text.ts'
import { printable } from '../../views/text/shown.ts'
import { commandIn, commandNeedingKeys, quoted } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { screenWidth, type WideFlag } from '../terminal/listing.ts'

export interface ShowFlags extends Shown, WideFlag {
  readonly sentences?: boolean
}

/**
 * Exits with the code of the run itself.
 * @throws OperationError: exit 2 for an ambiguous id, exit 1 for an unknown id
 */
export async function show(id: string, flags: ShowFlags, context: CommandContext): Promise<ExitCode> {
  const { sentences: _sentences, wide: _wide, ...asked } = flags
  const { kind: _kind, after: _after, ...connectionFlags } = asked
  const found = await readShownRecord(id, asked, context)
  switch (found.kind) {
    case 'run':
      return showRun(found, flags, context)
    case 'unrecorded':
      return showUnrecorded(found.unrecorded, flags, context)
    case 'foreign':
      return showForeign(found.foreign, connectionFlags, context)
    default:
      return showIntent(found.loaded, found.as, flags, context)
  }
}

function showRun(
  { report: shown, ownId }: Extract<ShownRecord, { kind: 'run' }>,
  flags: ShowFlags,
  context: CommandContext,
): ExitCode {
  const { output } = context
  const report = { ...shown, ownId }
  if (output.json) output.facts(report)
  else for (const line of reportLines(report, screenWidth(context, flags))) output.data(line)
  output.next(nextOfRun(report.outcome, report.runId, flags))
  return exitCodeOf(report)
}

function nextOfRun(outcome: string, runId: string, flags: ConnectionFlags): string[] {
  const page = `${commandIn(`runs report ${runId}`, flags)}   # as a page`
  if (outcome === RunEnd.AwaitingApproval) {
    return [`${commandNeedingKeys(`approve ${runId} --because TEXT`, flags)}   # or reject`, page]
  }
  if (outcome === RunEnd.NeedsAttention) return [`${commandIn('cases list', flags)}   # what is in doubt`, page]
  return [page, commandIn('runs list', flags)]
}

function showForeign(foreign: ForeignMovement, flags: ConnectionFlags, { output }: CommandContext): ExitCode {
  const { kind, id, word } = foreign
  if (output.json) output.facts({ kind, movementId: id, foreign: word ?? false })
  else output.data(printable(foreignText(foreign)))
  output.next([word === undefined ? commandNeedingKeys('journal audit', flags) : commandIn('movements list', flags)])
  return word === undefined ? ExitCode.NeedsPerson : ExitCode.Done
}

function showUnrecorded(unrecorded: Unrecorded, flags: ShowFlags, context: CommandContext): ExitCode {
  const { output } = context
  if (output.json) output.facts(unrecordedJson(unrecorded))
  else for (const line of unrecordedLines(unrecorded, screenWidth(context, flags))) output.data(line)
  output.next([
    commandIn('cases list', flags),
    `${commandIn(`movements show ${quoted(unrecorded.id)} --sentences`, flags)}   # in sentences`,
  ])
  return unrecordedExitCode(unrecorded)
}

function showIntent(loaded: LoadedIntent, as: string, flags: ShowFlags, context: CommandContext): ExitCode {
  const { output } = context
  if (output.json) output.facts(intentJson(loaded, as))
  else for (const line of intentLines(loaded, screenWidth(context, flags))) output.data(line)
  if (loaded.unread !== undefined) output.note(loaded.unread)
  output.next(nextOfIntent(loaded, flags))
  return intentExitCode(loaded)
}

function nextOfIntent({ intent, attention }: LoadedIntent, flags: ConnectionFlags): string[] {
  const explain = `${commandIn(`movements show ${quoted(intent.intentId)} --sentences`, flags)}   # in sentences`
  if (attention !== undefined)
    return [`${commandIn('cases list', flags)}   # what is in doubt, and what comes next`, explain]
  // Queries need a key file, which a command with --aws does not have.
  if (intent.ref === undefined || isOnAws(flags)) return [explain, commandIn('movements list', flags)]
  const query = `${intent.kind === 'convert' ? 'service orders' : 'service withdrawals'} ${quoted(intent.ref)}`
  return [explain, `${commandNeedingKeys(query, flags)}   # what the service shows now`]
}

// `sluice cases list`: lists what stopped and needs a person, with the facts for the decision. Halts are cases too. Reads
// only.

import { DEFAULT_FAILED, findNeeds, type Needs } from '../../operations/cases/find-needs.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags, Spell } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { isOnAws } from '../../place/settings.ts'
import { onTheWayText } from '../../views/movements/request-columns.ts'
import { knownWhen } from '../../views/runs/wait-words.ts'
import { printable } from '../../views/text/shown.ts'
import { type Case, caseLines, caseNotes, caseSteps, casesOf, columns, listedOf } from '../../views/waiting.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, screenWidth } from '../terminal/listing.ts'

interface CasesFlags extends ConnectionFlags, ListFlags {
  /** An intent. Only open intents after it are listed. */
  readonly after?: string
  /** How many failed executions of each machine are read. */
  readonly failed?: string
}

const MOST_FAILED = 10_000

/**
 * Exits with 3 where a case needs a person. A halt in force counts, and a balance that no policy carries on. Exits with 4
 * where only plans and movements wait for approval.
 */
export async function listCases(flags: CasesFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  assertListFlags(flags, output, columns)
  const failed = readFailed(flags.failed)
  const needs = await withJournalConnection(
    flags,
    context,
    (connection) => findNeeds(connection, { failed, after: flags.after, nowMs: clock.nowMs() }),
    { showsTour: true },
  )
  const { cutOff, other } = needs
  const cases = casesOf(needs)
  if (output.json) output.facts(factsOf(needs, output.spell))
  else printCases(listedOf(cases), flags, context)
  for (const note of [...besideNotes(needs), ...caseNotes(cases, cutOff.length > 0), ...cutOff]) output.note(note)
  if (other !== undefined)
    output.note(`this is the built-in sandbox; not checked: ${other}, whose records are here too`)
  const elsewhere = other === undefined ? [] : [{ do: 'list-cases', at: { ...flags, service: other } } as const]
  output.next([...elsewhere, ...caseSteps(cases, isOnAws(flags))])
  if (cases.some(({ waitsFor }) => waitsFor === 'a person')) return ExitCode.NeedsPerson
  return cases.some(({ waitsFor }) => waitsFor === 'approval') ? ExitCode.AwaitsApproval : ExitCode.Done
}

function factsOf({ found: intents, inNeed: runs, left, other: _other, ...needs }: Needs, spell: Spell): object {
  const { stalled, onTheWay, doubts, unopened, unbegun, approvals, movements, halts, unreadable, cutOff } = needs
  const waiting = { intents, stalled, onTheWay, doubts, runs, unopened, unbegun, approvals, movements, halts }
  return { ...waiting, unreadable, cutOff: cutOff.map(spell), ...left }
}

/** As a table of columns, or a block of lines for each. */
function printCases(cases: readonly Case[], flags: CasesFlags, context: CommandContext): void {
  const { output } = context
  if (flags.csv === true || flags.columns !== undefined) {
    const rows = cases.map((each) => ({ ...each, next: output.spell(each.next) }))
    printList(columns, rows, flags, context)
    return
  }
  const width = screenWidth(context, flags)
  const lines = cases.flatMap((each) => ['', ...caseLines(each, width, output.spell)])
  for (const line of lines.slice(1)) output.data(line)
}

/** About all that needs nobody. */
function besideNotes({ doubts, left, onTheWay }: Needs): readonly string[] {
  return [
    ...left.carriedOn.map(({ asset, contactId, amount, by }) => {
      const to = contactId === undefined ? '' : ` to ${printable(contactId)}`
      return `the next run of policy ${by} carries on ${amount} ${asset}${to}, which earlier runs left stranded`
    }),
    ...onTheWay.map((sent) => printable(onTheWayText(sent))),
    ...doubts.map(
      (doubt) => `${printable(doubt.intentId)} (${printable(doubt.asked)}) is in doubt. ${knownWhen(doubt)}`,
    ),
  ]
}

/** @throws OperationError (exit 2) */
function readFailed(text: string | undefined): number {
  if (text === undefined) return DEFAULT_FAILED
  const failed = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
  if (failed >= 1 && failed <= MOST_FAILED) return failed
  throw unfit('failed', `expected a whole number from 1 to ${MOST_FAILED}; got something else`)
}

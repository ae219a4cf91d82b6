// `sluice cases list`: lists what stopped and needs a person, with the facts for the decision. Halts are cases too. Reads
// only.

import { IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { AbandonedBalance } from '../../core/runs/settle/abandoned-balances.ts'
import {
  DEFAULT_FAILED,
  findNeeds,
  type Needs,
  type RunInNeed,
  type WaitingRun,
} from '../../operations/cases/find-needs.ts'
import type { UnbegunRun } from '../../operations/cases/find-unbegun.ts'
import type { Attention, Unopened } from '../../operations/movements/attention.ts'
import type { Stalled } from '../../operations/movements/under-way.ts'
import { givenText } from '../../operations/words/approvals-text.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags, Step } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { isOnAws } from '../../place/settings.ts'
import { onTheWayText, STALLED_NEXT } from '../../views/movements/request-columns.ts'
import { knownWhen, waitEndedText } from '../../views/runs/wait-words.ts'
import { printable } from '../../views/text/shown.ts'
import { columns, countNeeds, fieldLines, haltLines, haltRow, type WaitingRow } from '../../views/waiting.ts'
import { commandIn, commandNeedingKeys } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, screenWidth } from '../terminal/listing.ts'

export interface CasesFlags extends ConnectionFlags, ListFlags {
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
  printCases(needs, flags, context)
  printNotes(needs, output)
  output.next(nextSteps(needs, flags))
  const { approvals, found, halts, inNeed, left, movements, stalled, unbegun, unopened, unreadable } = needs
  const stopped = [found, stalled, inNeed, unopened, unbegun, halts, left.stranded, unreadable]
  if (stopped.some(({ length }) => length > 0)) return ExitCode.NeedsPerson
  return approvals.some(isWaiting) || movements.length > 0 ? ExitCode.AwaitsApproval : ExitCode.Done
}

const isWaiting = ({ waitEnded }: WaitingRun) => waitEnded === undefined

/** Prints the cases themselves: one JSON object, a table of columns, or a block of lines for each. */
function printCases(needs: Needs, flags: CasesFlags, context: CommandContext): void {
  const { output } = context
  const { approvals, cutOff, doubts, found, halts, inNeed, left, movements, onTheWay } = needs
  const { stalled, unbegun, unopened, unreadable } = needs
  const { stranded } = left
  if (output.json) {
    output.facts({
      intents: found,
      stalled,
      onTheWay,
      doubts,
      runs: inNeed,
      unopened,
      unbegun,
      approvals,
      movements,
      halts,
      unreadable,
      cutOff: cutOff.map(output.spell),
      ...left,
    })
    return
  }
  if (flags.csv === true || flags.columns !== undefined) {
    const release = ({ policy }: AbandonedBalance) => commandIn(`cases release ${policy} --because TEXT`, flags)
    const rows = [
      ...halts.map((halt) => haltRow(halt, output.spell)),
      ...found.map(rowOf),
      ...stalled.map(stalledRow),
      ...inNeed.map((run) => runRow(run, againRun(run, flags))),
      ...unopened.map(unopenedRow),
      ...unbegun.map((run) => unbegunRow(run, beginRun(run, flags))),
      ...stranded.map((balance) => strandedRow(balance, release(balance))),
    ]
    printList(columns, rows, flags, context)
    return
  }
  const width = screenWidth(context, flags)
  const blocks = [
    ...halts.map((halt) => haltLines(halt, width, output.spell)),
    ...stalled.map((each) => rowLines(stalledRow(each), width)),
    ...found.map((attention) => linesOf(attention, width)),
    ...inNeed.map((run) => rowLines(runRow(run, againRun(run, flags)), width)),
    ...unopened.map((intent) => unopenedLines(intent, flags, width)),
    ...unbegun.map((run) => rowLines(unbegunRow(run, beginRun(run, flags)), width)),
    ...stranded.map((balance) => strandedLines(balance, flags, width)),
  ]
  for (const line of blocks.flatMap((block) => ['', ...block]).slice(1)) output.data(line)
}

/** Says beside the cases: what needs nobody or only an approval, what could not be read, and how many cases there are. */
function printNotes(needs: Needs, output: CommandContext['output']): void {
  const { approvals, cutOff, doubts, found, halts, inNeed, left, movements, onTheWay } = needs
  const { other, unbegun, unopened, unreadable } = needs
  const { carriedOn, stranded } = left
  for (const { asset, contactId, amount, by } of carriedOn) {
    const to = contactId === undefined ? '' : ` to ${printable(contactId)}`
    output.note(`the next run of policy ${by} carries on ${amount} ${asset}${to}, which earlier runs left stranded`)
  }
  for (const sent of onTheWay) output.note(printable(onTheWayText(sent)))
  for (const doubt of doubts)
    output.note(`${printable(doubt.intentId)} (${printable(doubt.asked)}) is in doubt. ${knownWhen(doubt)}`)
  for (const { runId, policy, expiresAt, waitEnded, against, approvedBy, needed } of approvals) {
    const state =
      waitEnded === undefined
        ? `${givenText({ approvedBy, needed })}waits for approval until ${expiresAt}`
        : printable(waitEndedText({ waitEnded, ...(against && { against }) }))
    output.note(`run ${runId} of policy ${policy} ${state}`)
  }
  for (const { intentId, asked, expiresAt, missing, isOver, approvedBy, needed } of movements) {
    const people = missing === 1 ? 'a person' : `${missing} people`
    const state = isOver
      ? `was not approved until ${expiresAt}: it moves nothing, and \`cases again\` ends it`
      : `${givenText({ approvedBy, needed })}waits for ${people} to approve it until ${expiresAt}`
    output.note(`${printable(intentId)} (${printable(asked)}) ${state}`)
  }
  for (const message of unreadable) output.note(`needs a person, as it cannot be read: ${printable(message)}`)
  if (found.length > 0) output.note(`intents that need a person: ${found.length}`)
  else if (countNeeds(needs) === 0)
    output.note(cutOff.length === 0 ? 'nothing needs a person' : 'nothing that was checked needs a person')
  if (inNeed.length > 0) output.note(`runs that were settled with a leg in doubt or stuck: ${inNeed.length}`)
  const unstarted = unopened.length + unbegun.length
  if (unstarted > 0) output.note(`kept from beginning by a fault of ours: ${unstarted}`)
  for (const message of cutOff) output.note(message)
  if (other !== undefined)
    output.note(`this is the built-in sandbox; not checked: ${other}, whose records are here too`)
  if (halts.length > 0) output.note(`halts, until a person resumes: ${halts.length}`)
  if (stranded.length > 0) output.note(`stranded, and carried on by no policy: ${stranded.length}`)
}

/** The commands to type next. Of each kind of case, only the first one has its command. */
function nextSteps(needs: Needs, flags: CasesFlags): (string | Step)[] {
  const { approvals, found, halts, movements, other, unbegun, unopened } = needs
  return [
    ...(other === undefined ? [] : [commandIn('cases list', { ...flags, service: other })]),
    ...(halts.filter(({ breaker }) => breaker).length > 1
      ? [`${commandIn('resume --all', flags)}   # shows why each breaker tripped, and asks once`]
      : halts.slice(0, 1).map(({ resume }) => resume)),
    ...approvals
      .filter(isWaiting)
      .slice(0, 1)
      .map(({ runId }) => commandIn(`runs show ${runId}`, flags)),
    ...approvals
      .filter(({ waitEnded }) => waitEnded !== undefined)
      .slice(0, 1)
      .map(({ runId }) => `${commandNeedingKeys(`cases again ${runId}`, flags)}   # carries the decision out now`),
    ...movements
      .slice(0, 1)
      .map(({ intentId, isOver }) =>
        isOver
          ? commandNeedingKeys(`cases again ${printable(intentId)}`, flags)
          : commandIn(`approve ${printable(intentId)} --because TEXT`, flags),
      ),
    ...unopened
      .slice(0, 1)
      .map(({ intentId }) => `${commandNeedingKeys(`cases again ${printable(intentId)}`, flags)}   # begins it now`),
    ...unbegun.slice(0, 1).map((run) => beginRun(run, flags)),
    ...(found.length === 0
      ? [isOnAws(flags) ? commandIn('policies', flags) : commandNeedingKeys('service withdrawals', flags)]
      : nextCommands(found, flags)),
  ]
}

/** Suggests that the machine checks before a person decides. A proven movement needs no decision. */
function nextCommands(found: readonly Attention[], flags: ConnectionFlags): string[] {
  const stuck = found.find(({ state }) => state === IntentState.Done)
  const again = (target: string) => commandNeedingKeys(`cases again ${target}`, flags)
  return [
    ...(found.some(({ state }) => state === IntentState.Armed)
      ? [`${again('--armed')}   # the machine checks once more: it needs no decision`]
      : []),
    ...(stuck === undefined ? [] : [`${again(stuck.intentId)}   # whether it has completed; nothing is sent`]),
    ...(found.every(({ state }) => state === IntentState.Done)
      ? ['docs/runbook.md, "A withdrawal is stuck"']
      : [
          `${commandNeedingKeys('cases resolve INTENT --movement ID --because TEXT', flags)}   # or --none, where nothing moved`,
          'docs/runbook.md, "People decide"',
        ]),
  ]
}

/** @throws OperationError (exit 2) */
function readFailed(text: string | undefined): number {
  if (text === undefined) return DEFAULT_FAILED
  const failed = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
  if (failed >= 1 && failed <= MOST_FAILED) return failed
  throw unfit('failed', `expected a whole number from 1 to ${MOST_FAILED}; got something else`)
}

function rowOf({ intentId, kind, state, asked, why, next }: Attention): WaitingRow {
  return { waits: intentId, kind, state, asked, why, next }
}

function stalledRow({ intentId, kind, cause, asked = '', why }: Stalled): WaitingRow {
  return { waits: intentId, kind, state: cause.toUpperCase().replace(' ', '_'), asked, why, next: STALLED_NEXT[cause] }
}

function againRun({ runId }: RunInNeed, flags: ConnectionFlags): string {
  return `${commandNeedingKeys(`cases again ${printable(runId)}`, flags)}   # once its legs are settled: settles it by them`
}

function runRow({ policy, runId, why }: RunInNeed, next: string): WaitingRow {
  return { waits: runId, kind: 'run', state: RunEnd.NeedsAttention, asked: `policy ${policy}`, why, next }
}

function beginRun({ runId }: UnbegunRun, flags: ConnectionFlags): string {
  return `${commandNeedingKeys(`cases again ${printable(runId)}`, flags)}   # once the fault is mended: begins it under the same name`
}

function unbegunRow({ policy, runId, why }: UnbegunRun, next: string): WaitingRow {
  return { waits: runId, kind: 'run', state: RunEnd.OwnFault, asked: `policy ${policy}`, why, next }
}

function rowLines({ waits, kind, state, asked, why, next }: WaitingRow, width: number): string[] {
  return [
    `${printable(waits)}  ${kind}  ${state}`,
    ...fieldLines('asked', asked, width),
    ...fieldLines('why', why, width),
    ...fieldLines('next', next, width),
  ]
}

function unopenedRow({ intentId, kind, why, next }: Unopened): WaitingRow {
  return { waits: intentId, kind, state: 'not begun', asked: '', why, next }
}

function unopenedLines({ intentId, kind, why, next }: Unopened, flags: ConnectionFlags, width: number): string[] {
  const again = commandNeedingKeys(`cases again ${printable(intentId)}`, flags)
  return [
    `${printable(intentId)}  ${kind}  not begun`,
    ...fieldLines('why', why, width),
    ...fieldLines('next', `${again}   # ${next}`, width),
  ]
}

function strandedRow({ policy, amount, asset, why }: AbandonedBalance, next: string): WaitingRow {
  return { waits: policy, kind: 'policy', state: 'left behind', asked: `${amount} ${asset}`, why, next }
}

function strandedLines(
  { policy, amount, asset, why }: AbandonedBalance,
  flags: ConnectionFlags,
  width: number,
): string[] {
  const release = commandIn(`cases release ${printable(policy)} --because TEXT`, flags)
  return [
    `${printable(policy)}  left behind  ${amount} ${asset}`,
    ...fieldLines('why', why, width),
    ...fieldLines('next', `${release}   # once it is where it belongs`, width),
  ]
}

function linesOf(attention: Attention, width: number): string[] {
  const { intentId, kind, state, asked, attempt, nonce, window, candidates, why, next } = attention
  const field = (name: string, text: string) => fieldLines(name, text, width)
  return [
    `${printable(intentId)}  ${kind}  ${state}`,
    ...field('asked', asked),
    ...field('attempt', `${attempt}${nonce === undefined ? '' : `, nonce ${nonce}`}`),
    ...(window === undefined ? [] : field('window', `${window.since} … ${window.until}`)),
    ...candidates.flatMap(({ id, ...facts }) => field('candidate', `${id}  ${factsText(facts)}`)),
    ...field('why', why),
    ...field('next', next),
  ]
}

/** Every fact with a value, at its full length. */
function factsText(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}

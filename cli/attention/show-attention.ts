// `sluice attention`: lists what stopped and needs a person, halts among it, with what that person needs to decide. Reads
// only.
import { IntentKind } from '../../core/contract/records.ts'
import { StateMachine } from '../../core/contract/states.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { AbandonedBalance } from '../../core/runs/settle/abandoned-balances.ts'
import type { KnownExecution } from '../target/journal/aws-executions.ts'
import { findLastEntry } from '../target/journal/entries.ts'
import type { OnMisfit } from '../target/journal/journal-client.ts'
import { type JournalTarget, withJournalTarget } from '../target/journal/journal-target.ts'
import { findOtherService } from '../target/state/other-records.ts'
import { commandIn, commandNeedingKeys, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { factText } from '../terminal/fact-text.ts'
import { assertListFlags, isWatched, type ListFlags, printList, screenWidth } from '../terminal/listing.ts'
import { printable, printableJson } from '../terminal/table.ts'
import { type Attention, asksExecution, findAttention, leftBehind } from './attention.ts'
import { haltFacts, haltLines, haltRow } from './halts.ts'
import { columns, fieldLines, type WaitingRow } from './waiting.ts'

export interface AttentionFlags extends TargetFlags, ListFlags {}

const machineOf: Readonly<Record<IntentKind, StateMachine>> = {
  [IntentKind.Convert]: StateMachine.Convert,
  [IntentKind.Withdraw]: StateMachine.Withdraw,
}

/**
 * Exits with 3 where a person is needed, also for a halt in force and for a balance that no policy carries on; with 4
 * where only plans wait for approval.
 */
export async function showAttention(flags: AttentionFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, columns)
  const unreadable: string[] = []
  const { found, approvals, halts, left, other } = await withJournalTarget(flags, context, async (target) => ({
    other: target.embedded && findOtherService(target.embedded.stateDir, target.embedded.serviceUrl),
    // One that cannot be read hides none of the others.
    found: await readAttention(target, ({ message }) => unreadable.push(message)),
    approvals: (await target.runJournal.awaiting()).map(approvalOf),
    halts: (await target.haltsInForce()).map((halt) => haltFacts(halt, target.treasury, flags)),
    left: leftBehind(await target.runJournal.leavers(), target.treasury),
  }))
  const { stranded, carriedOn } = left
  if (output.json) output.data(printableJson({ intents: found, approvals, halts, unreadable, ...left }))
  else if (flags.csv === true || flags.columns !== undefined) {
    const release = ({ policy }: AbandonedBalance) => commandIn(`release ${policy} --because TEXT`, flags)
    const rows = [...halts.map(haltRow), ...found.map(rowOf), ...stranded.map((one) => strandedRow(one, release(one)))]
    printList(columns, rows, flags, context)
  } else {
    const width = screenWidth(context, flags)
    const asked = isWatched(context) ? factText : JSON.stringify
    const blocks = [
      ...halts.map((one) => haltLines(one, width)),
      ...found.map((one) => linesOf(one, asked(one.params), width)),
      ...stranded.map((one) => strandedLines(one, flags, width)),
    ]
    for (const line of blocks.flatMap((one) => ['', ...one]).slice(1)) output.data(line)
  }
  for (const { asset, contactId, amount, by } of carriedOn) {
    const to = contactId === undefined ? '' : ` to ${printable(contactId)}`
    output.note(`the next run of policy ${by} carries on ${amount} ${asset}${to}, which earlier runs left on its way`)
  }
  for (const { runId, policy, expiresAt } of approvals) {
    output.note(`run ${runId} of policy ${policy} waits for approval until ${expiresAt}`)
  }
  for (const message of unreadable) output.note(`needs a person, as it cannot be read: ${printable(message)}`)
  if (found.length > 0) output.note(`intents that need a person: ${found.length}`)
  else if (approvals.length + halts.length + stranded.length + unreadable.length === 0)
    output.note('nothing needs a person')
  if (other !== undefined)
    output.note(`this is the built-in sandbox; not looked at: ${other}, whose records are here too`)
  if (halts.length > 0) output.note(`halts, until a person resumes: ${halts.length}`)
  if (stranded.length > 0) output.note(`left on its way, and carried on by no policy: ${stranded.length}`)
  output.next([
    ...(other === undefined ? [] : [commandIn('attention', { ...flags, service: other })]),
    ...halts.slice(0, 1).map(({ resume }) => resume),
    ...approvals.slice(0, 1).map(({ runId }) => commandIn(`show ${runId}`, flags)),
    ...(found.length === 0
      ? [flags.aws === true ? commandIn('policies', flags) : commandNeedingKeys('withdrawals', flags)]
      : [
          `${commandNeedingKeys('resolve INTENT --movement ID --because TEXT', flags)}   # or --none, where nothing moved`,
          'docs/runbook.md, "People decide"',
        ]),
  ])
  if (found.length + halts.length + stranded.length + unreadable.length > 0) return ExitCode.NeedsPerson
  return approvals.length > 0 ? ExitCode.AwaitsApproval : ExitCode.Done
}

function rowOf({ intentId, kind, state, params, why, next }: Attention): WaitingRow {
  return { waits: intentId, kind, state, asked: factText(params), why, next }
}

function strandedRow({ policy, amount, asset, why }: AbandonedBalance, next: string): WaitingRow {
  return { waits: policy, kind: 'policy', state: 'left behind', asked: `${amount} ${asset}`, why, next }
}

function strandedLines({ policy, amount, asset, why }: AbandonedBalance, flags: TargetFlags, width: number): string[] {
  const release = commandIn(`release ${printable(policy)} --because TEXT`, flags)
  return [
    `${printable(policy)}  left behind  ${amount} ${asset}`,
    ...fieldLines('why', why, width),
    ...fieldLines('next', `${release}   # once it is where it belongs`, width),
  ]
}

function approvalOf({ runId, policy, approval }: RunRecord) {
  return { runId, policy, planHash: approval?.planHash ?? '', expiresAt: approval?.expiresAt ?? '' }
}

async function readAttention(target: JournalTarget, onMisfit: OnMisfit): Promise<Attention[]> {
  const found: Attention[] = []
  for (const intent of await target.intents(onMisfit)) {
    const last = asksExecution(intent) ? await findLastExecution(intent, target) : undefined
    const attention = findAttention(intent, last, target.treasury.timing)
    if (attention !== undefined) found.push(attention)
  }
  return found.sort((left, right) => (left.intentId < right.intentId ? -1 : 1))
}

async function findLastExecution(
  { kind, intentId }: Intent,
  target: JournalTarget,
): Promise<KnownExecution | undefined> {
  const { kept } = await findLastEntry(intentId, (name) => target.findExecution(machineOf[kind], name))
  return kept
}

function linesOf(attention: Attention, asked: string, width: number): string[] {
  const { intentId, kind, state, attempt, nonce, window, candidates, why, next } = attention
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

/** Every fact that has a value. Nothing is cut. */
function factsText(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}

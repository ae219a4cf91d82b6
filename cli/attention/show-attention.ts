// `sluice attention`: lists what halted, with what a person needs to decide. Reads only.
import { entryName, MOST_ENTRIES } from '../../functions/contract/fields.ts'
import { IntentKind } from '../../functions/contract/records.ts'
import { StateMachine } from '../../functions/contract/states.ts'
import type { Intent } from '../../functions/shared/journal/intent.ts'
import { INVOCATION } from '../command-line.ts'
import type { CommandContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { printable, printableJson } from '../table.ts'
import { type Attention, asksExecution, findAttention } from './attention.ts'
import { type JournalPlace, type KnownExecution, type PlaceFlags, withJournalPlace } from './journal-place.ts'

const machineOf: Readonly<Record<IntentKind, StateMachine>> = {
  [IntentKind.Convert]: StateMachine.Convert,
  [IntentKind.Withdraw]: StateMachine.Withdraw,
}

/** Exit 3 where a person is needed. */
export async function showAttention(flags: PlaceFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const found = await withJournalPlace(flags, context, readAttention)
  if (output.json) output.data(printableJson({ intents: found }))
  else for (const line of found.flatMap((attention) => ['', ...linesOf(attention)]).slice(1)) output.data(line)
  output.note(found.length === 0 ? 'nothing needs a person' : `intents that need a person: ${found.length}`)
  output.next(
    found.length === 0
      ? [`${INVOCATION} withdrawals`]
      : [
          `${INVOCATION} resolve INTENT --movement ID --because TEXT   # or --none, where nothing moved`,
          'docs/runbook.md, "People decide"',
        ],
  )
  return found.length === 0 ? ExitCode.Done : ExitCode.NeedsPerson
}

async function readAttention(place: JournalPlace): Promise<Attention[]> {
  const found: Attention[] = []
  for (const intent of await place.intents()) {
    const last = asksExecution(intent) ? await findLastExecution(intent, place) : undefined
    const attention = findAttention(intent, last, place.treasury.timing)
    if (attention !== undefined) found.push(attention)
  }
  return found.sort((left, right) => (left.intentId < right.intentId ? -1 : 1))
}

async function findLastExecution({ kind, intentId }: Intent, place: JournalPlace): Promise<KnownExecution | undefined> {
  let last: KnownExecution | undefined
  for (let entry = 1; entry <= MOST_ENTRIES; entry += 1) {
    const next = await place.findExecution(machineOf[kind], entryName(intentId, entry))
    if (next === undefined) return last
    last = next
  }
  return last
}

function linesOf({
  intentId,
  kind,
  state,
  params,
  attempt,
  nonce,
  window,
  candidates,
  why,
  next,
}: Attention): string[] {
  const field = (name: string, text: string) => `  ${name.padEnd(10)} ${printable(text)}`
  return [
    `${printable(intentId)}  ${kind}  ${state}`,
    field('asked', JSON.stringify(params)),
    field('attempt', `${attempt}${nonce === undefined ? '' : `, nonce ${nonce}`}`),
    ...(window === undefined ? [] : [field('window', `${window.since} … ${window.until}`)]),
    ...candidates.map(({ id, ...facts }) => field('candidate', `${id}  ${factsText(facts)}`)),
    field('why', why),
    field('next', next),
  ]
}

/** Every fact that has a value: nothing is cut. */
function factsText(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}

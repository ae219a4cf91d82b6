// `show --sentences`: tells in sentences what happened to what was asked for, in the order in which it happened. The
// facts are those of `show`. Reads only, and asks the service nothing.

import { IntentState } from '../../core/contract/records.ts'
import { printableJson } from '../../core/printable.ts'
import { reportOfRun } from '../../core/runs/record/run-record.ts'
import { withJournalConnection } from '../../operations/connection/journal/journal-connection.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { readKind } from '../../operations/movements/asked-kind.ts'
import type { ForeignMovement } from '../../operations/movements/find-asked.ts'
import { intentExitCode, type LoadedIntent, loadIntent } from '../../operations/movements/load-intent.ts'
import { assertId, findOneAsked } from '../../operations/movements/one-asked.ts'
import { exitCodeOf } from '../../operations/run-exit-code.ts'
import type { Column } from '../../operations/words/column.ts'
import { type ConnectionFlags, commandIn, quoted } from '../../operations/words/command-line.ts'
import { type RunSentence, runSentences } from '../../views/movements/run-sentences.ts'
import { sentenceOf } from '../../views/movements/sentences.ts'
import { dayOf, momentText, type SentenceContext } from '../../views/movements/telling.ts'
import { recordLines } from '../../views/text/table.ts'
import type { CommandContext } from '../terminal/context.ts'
import { screenWidth } from '../terminal/listing.ts'
import type { ShowFlags } from './show.ts'

interface Told {
  /** ISO-8601; absent where the records do not say when. */
  readonly at?: string | undefined
  /** Which fact it is, for programs. */
  readonly fact: string
  readonly sentence: string
}

/** Exits as `show` does without `--sentences`. @throws OperationError: exit 2 for an id of several, exit 1 for none */
export async function showSentences(id: string, flags: ShowFlags, context: CommandContext): Promise<ExitCode> {
  const { kind: asked, after, sentences: _sentences, wide: _wide, ...connectionFlags } = flags
  const kind = readKind(asked)
  assertId(id, connectionFlags)
  const { telling, next, ...told } = await withJournalConnection(
    flags,
    context,
    async (journal) => {
      const one = await findOneAsked(id, { kind, after }, connectionFlags, journal)
      if (one.kind === 'foreign') return toldForeign(one.foreign, connectionFlags)
      if (one.kind === 'run') return toldRun(reportOfRun(one.run), connectionFlags)
      return toldIntent(await loadIntent(one.intent, journal), connectionFlags)
    },
    { showsTour: true },
  )
  const { output } = context
  if (output.json) output.data(printableJson({ kind: telling.kind, id: telling.id, sentences: told.sentences }))
  else printTold(told.sentences, screenWidth(context, flags), context)
  if (told.unread !== undefined) output.note(told.unread)
  if (telling.kind === 'convert' || telling.kind === 'withdraw') {
    output.note('times are UTC; signatures, quotes and until when nothing is certain go by the clock of the service')
  }
  output.next(next)
  return told.exitCode
}

interface Explained {
  readonly telling: { readonly kind: string; readonly id: string }
  readonly sentences: readonly Told[]
  readonly exitCode: ExitCode
  readonly next: readonly string[]
  readonly unread?: string | undefined
}

function toldIntent(loaded: LoadedIntent, flags: ConnectionFlags): Explained {
  const { kind, intentId, createdAt, state } = loaded.intent
  const day = dayOf(createdAt)
  const isConversion = kind === 'convert'
  const telling: SentenceContext = {
    intentId,
    day,
    noun: isConversion ? 'conversion' : 'withdrawal',
    movement: isConversion ? 'order' : 'withdrawal',
    isOpen: state === IntentState.Armed,
  }
  const sentences = loaded.facts.map((fact) => ({
    at: 'at' in fact ? fact.at : undefined,
    fact: fact.fact,
    sentence: sentenceOf(fact, telling),
  }))
  const next =
    loaded.attention === undefined
      ? [`${commandIn(`movements show ${quoted(intentId)}`, flags)}   # the facts`]
      : [`${commandIn('cases list', flags)}   # what is in doubt, and what comes next`]
  const { unread } = loaded
  return { telling: { kind, id: intentId }, sentences, exitCode: intentExitCode(loaded), next, unread }
}

function toldRun(report: ReturnType<typeof reportOfRun>, flags: ConnectionFlags): Explained {
  const { runId } = report
  const [leg] = report.legs
  return {
    telling: { kind: 'run', id: runId },
    sentences: runSentences(report).map(({ at, about, text }: RunSentence) => ({ at, fact: about, sentence: text })),
    exitCode: exitCodeOf(report),
    next: [
      ...(leg === undefined
        ? []
        : [`${commandIn(`movements show ${quoted(leg.intentId)} --sentences`, flags)}   # the first leg`]),
      `${commandIn(`runs show ${quoted(runId)}`, flags)}   # the facts`,
    ],
  }
}

function toldForeign({ kind, id, word }: ForeignMovement, flags: ConnectionFlags): Explained {
  const movement = `${kind === 'convert' ? 'order' : 'withdrawal'} ${id}`
  const declared =
    word === undefined
      ? `The journal claims ${movement} for others, by no word of a person.`
      : `${word.by} declared ${movement} to be others' business at ${word.at}: ${word.because}.`
  const sentence = `${declared} No intent of this journal has it.`
  return {
    telling: { kind: 'foreign', id },
    sentences: [{ fact: 'foreign', sentence }],
    exitCode: word === undefined ? ExitCode.NeedsPerson : ExitCode.Done,
    next: [commandIn('movements list', flags)],
  }
}

/** Each sentence beside its time. A day stands above what happened on it. */
function printTold(told: readonly Told[], width: number, { output }: CommandContext): void {
  let day = ''
  for (const { at, sentence } of told) {
    const today = at === undefined ? day : dayOf(at)
    if (today !== day) output.data(`${today} (UTC)`)
    day = today
    const time = at === undefined ? '' : momentText(at, { day })
    const column: Column<undefined> = { title: time.padEnd(TIME_WIDTH), text: () => sentence }
    for (const line of recordLines([column], undefined, width)) output.data(line)
  }
}

/** `10:01:20` */
const TIME_WIDTH = 8

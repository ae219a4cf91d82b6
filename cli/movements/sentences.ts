// `show --sentences`: describes in sentences what happened to a request, in order. The facts are those of `show`. Reads
// only, and asks the service nothing.

import { IntentState } from '../../core/contract/records.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import type { Fact } from '../../operations/movements/facts.ts'
import type { ForeignMovement } from '../../operations/movements/find-records.ts'
import { intentExitCode, type LoadedIntent } from '../../operations/movements/load-intent.ts'
import { readShownRecord, type ShownRecord } from '../../operations/movements/one-record.ts'
import { type Unrecorded, unrecordedExitCode } from '../../operations/movements/unrecorded.ts'
import { exitCodeOf } from '../../operations/run-exit-code.ts'
import type { Column } from '../../operations/words/column.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { type RunSentence, runSentences } from '../../views/movements/run-sentences.ts'
import { sentenceOf } from '../../views/movements/sentences.ts'
import { dayOf, momentText, type SentenceContext } from '../../views/movements/telling.ts'
import { recordLines } from '../../views/text/table.ts'
import { commandIn, quoted } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { screenWidth } from '../terminal/listing.ts'
import type { ShowFlags } from './show.ts'

interface TimedSentence {
  /** ISO-8601; absent where the records lack the time. */
  readonly at?: string | undefined
  /** The name of the fact, for programs. */
  readonly fact: string
  readonly sentence: string
}

/**
 * Exits as `show` does without `--sentences`.
 * @throws OperationError: exit 2 for an ambiguous id, exit 1 for an unknown id
 */
export async function showSentences(id: string, flags: ShowFlags, context: CommandContext): Promise<ExitCode> {
  const { sentences: _sentences, wide: _wide, ...asked } = flags
  const { kind: _kind, after: _after, ...connectionFlags } = asked
  const { about, next, ...explained } = explain(await readShownRecord(id, asked, context), connectionFlags)
  const { output } = context
  if (output.json) output.facts({ kind: about.kind, id: about.id, sentences: explained.sentences })
  else printSentences(explained.sentences, screenWidth(context, flags), context)
  if (explained.unread !== undefined) output.note(explained.unread)
  if (about.kind === 'convert' || about.kind === 'withdraw') {
    output.note("times are UTC; signatures, quotes and fences go by the service's clock")
  }
  output.next(next)
  return explained.exitCode
}

interface Explained {
  readonly about: { readonly kind: string; readonly id: string }
  readonly sentences: readonly TimedSentence[]
  readonly exitCode: ExitCode
  readonly next: readonly string[]
  readonly unread?: string | undefined
}

function explain(found: ShownRecord, flags: ConnectionFlags): Explained {
  switch (found.kind) {
    case 'foreign':
      return explainForeign(found.foreign, flags)
    case 'unrecorded':
      return explainUnrecorded(found.unrecorded, flags)
    case 'run':
      return explainRun(found.report, flags)
    default:
      return explainIntent(found.loaded, flags)
  }
}

function explainIntent(loaded: LoadedIntent, flags: ConnectionFlags): Explained {
  const { kind, intentId, createdAt, state } = loaded.intent
  const sentences = sentencesOf(loaded.facts, { intentId, kind, createdAt, isOpen: state === IntentState.Armed })
  const next =
    loaded.attention === undefined
      ? [`${commandIn(`movements show ${quoted(intentId)}`, flags)}   # the facts`]
      : [`${commandIn('cases list', flags)}   # what is in doubt, and what comes next`]
  const { unread } = loaded
  return { about: { kind, id: intentId }, sentences, exitCode: intentExitCode(loaded), next, unread }
}

function explainUnrecorded(unrecorded: Unrecorded, flags: ConnectionFlags): Explained {
  const { id, kind, startedAt: createdAt, facts } = unrecorded
  return {
    about: { kind, id },
    sentences: sentencesOf(facts, { intentId: id, kind, createdAt, isOpen: false }),
    exitCode: unrecordedExitCode(unrecorded),
    next: [commandIn('cases list', flags)],
  }
}

function sentencesOf(
  facts: readonly Fact[],
  {
    intentId,
    kind,
    createdAt,
    isOpen,
  }: Pick<SentenceContext, 'intentId' | 'isOpen'> & Record<'kind' | 'createdAt', string>,
): TimedSentence[] {
  const isConversion = kind === 'convert'
  const context: SentenceContext = {
    ...{ intentId, isOpen, day: dayOf(createdAt) },
    noun: isConversion ? 'conversion' : 'withdrawal',
    movement: isConversion ? 'order' : 'withdrawal',
  }
  return facts.map((fact) => ({
    at: 'at' in fact ? fact.at : undefined,
    fact: fact.fact,
    sentence: sentenceOf(fact, context),
  }))
}

function explainRun(report: RunReport, flags: ConnectionFlags): Explained {
  const { runId } = report
  const [leg] = report.legs
  return {
    about: { kind: 'run', id: runId },
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

function explainForeign({ kind, id, word }: ForeignMovement, flags: ConnectionFlags): Explained {
  const movement = `${kind === 'convert' ? 'order' : 'withdrawal'} ${id}`
  const declared =
    word === undefined
      ? `The journal claims ${movement} for others, by no word of a person.`
      : `${word.by} declared ${movement} to be somebody else's at ${word.at}: ${word.because}.`
  const sentence = `${declared} No intent of this journal has it.`
  return {
    about: { kind: 'foreign', id },
    sentences: [{ fact: 'foreign', sentence }],
    exitCode: word === undefined ? ExitCode.NeedsPerson : ExitCode.Done,
    next: [commandIn('movements list', flags)],
  }
}

/** Prints each sentence beside its time. A line with the date is above the sentences of a new day. */
function printSentences(sentences: readonly TimedSentence[], width: number, { output }: CommandContext): void {
  let day = ''
  for (const { at, sentence } of sentences) {
    const today = at === undefined ? day : dayOf(at)
    if (today !== day) output.data(`${today} (UTC)`)
    day = today
    const time = at === undefined ? '' : momentText(at, { day })
    const column: Column<undefined> = { title: time.padEnd(TIME_WIDTH), text: () => sentence }
    for (const line of recordLines([column], undefined, width)) output.data(line)
  }
}

/** In columns: `10:01:20`. */
const TIME_WIDTH = 8

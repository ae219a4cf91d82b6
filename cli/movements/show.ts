// `sluice movements show` and `sluice runs show`: show a request by any of its ids, from the journal and the executions. With
// --sentences they describe in order what happened to it. Reads only, and asks the service nothing.

import { IntentState } from '../../core/contract/records.ts'
import { RunEnd, type RunReport } from '../../core/contract/runs.ts'
import type { Fact } from '../../operations/movements/facts.ts'
import type { ForeignMovement } from '../../operations/movements/find-records.ts'
import { intentExitCode, type LoadedIntent } from '../../operations/movements/load-intent.ts'
import { readShownRecord, type Shown, type ShownRecord } from '../../operations/movements/one-record.ts'
import { type Unrecorded, unrecordedExitCode } from '../../operations/movements/unrecorded.ts'
import { exitCodeOf } from '../../operations/run-exit-code.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { Step } from '../../place/next-step.ts'
import { isOnAws } from '../../place/settings.ts'
import { intentJson, intentLines, unrecordedJson, unrecordedLines } from '../../views/movements/intent-text.ts'
import { foreignText } from '../../views/movements/request-columns.ts'
import { runSentences } from '../../views/movements/run-sentences.ts'
import { sentenceOf } from '../../views/movements/sentences.ts'
import { dayOf, momentText, type SentenceContext } from '../../views/movements/telling.ts'
import { reportLines } from '../../views/runs/report-text.ts'
import { printable } from '../../views/text/shown.ts'
import { recordLines } from '../../views/text/table.ts'
import type { CommandContext } from '../terminal/context.ts'
import { screenWidth, type WideFlag } from '../terminal/listing.ts'

interface ShowFlags extends Shown, WideFlag {
  readonly sentences?: boolean
}

interface TimedSentence {
  /** ISO-8601; absent where the records lack the time. */
  readonly at?: string | undefined
  /** The name of the fact, for programs. */
  readonly fact: string
  readonly sentence: string
}

/** A record with both ways to show it. */
interface Told {
  readonly facts: object
  readonly lines: (width: number) => readonly string[]
  readonly next: readonly Step[]
  /** Kind and id, and the steps that follow the sentences. */
  readonly kind: string
  readonly id: string
  readonly sentences: () => readonly TimedSentence[]
  readonly nextOfSentences: readonly Step[]
  readonly unread?: string | undefined
  readonly exitCode: ExitCode
}

/**
 * Exits with the code of the run itself.
 * @throws OperationError: exit 2 for an ambiguous id, exit 1 for an unknown id
 */
export async function show(id: string, flags: ShowFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { sentences: inSentences, wide: _wide, ...asked } = flags
  const told = toldOf(await readShownRecord(id, asked, context), isOnAws(flags))
  const width = screenWidth(context, flags)
  const sentences = inSentences === true ? told.sentences() : undefined
  if (output.json) output.facts(sentences === undefined ? told.facts : { kind: told.kind, id: told.id, sentences })
  else
    for (const line of sentences === undefined ? told.lines(width) : sentenceLines(sentences, width)) output.data(line)
  if (told.unread !== undefined) output.note(told.unread)
  if (sentences !== undefined && (told.kind === 'convert' || told.kind === 'withdraw'))
    output.note("times are UTC; signatures, quotes and fences go by the service's clock")
  output.next(sentences === undefined ? told.next : told.nextOfSentences)
  return told.exitCode
}

function toldOf(found: ShownRecord, isAws: boolean): Told {
  switch (found.kind) {
    case 'run':
      return toldOfRun(found)
    case 'unrecorded':
      return toldOfUnrecorded(found.unrecorded)
    case 'foreign':
      return toldOfForeign(found.foreign)
    default:
      return toldOfIntent(found.loaded, found.as, isAws)
  }
}

const LIST_CASES = { do: 'list-cases' } as const
const IN_DOUBT = { do: 'list-cases', why: 'what is in doubt, and what comes next' } as const

function inSentences(id: string, why = 'in sentences'): Step {
  return { do: 'show-movement', id, isInSentences: true, why }
}

function toldOfRun({ report, ownId }: Extract<ShownRecord, { kind: 'run' }>): Told {
  const { runId, legs } = report
  const shown = { ...report, ownId }
  const [leg] = legs
  return {
    facts: shown,
    lines: (width) => reportLines(shown, width),
    next: nextOfRun(report),
    kind: 'run',
    id: runId,
    sentences: () => runSentences(report).map(({ at, about, text }) => ({ at, fact: about, sentence: text })),
    nextOfSentences: [
      ...(leg === undefined ? [] : [inSentences(leg.intentId, 'the first leg')]),
      { do: 'show-run', id: runId, why: 'the facts' },
    ],
    exitCode: exitCodeOf(report),
  }
}

function nextOfRun({ outcome, runId }: RunReport): readonly Step[] {
  const page = { do: 'report-run', id: runId, why: 'as a page' } as const
  if (outcome === RunEnd.AwaitingApproval) return [{ do: 'decide', id: runId, why: 'or reject' }, page]
  if (outcome === RunEnd.NeedsAttention) return [{ do: 'list-cases', why: 'what is in doubt' }, page]
  return [page, { do: 'list-runs' }]
}

function toldOfForeign(foreign: ForeignMovement): Told {
  const { kind, id, word } = foreign
  const movement = `${kind === 'convert' ? 'order' : 'withdrawal'} ${id}`
  const declared =
    word === undefined
      ? `The journal claims ${movement} for others, by no word of a person.`
      : `${word.by} declared ${movement} to be somebody else's at ${word.at}: ${word.because}.`
  const list = { do: 'list-movements' } as const
  return {
    facts: { kind, movementId: id, foreign: word ?? false },
    lines: () => [printable(foreignText(foreign))],
    next: [word === undefined ? { do: 'audit' } : list],
    kind: 'foreign',
    id,
    sentences: () => [{ fact: 'foreign', sentence: `${declared} No intent of this journal has it.` }],
    nextOfSentences: [list],
    exitCode: word === undefined ? ExitCode.NeedsPerson : ExitCode.Done,
  }
}

function toldOfUnrecorded(unrecorded: Unrecorded): Told {
  const { id, kind, startedAt: createdAt, facts } = unrecorded
  return {
    facts: unrecordedJson(unrecorded),
    lines: (width) => unrecordedLines(unrecorded, width),
    next: [LIST_CASES, inSentences(id)],
    kind,
    id,
    sentences: () => sentencesOf(facts, { intentId: id, kind, createdAt, isOpen: false }),
    nextOfSentences: [LIST_CASES],
    exitCode: unrecordedExitCode(unrecorded),
  }
}

function toldOfIntent(loaded: LoadedIntent, as: string, isAws: boolean): Told {
  const { attention, facts, intent, unread } = loaded
  const { kind, intentId: id, createdAt, state } = intent
  return {
    facts: intentJson(loaded, as),
    lines: (width) => intentLines(loaded, width),
    next: nextOfIntent(loaded, isAws),
    kind,
    id,
    sentences: () => sentencesOf(facts, { intentId: id, kind, createdAt, isOpen: state === IntentState.Armed }),
    nextOfSentences: [attention === undefined ? { do: 'show-movement', id, why: 'the facts' } : IN_DOUBT],
    unread,
    exitCode: intentExitCode(loaded),
  }
}

function nextOfIntent({ intent, attention }: LoadedIntent, isAws: boolean): readonly Step[] {
  const explain = inSentences(intent.intentId)
  if (attention !== undefined) return [IN_DOUBT, explain]
  // Queries need a key file, which a command with --aws does not have.
  if (intent.ref === undefined || isAws) return [explain, { do: 'list-movements' }]
  const query = intent.kind === 'convert' ? 'orders' : 'withdrawals'
  return [explain, { do: 'query', query, id: intent.ref, why: 'what the service shows now' }]
}

function sentencesOf(
  facts: readonly Fact[],
  intent: Pick<SentenceContext, 'intentId' | 'isOpen'> & Record<'kind' | 'createdAt', string>,
): TimedSentence[] {
  const { intentId, isOpen, kind, createdAt } = intent
  const [noun, movement] =
    kind === 'convert' ? (['conversion', 'order'] as const) : (['withdrawal', 'withdrawal'] as const)
  const context: SentenceContext = { intentId, isOpen, day: dayOf(createdAt), noun, movement }
  return facts.map((fact) => ({
    at: 'at' in fact ? fact.at : undefined,
    fact: fact.fact,
    sentence: sentenceOf(fact, context),
  }))
}

/** In columns: `10:01:20`. */
const TIME_WIDTH = 8

/** Each sentence beside its time. A line with the date is above the sentences of a new day. */
function sentenceLines(sentences: readonly TimedSentence[], width: number): readonly string[] {
  let day = ''
  return sentences.flatMap(({ at, sentence }) => {
    const today = at === undefined ? day : dayOf(at)
    const date = today === day ? [] : [`${today} (UTC)`]
    day = today
    const time = at === undefined ? '' : momentText(at, { day })
    const column = { title: time.padEnd(TIME_WIDTH), text: () => sentence }
    return [...date, ...recordLines([column], undefined, width)]
  })
}

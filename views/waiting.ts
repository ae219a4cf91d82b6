// Makes one list of all cases that wait for a person or for approval, whatever their kind. The list, the blocks, the notes,
// the exit code and the count of every face come from it. Pure.

import { IntentState } from '../core/contract/records.ts'
import { RunEnd } from '../core/contract/runs.ts'
import type { FirstResume } from '../core/journal/halts.ts'
import { printable } from '../core/printable.ts'
import type { HaltFacts, Needs, WaitingRun } from '../operations/cases/find-needs.ts'
import type { Attention } from '../operations/movements/attention.ts'
import type { WaitingMovement } from '../operations/runs/waiting-movements.ts'
import { givenText } from '../operations/words/approvals-text.ts'
import type { Column } from '../operations/words/column.ts'
import { scopeText } from '../operations/words/halt-words.ts'
import { type Advice, advice, isStep, option, type Spell, type Step } from '../place/next-step.ts'
import { STALLED_NEXT } from './movements/request-columns.ts'
import { waitEndedText } from './runs/wait-words.ts'
import { recordLines } from './text/table.ts'

type Group = 'halt' | 'intent' | 'stalled' | 'run' | 'unstarted' | 'stranded' | 'unreadable' | 'approval'

export interface Case {
  readonly group: Group
  /** Whom it waits for. A run whose wait has ended continues by itself. */
  readonly waitsFor: 'a person' | 'approval' | 'nobody'
  /** Who or what waits. */
  readonly waits: string
  readonly kind: string
  readonly state: string
  readonly asked: string
  readonly why: string
  /** More facts, by their names, which stand before the reason. */
  readonly facts: readonly (readonly [name: string, text: Advice])[]
  readonly next: Advice
}

type Needed = Omit<Needs, 'doubts' | 'onTheWay' | 'other' | 'cutOff'>

/** A doubt is no case: it becomes known by itself. */
export function casesOf({ found, stalled, inNeed, unopened, unbegun, ...needs }: Needed): readonly Case[] {
  const { approvals, movements, halts, left, unreadable } = needs
  const of = (group: Group, known: Omit<Case, 'group' | 'facts' | 'waitsFor'> & Partial<Case>): Case => ({
    waitsFor: 'a person',
    facts: [],
    ...known,
    group,
  })
  const again = (id: string, why: string) => ({ do: 'enter-again', id, why }) as const
  return [
    ...halts.map((halt) => of('halt', haltCase(halt))),
    ...found.map((each) => of('intent', { ...each, waits: each.intentId, facts: factsOf(each) })),
    ...stalled.map(({ cause, asked = '', ...each }) => {
      const state = cause.toUpperCase().replace(' ', '_')
      return of('stalled', { ...each, waits: each.intentId, state, asked, next: STALLED_NEXT[cause] })
    }),
    ...inNeed.map(({ runId, policy, why }) => {
      const next = again(runId, 'once its legs are settled: settles it by them')
      const state = RunEnd.NeedsAttention
      return of('run', { waits: runId, kind: 'run', state, asked: `policy ${policy}`, why, next })
    }),
    ...unopened.map(({ intentId, kind, why, next }) => {
      return of('unstarted', { waits: intentId, kind, state: 'not begun', asked: '', why, next: again(intentId, next) })
    }),
    ...unbegun.map(({ runId, policy, why }) => {
      const next = again(runId, 'once the fault is mended: begins it under the same name')
      return of('unstarted', {
        waits: runId,
        kind: 'run',
        state: RunEnd.OwnFault,
        asked: `policy ${policy}`,
        why,
        next,
      })
    }),
    ...left.stranded.map(({ policy, amount, asset, why }) => {
      const next = { do: 'release', policy, why: 'once it is where it belongs' } as const
      const known = { waits: policy, kind: 'policy', state: 'left behind', asked: `${amount} ${asset}` }
      return of('stranded', { ...known, why, next })
    }),
    ...unreadable.map((why) =>
      of('unreadable', { waits: '', kind: 'record', state: 'unreadable', asked: '', why, next: '' }),
    ),
    ...approvals.map((run) => of('approval', approvalCase(run))),
    ...movements.map((movement) => of('approval', movementCase(movement))),
  ]
}

export function countNeeds(needs: Needed): number {
  return casesOf(needs).length
}

function haltCase({ scope, by, because, at, breaker, firstWord, look, resume }: HaltFacts) {
  const first = firstWord && `${firstWord.by} resumes it since ${firstWord.at}: ${firstWord.because}`
  const also = firstWord === undefined ? '' : `; ${first}; ${missingText(firstWord)}`
  return {
    waits: scopeText(scope),
    kind: 'halt',
    state: breaker ? 'breaker tripped: halted' : 'halted',
    asked: '',
    why: `by ${by} since ${at}: ${because}${also}`,
    facts: breaker && look !== undefined ? [['first', { ...look, why: 'what went wrong' }] as const] : [],
    next: { ...resume, why: 'when sending may continue' },
  }
}

/** After the first of two people has resumed. */
export function missingText({ until }: FirstResume): string {
  return `another person must resume it too, before ${until}`
}

function factsOf({ attempt, nonce, window, candidates }: Attention): Case['facts'] {
  return [
    ['attempt', `${attempt}${nonce === undefined ? '' : `, nonce ${nonce}`}`],
    ...(window === undefined ? [] : [['window', `${window.since} … ${window.until}`] as const]),
    ...candidates.map(({ id, ...facts }) => ['candidate', `${id}  ${factsText(facts)}`] as const),
  ]
}

/** Every fact with a value, at its full length. */
function factsText(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .flatMap(([name, value]) => (value === null || value === undefined ? [] : [`${name} ${String(value)}`]))
    .join(', ')
}

function approvalCase({ runId, policy, expiresAt, waitEnded, against, ...given }: WaitingRun) {
  const known = { waits: `run ${runId} of policy ${policy}`, kind: 'run', asked: `policy ${policy}` }
  if (waitEnded === undefined) {
    const why = `${givenText(given)}waits for approval until ${expiresAt}`
    const next = { do: 'show-run', id: runId } as const
    return { ...known, waitsFor: 'approval', state: 'waits for approval', why, next } as const
  }
  const why = waitEndedText({ waitEnded, ...(against && { against }) })
  const next = { do: 'enter-again', id: runId, why: 'carries the decision out now' } as const
  return { ...known, waitsFor: 'nobody', state: waitEnded, why, next } as const
}

function movementCase({ intentId, kind, asked, expiresAt, missing, isOver, ...given }: WaitingMovement) {
  const people = missing === 1 ? 'a person' : `${missing} people`
  const why = isOver
    ? `was not approved until ${expiresAt}: it moves nothing, and it ends once it is entered again`
    : `${givenText(given)}waits for ${people} to approve it until ${expiresAt}`
  const next: Step = isOver ? { do: 'enter-again', id: intentId } : { do: 'decide', id: intentId }
  const known = { waits: `${intentId} (${asked})`, kind, state: 'waits for approval', asked }
  return { ...known, waitsFor: 'approval', why, next } as const
}

/** Cases of these groups are notes beside the list: nothing of them is in doubt. */
const NOTED: ReadonlySet<Group> = new Set(['unreadable', 'approval'])

export function listedOf(cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ group }) => !NOTED.has(group))
}

const COUNTED: readonly (readonly [Group, text: string])[] = [
  ['intent', 'intents that need a person'],
  ['run', 'runs that were settled with a leg in doubt or stuck'],
  ['unstarted', 'kept from beginning by a fault of ours'],
  ['halt', 'halts, until a person resumes'],
  ['stranded', 'stranded, and carried on by no policy'],
]

/** The cases that the list does not show, and how many it shows. */
export function caseNotes(cases: readonly Case[], isCutOff: boolean): readonly string[] {
  const count = (group: Group) => cases.filter((each) => each.group === group).length
  const counted = COUNTED.flatMap(([group, text]) => (count(group) === 0 ? [] : [`${text}: ${count(group)}`]))
  const none = isCutOff ? 'nothing that was checked needs a person' : 'nothing needs a person'
  return [
    ...cases.flatMap(({ group, waits, why }) => {
      if (!NOTED.has(group)) return []
      return [
        group === 'approval' ? printable(`${waits} ${why}`) : `needs a person, as it cannot be read: ${printable(why)}`,
      ]
    }),
    ...(cases.length === 0 ? [none] : counted),
  ]
}

/** The first step of each kind of case. `isAws`: where a query needs a key file that the command does not have. */
export function caseSteps(cases: readonly Case[], isAws: boolean): readonly Advice[] {
  const tripped = cases.filter(({ state }) => state.startsWith('breaker'))
  const all = { do: 'resume', isAll: true, why: 'shows why each breaker tripped, and asks once' } as const
  const firsts = [...Map.groupBy(cases, ({ group, waitsFor, state }) => `${group} ${waitsFor} ${state}`).values()]
  const steps = firsts.flatMap(([first]) => (first !== undefined && isStep(first.next) ? [first] : []))
  const intents = cases.filter(({ group }) => group === 'intent')
  return [
    ...(tripped.length > 1 ? [all] : []),
    ...steps.flatMap(({ group, next }) => (tripped.length > 1 && group === 'halt' ? [] : [next])),
    ...(intents.length > 0 ? intentSteps(intents) : [isAws ? POLICIES : WITHDRAWALS]),
  ]
}

const [POLICIES, WITHDRAWALS] = [{ do: 'list-policies' }, { do: 'query', query: 'withdrawals' }] as const

/** The machine checks before a person decides. A proven movement needs no decision. */
function intentSteps(intents: readonly Case[]): readonly Advice[] {
  const [armed, stuck] = [IntentState.Armed, IntentState.Done].map((of) => intents.find(({ state }) => state === of))
  const checks = 'the machine checks once more: it needs no decision'
  const why = advice`or ${option('none')}, where nothing moved`
  return [
    ...(armed === undefined ? [] : [{ do: 'enter-again', why: checks } as const]),
    ...(stuck === undefined
      ? []
      : [{ do: 'enter-again', id: stuck.waits, why: 'whether it has completed; nothing is sent' } as const]),
    ...(intents.every(({ state }) => state === IntentState.Done)
      ? ['docs/runbook.md, "A withdrawal is stuck"']
      : [{ do: 'resolve', id: 'INTENT', why } as const, 'docs/runbook.md, "People decide"']),
  ]
}

export interface WaitingRow extends Pick<Case, 'waits' | 'kind' | 'state' | 'asked' | 'why'> {
  readonly next: string
}

export const columns: readonly Column<WaitingRow>[] = [
  { title: 'waits', text: ({ waits }) => waits },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'state', text: ({ state }) => state },
  { title: 'asked', text: ({ asked }) => asked, isDetail: true },
  { title: 'why', text: ({ why }) => why, isDetail: true },
  { title: 'next', text: ({ next }) => next, isDetail: true },
]

const INDENT = '  '

/** A block of lines for a terminal, such as `  why        no execution of it is known`. */
export function caseLines(
  { waits, kind, state, asked, facts, why, next }: Case,
  width: number,
  spell: Spell,
): string[] {
  const rows = [['asked', asked], ...facts, ['why', why], ['next', next]] as const
  const shown = rows.flatMap(([name, told]) => {
    const text = spell(told)
    const column = { title: name.padEnd('candidate'.length), text: () => text }
    return text === '' ? [] : recordLines([column], undefined, width - INDENT.length).map((line) => `${INDENT}${line}`)
  })
  return [`${printable(waits)}  ${kind}  ${state}`, ...shown]
}

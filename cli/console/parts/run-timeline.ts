// The timeline of a run, or of one intent: every attempt, send, answer, wait for a fence with its reason and end, approval
// and settlement, in the order in which they happened. The words are those of `sluice explain`. Pure: data in, HTML out.
import type { RunReport } from '../../../core/contract/runs.ts'
import { sentenceOf } from '../../explain/sentences.ts'
import { dayOf } from '../../explain/telling.ts'
import { outcomeWords } from '../../narration/outcome-words.ts'
import { html, type Markup } from '../../report/markup.ts'
import { approvalText, triggerText } from '../../report/report-sentences.ts'
import type { Fact } from '../../show/facts.ts'
import { lasted, moment } from './figures.ts'

export type Look = 'good' | 'plain' | 'wait' | 'bad'

export interface Happening {
  /** ISO-8601. Absent where the records do not say when: it stands behind what it came after. */
  readonly at?: string | undefined
  /** What it is of: the run, or a leg. */
  readonly of: string
  /** In a word or two. */
  readonly what: string
  readonly text: string
  readonly look: Look
}

/** One intent of it, with the name that the run gives it. */
export interface Told {
  readonly key: string
  readonly intentId: string
  readonly kind: 'convert' | 'withdraw'
  readonly state: string
  readonly createdAt: string
  readonly facts: readonly Fact[]
}

const WORDS: Readonly<Record<Fact['fact'], readonly [what: string, look: Look]>> = {
  asked: ['asked', 'plain'],
  entered: ['entered again', 'plain'],
  checked: ['checked', 'plain'],
  quoted: ['quote', 'plain'],
  held: ['held', 'wait'],
  sent: ['send', 'plain'],
  answered: ['answer', 'wait'],
  doubt: ['fence wait', 'wait'],
  'attempt ended': ['attempt ended', 'wait'],
  fault: ['fault', 'bad'],
  stopped: ['stopped', 'bad'],
  proven: ['proven', 'good'],
  moving: ['moving', 'plain'],
  settled: ['settled', 'good'],
  zero: ['certified zero', 'wait'],
  escalated: ['a person decides', 'bad'],
  resolved: ['resolved', 'plain'],
  open: ['open', 'wait'],
}

export function happeningsOfIntent({ key, intentId, kind, state, createdAt, facts }: Told): Happening[] {
  const isConversion = kind === 'convert'
  const telling = {
    intentId,
    day: dayOf(createdAt),
    noun: isConversion ? 'conversion' : 'withdrawal',
    movement: isConversion ? 'order' : 'withdrawal',
    isOpen: state === 'ARMED',
  } as const
  return facts.map((fact) => {
    const [what, look] = WORDS[fact.fact]
    return { at: 'at' in fact ? fact.at : undefined, of: key, what, text: sentenceOf(fact, telling), look }
  })
}

export function happeningsOfRun(report: RunReport, legs: readonly Told[]): Happening[] {
  const { startedAt, endedAt, plan, approval, outcome, why } = report
  const of = 'run'
  const own: Happening[] = [
    { at: startedAt, of, what: 'started', text: `The run was started${triggerText(report.trigger)}.`, look: 'plain' },
    ...(plan === undefined
      ? []
      : [{ at: plan.takenAt, of, what: 'planned', text: planText(plan), look: 'plain' as const }]),
    ...(approval === undefined
      ? []
      : [{ at: approval.at, of, what: 'approval', text: `${approvalText(approval)}.`, look: approvalLook(approval) }]),
  ]
  const end: Happening[] =
    endedAt === undefined
      ? []
      : [
          {
            at: endedAt,
            of,
            what: outcome,
            text: `The run ended: ${why ?? outcomeWords(outcome).says}.`,
            look: outcomeWords(outcome).look,
          },
        ]
  return [...inOrder([own, ...legs.map(happeningsOfIntent)]), ...end]
}

function planText({ legs, nonLegs }: NonNullable<RunReport['plan']>): string {
  const count = legs.length === 1 ? '1 leg' : `${legs.length} legs`
  return `Balances and prices were taken; the plan has ${count}, and says of ${nonLegs.length} why nothing is done.`
}

function approvalLook({ decision }: NonNullable<RunReport['approval']>): Look {
  return decision === undefined ? 'wait' : decision === 'approved' ? 'good' : 'plain'
}

/** By time, and within each list as it is: what has no time stays behind what it came after. */
function inOrder(lists: readonly (readonly Happening[])[]): Happening[] {
  const timed = lists.flatMap((list) => {
    let lastMs = Number.NEGATIVE_INFINITY
    return list.map((happening) => {
      const ms = Date.parse(happening.at ?? '')
      // Times of the service and of this machine differ by their clocks: the order of a list is certain.
      lastMs = Number.isNaN(ms) ? lastMs : Math.max(lastMs, ms)
      return { happening, atMs: lastMs }
    })
  })
  return timed.sort((one, other) => one.atMs - other.atMs).map(({ happening }) => happening)
}

/** Lines that are shown: a run of 200 legs has thousands. */
const MOST_LINES = 400

export function timeline(happenings: readonly Happening[]): Markup {
  const shown = happenings.slice(0, MOST_LINES)
  const startMs = Date.parse(shown.find(({ at }) => at !== undefined)?.at ?? '')
  const more = happenings.length - shown.length
  return html`<ol class="timeline">
${shown.map(
  ({
    at,
    of,
    what,
    text,
    look,
  }) => html`<li class="${look}"><span class="when">${moment(at)}${offset(at, startMs)}</span>
<span class="of">${of}</span> <span class="what">${what}</span> <span class="said">${text}</span></li>
`,
)}</ol>
${more > 0 && html`<p class="dim">and ${more} more: <code>sluice explain</code> tells all of one leg</p>`}`
}

function offset(at: string | undefined, startMs: number): Markup | undefined {
  const ms = Date.parse(at ?? '') - startMs
  return Number.isNaN(ms) || ms <= 0 ? undefined : html` <span class="dim">+${lasted(ms)}</span>`
}

// Shows the timeline of a run, or of one intent, in the order of events. It has every attempt, send, answer, wait for a
// fence with its reason and end, approval and settlement. Its sentences are those of `sluice movements show`.
// Pure: data in, HTML out.
import { outcomeText } from '../../core/contract/outcome-names.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { counted } from '../../core/printable.ts'
import type { Fact } from '../../operations/movements/facts.ts'
import type { ServiceWait } from '../../operations/movements/service-wait.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { sentenceOf } from '../movements/sentences.ts'
import { dayOf } from '../movements/telling.ts'
import { prose, readable, sentence } from '../runs/figures.ts'
import { approvalText, triggerText } from '../runs/report-sentences.ts'
import { html, type Markup } from './markup.ts'
import { grouped, lasted, moment, rate } from './shown-figures.ts'

export type Tone = 'good' | 'plain' | 'wait' | 'bad'

export interface Happening {
  /** ISO-8601. Absent where the records lack the time. It is then shown behind the event before it. */
  readonly at?: string | undefined
  /** The run, or the key of a leg. */
  readonly of: string
  readonly what: string
  readonly text: string
  readonly look: Tone
}

/** The facts of one intent, under the key that the run gives to its leg. */
export interface LegCourse {
  readonly key: string
  readonly intentId: string
  readonly kind: 'convert' | 'withdraw'
  readonly state: string
  readonly createdAt: string
  readonly facts: readonly Fact[]
  /** Present while it waits for its end at the service. */
  readonly waits?: ServiceWait
}

const WORDS: Readonly<Record<Fact['fact'], readonly [what: string, look: Tone]>> = {
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

/** The last read of a movement that the service has accepted and not completed. */
const STILL_MOVING = ['on its way', 'wait'] as const

export function happeningsOfIntent({ key, intentId, kind, state, createdAt, facts }: LegCourse): Happening[] {
  const isConversion = kind === 'convert'
  const context = {
    intentId,
    day: dayOf(createdAt),
    noun: isConversion ? 'conversion' : 'withdrawal',
    movement: isConversion ? 'order' : 'withdrawal',
    isOpen: state === 'ARMED',
  } as const
  return facts.map((fact) => {
    const [what, look] = isStillMoving(fact) ? STILL_MOVING : WORDS[fact.fact]
    return {
      at: 'at' in fact ? fact.at : undefined,
      of: key,
      what,
      text: prose(sentenceOf(figuresGrouped(fact), context)),
      look,
    }
  })
}

function isStillMoving(fact: Fact): boolean {
  return fact.fact === 'settled' && fact.outcome === 'PROCESSING'
}

const AMOUNTS = new Set(['baseAmount', 'quoteAmount', 'amount', 'fee', 'total'])

/** The same fact with its digits in groups of three. */
function figuresGrouped<Facts extends object>(fact: Facts): Facts {
  const entries = Object.entries(fact).map(([name, value]: [string, unknown]) => {
    if (name === 'terms' && typeof value === 'object' && value !== null) return [name, figuresGrouped(value)]
    if (typeof value !== 'string') return [name, value]
    if (name === 'rate') return [name, grouped(rate(value))]
    return [name, AMOUNTS.has(name) ? grouped(readable(value)) : value]
  })
  return Object.fromEntries(entries)
}

export function coursesOf({ legs }: RunReport, courses: readonly Omit<LegCourse, 'key'>[]): LegCourse[] {
  const keyOf = new Map(legs.map(({ leg, intentId }) => [intentId, leg.key]))
  return courses.map((course) => ({ ...course, key: keyOf.get(course.intentId) ?? course.intentId }))
}

export function happeningsOfRun(report: RunReport, legs: readonly LegCourse[]): Happening[] {
  const { startedAt, endedAt, plan, approval, outcome, why } = report
  const of = 'run'
  const own: Happening[] = [
    { at: startedAt, of, what: 'started', text: `The run was started${triggerText(report.trigger)}.`, look: 'plain' },
    ...(plan === undefined
      ? []
      : [{ at: plan.takenAt, of, what: 'planned', text: planText(plan), look: 'plain' as const }]),
    ...(approval === undefined
      ? []
      : [
          {
            at: approval.at,
            of,
            what: 'approval',
            text: sentence(approvalText(approval)),
            look: approvalLook(approval),
          },
        ]),
  ]
  const end: Happening[] =
    endedAt === undefined
      ? []
      : [
          {
            at: endedAt,
            of,
            what: 'ended',
            text: sentence(`The run ended: ${outcomeText(outcome)}; ${why ?? outcomeWords(outcome).says}`),
            look: outcomeWords(outcome).look,
          },
        ]
  return [...inOrder([own, ...legs.map(happeningsOfIntent), ...report.legs.map(fillsOf)]), ...end]
}

/** Maximum fills of a leg in a timeline, besides the last. A conversion may have 500. */
const FILLS_A_LEG = 5

function fillsOf({ leg, conversion }: RunReport['legs'][number]): Happening[] {
  const fills = conversion?.fills ?? []
  const on = leg.kind === 'convert' ? ` on ${leg.market}` : ''
  const shown = fills.filter((_, index) => index < FILLS_A_LEG || index === fills.length - 1)
  return shown.map(({ executedAt: at, baseAmount, quoteAmount, sequence }, index) => {
    const isLast = index === FILLS_A_LEG
    const text = `Fill ${sequence}${isLast ? `, the last of ${fills.length}` : ''}: ${grouped(readable(baseAmount))} for ${grouped(readable(quoteAmount))}${on}.`
    return { at, of: leg.key, what: 'fill', text, look: 'good' }
  })
}

function planText({ legs, nonLegs }: NonNullable<RunReport['plan']>): string {
  const left = nonLegs.length === 0 ? '' : `, and says for ${nonLegs.length} more why nothing is done`
  return `Balances and prices were taken; the plan has ${counted(legs.length, 'leg')}${left}.`
}

function approvalLook({ decision }: NonNullable<RunReport['approval']>): Tone {
  return decision === undefined ? 'wait' : decision === 'approved' ? 'good' : 'plain'
}

/** Sorts by time. The order within each list stays, and an entry without a time stays behind its predecessor. */
function inOrder(lists: readonly (readonly Happening[])[]): Happening[] {
  const timed = lists.flatMap((list) => {
    let lastMs = Number.NEGATIVE_INFINITY
    return list.map((happening) => {
      const ms = Date.parse(happening.at ?? '')
      // The clocks of the service and of this machine differ, but the order within a list is certain.
      lastMs = Number.isNaN(ms) ? lastMs : Math.max(lastMs, ms)
      return { happening, atMs: lastMs }
    })
  })
  return timed.sort((one, other) => one.atMs - other.atMs).map(({ happening }) => happening)
}

/** Maximum lines shown. A run of 200 legs has thousands. */
const MOST_LINES = 400

export function timeline(happenings: readonly Happening[]): Markup {
  const shown = happenings.slice(0, MOST_LINES)
  const times = timesOf(shown)
  const startMs = times.find((atMs) => atMs !== undefined) ?? Number.NaN
  const more = happenings.length - shown.length
  return html`<ol class="timeline">
${shown.map(
  (
    { at, of, what, text, look },
    index,
  ) => html`<li class="${look}"><span class="when">${moment(at)}${offset(times[index], startMs)}</span>
<span class="of">${of}</span> <span class="what">${what}</span> <span class="said">${text}</span></li>
`,
)}</ol>
${more > 0 && html`<p class="dim">and ${more} more. The page of each leg shows its own.</p>`}`
}

/**
 * The time of each entry in ms, never before the entry ahead of it. A signature's time has whole seconds, and the clocks of
 * the service and of this machine differ. Undefined where the records lack the time.
 */
export function timesOf(happenings: readonly Happening[]): (number | undefined)[] {
  let lastMs = Number.NEGATIVE_INFINITY
  return happenings.map(({ at }) => {
    const ms = Date.parse(at ?? '')
    if (Number.isNaN(ms)) return undefined
    lastMs = Math.max(lastMs, ms)
    return lastMs
  })
}

function offset(atMs: number | undefined, startMs: number): Markup | undefined {
  const ms = (atMs ?? Number.NaN) - startMs
  return Number.isNaN(ms) || ms <= 0 ? undefined : html` <span class="dim">+${lasted(ms)}</span>`
}

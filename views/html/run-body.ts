// Builds the body of a run's page, in the console and in the file that `sluice runs report` writes. It has the run's
// outcome, its state machine with the path taken, its timeline, its legs as planned and as executed, and totals. Pure.

import { executionEndText } from '../../core/contract/code-names.ts'
import { IntentState } from '../../core/contract/records.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { counted } from '../../core/printable.ts'
import type { MachineCourse, RunCourse } from '../../operations/runs/run.ts'
import { lookOfLeg, outcomeWords, whyNow } from '../../operations/words/outcome-words.ts'
import { type LegFacts, legFactsOf, type Money } from '../runs/leg-facts.ts'
import { approvalText, strandedTexts, tieOutText, triggerText } from '../runs/report-sentences.ts'
import { facts, none, section, table } from './html-table.ts'
import { machineDrawing } from './machine-drawing.ts'
import { html, type Markup, type Part } from './markup.ts'
import { copyable, movementBadge, runBadge, waitingRunBadge } from './outcome-badge.ts'
import { chartAndPositions, notDone, POLICY_ASSETS, totalsOf, totalValueOf, waysOf } from './plan-tables.ts'
import { coursesOf, type Happening, happeningsOfRun, type LegCourse, timeline, timesOf } from './run-timeline.ts'
import { lasted, moment, said } from './shown-figures.ts'

/** Left and right margin, in percent of the width. */
const EDGE = 3

/** In pixels, like the position of the axis. */
const HEIGHT = 44

const AXIS = 30

/** In percent of the width. Of closer marks only the first gets its number, so that numbers stay apart even at 400 px. */
const NUMBER_ROOM = 6

/** A longer timeline draws its first marks only. */
const MOST_MARKS = 400

export type ShownRun = Pick<RunCourse, 'report' | 'waitsUntil'> & {
  readonly legs: readonly Omit<LegCourse, 'key'>[]
  readonly machine?: MachineCourse
}

/** A saved page has no links, because the console's paths lead nowhere from a file, and nothing in it is live. */
export type Place = 'console' | 'file'

/** The happenings of the timeline, in its order. */
export function happeningsOf({ report, legs }: ShownRun): readonly Happening[] {
  return happeningsOfRun(report, coursesOf(report, legs))
}

/** `steps`: what a person can do about the run, where the page can do it. */
export function runBody(run: ShownRun, place: Place, steps: Part = false): Markup {
  const { report, machine, legs } = run
  const { plan } = report
  const rows = legFactsOf(report)
  const ways = plan && waysOf(plan)
  const unread = report.legs.length - legs.length
  const happenings = happeningsOf(run)
  const part = (id: string, title: string, body: Part) => section(id, title, body, { isLive: place === 'console' })
  const names = place === 'console' ? linksOf(coursesOf(report, legs)) : undefined
  return html`${part('outcome', 'Outcome', outcomeOf(run, place, steps))}
${part('legs', 'Legs', rows.length === 0 ? none('There are no legs.') : legTable(rows, plan?.valuationAsset ?? 'the valuation asset', names))}
${part('totals', 'Totals', totalsOf(report, rows))}
${plan !== undefined && part('weights', 'Before and after, as planned', chartAndPositions(plan, 'before and after'))}
${part('timeline', 'What happened when', html`${timelineChart(happenings)}${timeline(happenings)}${unread > 0 && none(`The attempts of ${counted(unread, 'leg')} are not shown here.`)}`)}
${ways !== undefined && part('ways', 'By which ways', ways)}
${part('left-out', 'What was not done, and why', plan === undefined ? none('There was no plan.') : notDone(plan))}
${machine !== undefined && part('machine', `State machine ${machine.name}`, machineOf(machine))}`
}

/** Draws a mark for each happening with a valid time. The number of a mark is the happening's place in the list. */
function timelineChart(happenings: readonly Happening[]): Markup {
  const times = timesOf(happenings)
  const timed = happenings
    .flatMap(({ of, what, look }, index) => {
      const atMs = times[index]
      return atMs === undefined ? [] : [{ atMs, look, number: index + 1, text: `${of}: ${what}` }]
    })
    .slice(0, MOST_MARKS)
  const [first] = timed
  if (first === undefined) return html`<p class="dim">Nothing of this run has a time.</p>`
  const span = Math.max(1, (timed.at(-1) ?? first).atMs - first.atMs)
  let numberedTo = Number.NEGATIVE_INFINITY
  const marks = timed.map(({ atMs, look, number, text }) => {
    const x = EDGE + ((atMs - first.atMs) / span) * (100 - 2 * EDGE)
    const isNumbered = x - numberedTo >= NUMBER_ROOM
    if (isNumbered) numberedTo = x
    return html`<circle class="${look}" cx="${x.toFixed(1)}%" cy="${AXIS}" r="5"><title>${number}. ${text}</title></circle>
${isNumbered && html`<text class="figure" x="${x.toFixed(1)}%" y="${AXIS - 12}" text-anchor="middle">${number}</text>`}`
  })
  return html`<svg class="chart" height="${HEIGHT}" role="img" aria-label="what happened when">
<line class="axis" x1="${EDGE}%" y1="${AXIS}" x2="${100 - EDGE}%" y2="${AXIS}"/>
${marks}</svg>`
}

function outcomeOf({ report, legs, waitsUntil }: ShownRun, place: Place, steps: Part): Markup {
  const { outcome, policy, kind, startedAt, endedAt, approval, plan, runId } = report
  const { says } = outcomeWords(outcome, approval?.decision)
  const why = whyNow(report, approval?.decision)
  const tookMs = endedAt === undefined ? Number.NaN : Date.parse(endedAt) - Date.parse(startedAt)
  return html`<p class="outcome">${waitBadge(report, legs) ?? html`${runBadge(outcome, approval?.decision)} ${says}.`}</p>
<p class="${tieOutLook(report)}">${tieOutText(report)}</p>
${steps}
${facts([
  ['run', copyable(runId)],
  ['policy', place === 'console' ? html`<a href="/policies/${policy}">${policy}</a> (${kind})` : `${policy} (${kind})`],
  ['started', html`${moment(startedAt)}${triggerText(report.trigger)}`],
  ['ended', endedAt === undefined ? 'not yet' : html`${moment(endedAt)}, after ${lasted(tookMs)}`],
  ['waits for its policy until', moment(waitsUntil)],
  ['why', why && said(why)],
  ['approval', approval && said(approvalText(approval))],
  ['plan hash', approval && html`<code>${approval.planHash}</code>`],
  [POLICY_ASSETS, plan && totalValueOf(plan)],
])}${strandedTexts(report).map((text) => html`<p>${said(text)}</p>`)}`
}

/** Undefined unless every leg is sent, and some wait for their end at the service. */
function waitBadge({ outcome, legs: planned }: RunReport, legs: ShownRun['legs']): Markup | undefined {
  const waits = legs.flatMap((leg) => leg.waits ?? [])
  // The page reads the first legs of a long run. It cannot say of the others that they are sent.
  const isAllSent =
    legs.length >= planned.length &&
    legs.every(({ state }) => state !== IntentState.Ready && state !== IntentState.Armed)
  if (outcome !== 'RUNNING' || waits.length === 0 || !isAllSent) return undefined
  return waitingRunBadge(waits.some(({ isBank }) => isBank))
}

function tieOutLook({ tiesOut }: RunReport): string {
  if (tiesOut === undefined) return 'dim'
  return tiesOut ? 'good' : 'bad'
}

export function machineOf({ name, definition, history }: MachineCourse): Markup {
  const path = history && { status: history.status, steps: history.steps }
  const drawing = definition === undefined ? undefined : machineDrawing(name, definition, path)
  const entered = (history?.steps ?? []).filter(({ did }) => did === 'entered')
  return html`${drawing ?? none('The definition cannot be read here: the drawing needs a running serve, or --aws.')}
${
  history === undefined
    ? none('The history of its execution is not kept.')
    : html`<details><summary>${counted(entered.length, 'state')} entered; the execution ${executionEndText(history.status)}</summary>
<ol class="path">${entered.slice(0, MOST_STATES).map(({ state, at }) => html`<li><code>${state}</code> ${moment(at)}</li>`)}</ol></details>`
}`
}

/** Maximum states in the list of the path. */
const MOST_STATES = 500

/** Links a leg whose intent exists to the intent's page. */
function linksOf(courses: readonly LegCourse[]): (leg: LegFacts) => Part {
  const known = new Set(courses.map(({ key }) => key))
  return ({ key, ids }) => {
    const id = ids.find(([name]) => name === 'intent')?.[1]
    return known.has(key) && id !== undefined ? html`<a href="/intents/${id}">${key}</a>` : key
  }
}

/** `nameOf` gives the content of a leg's first cell, for example a link. By default it is the leg's key. */
function legTable(
  legs: readonly LegFacts[],
  valuationAsset: string,
  nameOf: (leg: LegFacts) => Part = ({ key }) => key,
): Markup {
  const all = [
    { title: 'leg', text: nameOf, isHead: true },
    { title: 'outcome', text: ({ outcome }: LegFacts) => movementBadge(outcome) },
    { title: 'gives', text: ({ gives }: LegFacts) => gives.amount, isAmount: true },
    { title: 'asset', text: ({ gives }: LegFacts) => gives.asset, isUnit: true },
    { title: 'brings', text: ({ brings }: LegFacts) => brings?.amount ?? '', isAmount: true },
    { title: 'asset', text: ({ brings }: LegFacts) => brings?.asset ?? '', isUnit: true },
    { title: 'planned rate', text: ({ indicativeRate }: LegFacts) => indicativeRate, isAmount: true },
    { title: 'actual rate', text: ({ filledRate }: LegFacts) => filledRate, isAmount: true },
    { title: 'worse by bps', text: ({ slippageBps }: LegFacts) => slippageBps, isAmount: true },
    {
      title: `spread planned, ${valuationAsset}`,
      text: ({ spreadCost }: LegFacts) => spreadCost,
      isAmount: true,
      by: 'cents' as const,
    },
    { title: 'paid', text: ({ spreadPaid }: LegFacts) => spreadPaid, isAmount: true, by: 'cents' as const },
    { title: 'fee planned', text: ({ fee }: LegFacts) => amountOf(fee), isAmount: true },
    { title: 'fee paid', text: ({ feePaid }: LegFacts) => amountOf(feePaid), isAmount: true },
  ]
  // A sweep has no rates, and a rebalance no fees.
  const cells = all.filter(({ text, isAmount }) => isAmount !== true || legs.some((leg) => text(leg) !== ''))
  return table('Legs, as planned and as they went', cells, legs, belowOf)
}

function belowOf({ what, why, note, outcome, attemptCount, ids }: LegFacts): Markup {
  return html`<p>${said(what)}. <span class="dim">${said(why)}</span></p>
${attemptCount > 1 && html`<p class="wait">${attemptCount} attempts; at most one of them moved money.</p>`}
${note !== '' && html`<p class="${lookOfLeg(outcome)}">${said(note)}</p>`}
<p class="ids">${ids.map(([name, id]) => html`<span><span class="dim">${name}</span> <code>${id}</code></span> `)}</p>`
}

function amountOf(money: Money | undefined): string {
  return money?.amount ?? ''
}

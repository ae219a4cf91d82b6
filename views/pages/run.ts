// The page of a run: its state machine with the path taken, its timeline, its legs as planned and as executed, and totals.
// Also the page of one intent. Pure.

import { counted } from '../../core/counted.ts'
import { MOST_LEGS_READ } from '../../operations/movements/intent-course.ts'
import type { IntentPage, MachineCourse, RunCourse } from '../../operations/runs/run.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { badge, facts, none } from '../html/html-table.ts'
import { legTable } from '../html/leg-table.ts'
import { machineDrawing } from '../html/machine-drawing.ts'
import { html, type Markup, type Part } from '../html/markup.ts'
import { notDone, totalsOf, valueText, waysOf, weightsAndPositions } from '../html/plan-tables.ts'
import { coursesOf, happeningsOfIntent, happeningsOfRun, type LegCourse, timeline } from '../html/run-timeline.ts'
import { lasted, moment } from '../html/shown-figures.ts'
import { prose, sentence } from '../runs/figures.ts'
import { type LegFacts, legFactsOf } from '../runs/leg-facts.ts'
import { approvalText, strandedTexts, tieOutText, triggerText } from '../runs/report-sentences.ts'
import { page, section } from './layout.ts'

export function runPage(course: RunCourse): string {
  const { report, machine, legs } = course
  const { runId, outcome, plan } = report
  const rows = legFactsOf(report)
  const ways = plan && waysOf(plan)
  const courses = coursesOf(report, legs)
  const left = report.legs.length - Math.min(report.legs.length, MOST_LEGS_READ)
  return page({
    title: `Run ${runId}`,
    under: '/',
    topic: `run:${runId}`,
    everywhere: course,
    body: html`${section('outcome', 'Outcome', outcomeOf(course))}
${section('machine', `State machine ${machine.name}`, machineOf(machine))}
${section('legs', 'Legs', rows.length === 0 ? none('There are no legs.') : legTable(rows, plan?.valuationAsset ?? 'the valuation asset', namesOf(courses)))}
${section('totals', 'Totals', totalsOf(report, rows))}
${section('timeline', 'What happened when', html`${timeline(happeningsOfRun(report, courses))}${left > 0 && none(`The other ${left} legs are only in the table.`)}`)}
${plan !== undefined && section('weights', 'Before and after', weightsAndPositions(plan, 'before and after'))}
${ways !== undefined && section('ways', 'By which ways', ways)}
${plan !== undefined && section('left-out', 'What was not done, and why', notDone(plan))}
${outcome !== 'RUNNING' && html`<p class="dim"><code>sluice runs report ${runId}</code> writes this run as one file.</p>`}`,
  })
}

function outcomeOf({ report, waitsUntil }: RunCourse): Markup {
  const { outcome, policy, kind, startedAt, endedAt, why, approval, plan, runId } = report
  const { says, look } = outcomeWords(outcome)
  const tookMs = endedAt === undefined ? Number.NaN : Date.parse(endedAt) - Date.parse(startedAt)
  return html`<p class="outcome">${badge(outcome, look)} ${says}.</p>
${outcome === 'AWAITING_APPROVAL' && html`<p><a class="button" href="/runs/${runId}/decide">Look at the plan, and decide…</a></p>`}
${outcome === 'NEEDS_ATTENTION' && html`<p><a class="button" href="/attention">See what is in doubt…</a></p>`}
${facts([
  ['policy', html`<a href="/policies/${policy}">${policy}</a> (${kind})`],
  ['started', html`${moment(startedAt)}${triggerText(report.trigger)}`],
  ['ended', endedAt === undefined ? 'not yet' : html`${moment(endedAt)}, after ${lasted(tookMs)}`],
  ['waits for its policy until', moment(waitsUntil)],
  ['why', why && prose(why)],
  ['approval', approval && prose(approvalText(approval))],
  ['plan hash', approval && html`<code>${approval.planHash}</code>`],
  ['total value', plan && valueText(plan)],
  ['tie-out', html`<span class="${report.tiesOut === false && 'bad'}">${tieOutText(report)}</span>`],
])}${strandedTexts(report).map((text) => html`<p>${prose(text)}</p>`)}`
}

function machineOf({ name, definition, history }: MachineCourse): Markup {
  const path = history && { status: history.status, steps: history.steps }
  const drawing = definition === undefined ? undefined : machineDrawing(name, definition, path)
  const entered = (history?.steps ?? []).filter(({ did }) => did === 'entered')
  return html`${drawing ?? none('The definition cannot be read here: the drawing needs a running serve, or --aws.')}
${
  history === undefined
    ? none('The history of its execution is not kept.')
    : html`<details><summary>${counted(entered.length, 'state')} entered, execution ${history.status}</summary>
<ol class="path">${entered.slice(0, MOST_STATES).map(({ state, at }) => html`<li><code>${state}</code> ${moment(at)}</li>`)}</ol></details>`
}`
}

/** Maximum states in the list of the path. */
const MOST_STATES = 500

/** Links a leg whose intent exists to the intent's page. */
function namesOf(courses: readonly LegCourse[]): (leg: LegFacts) => Part {
  const known = new Set(courses.map(({ key }) => key))
  return ({ key, ids }) => {
    const id = ids.find(([name]) => name === 'intent')?.[1]
    return known.has(key) && id !== undefined ? html`<a href="/intents/${id}">${key}</a>` : key
  }
}

export function intentPage(shownPage: IntentPage): string {
  const { intent, machine } = shownPage
  const { intentId, kind, state, outcome, asked, run, movementId, attention, unread, createdAt } = intent
  const look = attention === undefined ? (state === 'DONE' ? 'good' : 'plain') : 'bad'
  return page({
    title: `${kind === 'convert' ? 'Conversion' : 'Withdrawal'} ${intentId}`,
    under: '/movements',
    topic: `intent:${intentId}`,
    everywhere: shownPage,
    body: html`${section(
      'outcome',
      'As it stands',
      html`<p class="outcome">${badge(outcome ?? state, look)} ${prose(asked)}.</p>
${attention !== undefined && html`<p class="bad">${sentence(attention.why)} <a href="/attention#case-${intentId}">See the choices…</a></p>`}
${facts([
  ['state', state],
  ['asked for', moment(createdAt)],
  ['movement', movementId && html`<code>${movementId}</code>`],
  ['run', run && html`<a href="/runs/${run}">${run}</a>`],
])}${unread !== undefined && none(unread)}`,
    )}
${section('machine', `State machine ${machine.name}`, machineOf(machine))}
${section('timeline', 'What happened when', timeline(happeningsOfIntent({ ...intent, key: kind })))}`,
  })
}

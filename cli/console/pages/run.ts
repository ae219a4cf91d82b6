// The page of a run: its state machine with the path taken, what happened when, its legs as planned and as they went, and
// totals. And the page of one intent. Pure.
import type { RunReport } from '../../../core/contract/runs.ts'
import { legLook, outcomeWords } from '../../narration/outcome-words.ts'
import { weightsChart } from '../../report/charts.ts'
import { change, shown } from '../../report/figures.ts'
import { type LegFacts, legFactsOf, type Money } from '../../report/leg-facts.ts'
import { html, type Markup, type Part } from '../../report/markup.ts'
import { approvalText, strandedTexts, tieOutText, triggerText } from '../../report/report-sentences.ts'
import { costColumns, costRows } from '../../report/report-tables.ts'
import { MOST_LEGS_READ } from '../../show/intent-course.ts'
import { grouped, lasted, moment, rate } from '../parts/figures.ts'
import { machineDrawing } from '../parts/machine-drawing.ts'
import { happeningsOfIntent, happeningsOfRun, type Told, timeline } from '../parts/run-timeline.ts'
import { facts, scrolling, table } from '../parts/table.ts'
import type { IntentPage, MachineCourse, RunCourse } from '../reading/run.ts'
import { badge, none, page, section } from './layout.ts'
import { positionCells, valueText } from './overview.ts'

export function runPage(course: RunCourse): string {
  const { report, machine, legs } = course
  const { runId, outcome, plan } = report
  const rows = legFactsOf(report)
  const keyOf = new Map(report.legs.map(({ leg, intentId }) => [intentId, leg.key]))
  const told: Told[] = legs.map((leg) => ({ ...leg, key: keyOf.get(leg.intentId) ?? leg.intentId }))
  const left = report.legs.length - Math.min(report.legs.length, MOST_LEGS_READ)
  return page({
    title: `Run ${runId}`,
    under: '/',
    topic: `run:${runId}`,
    everywhere: course,
    body: html`${section('outcome', 'Outcome', outcomeOf(course))}
${section('machine', `State machine ${machine.name}`, machineOf(machine))}
${section('legs', 'Legs', rows.length === 0 ? none('There are none.') : legTable(rows, plan?.valuationAsset ?? 'the valuation asset', told))}
${section('totals', 'Totals', totalsOf(report, rows))}
${section('timeline', 'What happened when', html`${timeline(happeningsOfRun(report, told))}${left > 0 && none(`Of ${left} more legs only the table tells.`)}`)}
${plan !== undefined && section('weights', 'Before and after', html`${scrolling('Weights', weightsChart(plan))}${table('Positions', positionCells(plan.valuationAsset), plan.positions)}`)}
${plan !== undefined && section('left-out', 'What was not done, and why', notDone(plan))}
${outcome !== 'RUNNING' && none('sluice report writes this run as one file.')}`,
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
  ['why', why],
  ['approval', approval && approvalText(approval)],
  ['plan hash', approval && html`<code>${approval.planHash}</code>`],
  ['total value', plan && valueText(plan)],
  ['tie-out', html`<span class="${report.tiesOut === false && 'bad'}">${tieOutText(report)}</span>`],
])}${strandedTexts(report).map((text) => html`<p>${text}</p>`)}`
}

function machineOf({ name, definition, history }: MachineCourse): Markup {
  const path = history && { status: history.status, steps: history.steps }
  const drawing = definition === undefined ? undefined : machineDrawing(name, definition, path)
  const entered = (history?.steps ?? []).filter(({ did }) => did === 'entered')
  return html`${drawing ?? none('Nobody who has the definition answers: it is drawn where a serve runs, and with --aws.')}
${
  history === undefined
    ? none('The history of its execution is not kept.')
    : html`<details><summary>${entered.length} states entered, execution ${history.status}</summary>
<ol class="path">${entered.slice(0, MOST_STATES).map(({ state, at }) => html`<li><code>${state}</code> ${moment(at)}</li>`)}</ol></details>`
}`
}

const MOST_STATES = 500

function legTable(rows: readonly LegFacts[], valuationAsset: string, told: readonly Told[]): Markup {
  const known = new Set(told.map(({ key }) => key))
  const linked = ({ key, ids }: LegFacts) => {
    const id = ids.find(([name]) => name === 'intent')?.[1]
    return known.has(key) && id !== undefined ? html`<a href="/intents/${id}">${key}</a>` : key
  }
  const all = [
    { title: 'leg', text: linked, isHead: true },
    { title: 'outcome', text: ({ outcome }: LegFacts) => badge(outcome, legLook(outcome)) },
    { title: 'gives', text: ({ gives }: LegFacts) => gives.amount, isAmount: true },
    { title: 'asset', text: ({ gives }: LegFacts) => gives.asset },
    { title: 'brings', text: ({ brings }: LegFacts) => brings?.amount ?? '', isAmount: true },
    { title: 'asset', text: ({ brings }: LegFacts) => brings?.asset ?? '' },
    { title: 'planned rate', text: ({ indicativeRate }: LegFacts) => rate(indicativeRate), isAmount: true },
    { title: 'actual rate', text: ({ filledRate }: LegFacts) => rate(filledRate), isAmount: true },
    { title: 'worse by bps', text: ({ slippageBps }: LegFacts) => slippageBps, isAmount: true },
    { title: `spread, ${valuationAsset}`, text: ({ spreadCost }: LegFacts) => shown(spreadCost), isAmount: true },
    { title: 'fee planned', text: ({ fee }: LegFacts) => amountOf(fee), isAmount: true },
    { title: 'fee paid', text: ({ feePaid }: LegFacts) => amountOf(feePaid), isAmount: true },
  ]
  // A sweep has no rates, and a rebalance no fees.
  const cells = all.filter(({ text, isAmount }) => isAmount !== true || rows.some((row) => text(row) !== ''))
  return table(
    'Legs, as planned and as they went',
    cells,
    rows,
    ({ what, why, note, outcome, ids }) => html`<p>${what}. <span class="dim">${why}</span></p>
${note !== '' && html`<p class="${legLook(outcome)}">${note}</p>`}
<p class="ids">${ids.map(([name, id]) => html`<span><span class="dim">${name}</span> <code>${id}</code></span> `)}</p>`,
  )
}

function amountOf(money: Money | undefined): string {
  return money?.amount ?? ''
}

function totalsOf({ plan, totalValueAfter }: RunReport, rows: readonly LegFacts[]): Markup {
  const costs = costRows(rows, plan)
  const unit = plan?.valuationAsset ?? ''
  return html`${facts([
    ['turnover of the plan', plan && `${grouped(shown(plan.turnover))} ${unit}`],
    ['total value before', plan && `${grouped(shown(plan.totalValue))} ${unit}`],
    ['total value after', totalValueAfter && `${grouped(shown(totalValueAfter))} ${unit}`],
    [
      'change, prices and costs together',
      totalValueAfter && plan && `${grouped(change(plan.totalValue, totalValueAfter))} ${unit}`,
    ],
  ])}${
    costs.length === 0
      ? none('There are no costs.')
      : table(
          'Costs',
          costColumns.map(({ title, text, isAmount = false }) => ({ title, text, isAmount })),
          costs,
        )
  }`
}

export function notDone({ nonLegs, guards }: NonNullable<RunReport['plan']>): Part {
  return html`${
    nonLegs.length === 0
      ? none('Nothing was left out.')
      : table(
          'What was not done',
          [
            { title: 'asset', text: ({ asset }) => asset, isHead: true },
            { title: 'code', text: ({ code }) => html`<code>${code}</code>` },
            { title: 'why not', text: ({ reason }) => reason },
          ],
          nonLegs,
        )
  }${
    guards.length > 0 &&
    table(
      'What the guards say',
      [
        { title: 'guard', text: ({ guard }) => html`<code>${guard}</code>`, isHead: true },
        { title: 'of', text: ({ leg }) => leg ?? 'the run' },
        { title: 'says', text: ({ says }) => says },
      ],
      guards,
    )
  }`
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
      html`<p class="outcome">${badge(outcome ?? state, look)} ${asked}.</p>
${attention !== undefined && html`<p class="bad">${attention.why}. <a href="/attention#case-${intentId}">See the choices…</a></p>`}
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

// Builds the page on which a person approves or rejects a plan. The page shows first whether the plan still holds, then
// before and after, each leg with its reason, and each payee. The decision carries the hash of the shown plan. Pure.

import type { PayeeFacts } from '../../core/contract/payee.ts'
import type { Plan } from '../../core/contract/plan.ts'
import { payeeKindText } from '../../core/contract/service-names.ts'
import type { RunCourse } from '../../operations/runs/run.ts'
import { haltOf } from '../../operations/words/halt-words.ts'
import { NOT_COMPARED, NOT_LOOKED, outcomeWords } from '../../operations/words/outcome-words.ts'
import { runName } from '../../operations/words/run-name.ts'
import type { Spell } from '../../place/next-step.ts'
import { facts, none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { runLink } from '../html/outcome-badge.ts'
import { chartAndPositions, notDone, POLICY_ASSETS, totalValueOf, waysOf } from '../html/plan-tables.ts'
import { figure, moment, said } from '../html/shown-figures.ts'
import { legFactsOf } from '../runs/leg-facts.ts'
import { approvalText } from '../runs/report-sentences.ts'
import type { ActEnd } from './acted.ts'
import { type FormSeal, form, reasonFields } from './forms.ts'
import { page } from './layout.ts'
import { haltNote } from './movement-decision.ts'
import { nextStep } from './next-step.ts'
import { runSteps } from './run-steps.ts'

/** Whether a person may approve a plan now. Nothing was recorded. */
export type PlanCheck = ActEnd | { readonly ended: 'may approve'; readonly notes: readonly string[] }

/** `check`: whether this person may approve the plan now, or why not. */
export function decidePage(course: RunCourse, check: PlanCheck, seal: FormSeal, spell: Spell): string {
  const { report } = course
  const { plan, approval, policy } = report
  const { waitEnded } = course
  // A plan that nobody approved in time may still be rejected.
  const mayDecide = report.outcome === 'AWAITING_APPROVAL' && (waitEnded === undefined || isUnheard(course))
  return page({
    title: `Plan of ${runName(report)}`,
    under: '/queue',
    everywhere: course,
    body: html`<p>Policy <a href="/policies/${policy}">${policy}</a>, run ${runLink(report)}.</p>
${section('holds', 'Does the plan still hold?', html`${holdsOf(check, course, seal, spell)}${mayDecide && waitEnded === undefined && seal.isNamed && checkAs(course, seal)}${waitEnded !== undefined && runSteps(course, seal)}`, { isLive: false })}
${plan !== undefined && planParts(plan)}
${
  mayDecide &&
  section(
    'decision',
    'Decide',
    html`<p>The decision is on the plan with the hash <code>${approval?.planHash}</code>, until ${moment(approval?.expiresAt)}. It is
checked once more before anything is written, and the run checks again before it moves anything. ${haltNote(haltOf(course.halts, policy), approval?.expiresAt)} So far:
${approval === undefined ? 'it waits' : said(approvalText(approval))}.</p>
<div class="choices">${check.ended === 'may approve' && choiceOf('approve', course, seal)}${choiceOf('reject', course, seal)}</div>`,
    { isLive: false },
  )
}`,
  })
}

/** Whether its time is over, and nobody decided. */
function isUnheard({ waitEnded, report }: RunCourse): boolean {
  return waitEnded === 'expired' && report.approval?.decision === undefined
}

/** The policy says whose approval counts, and the person at this page may be another. So the name can be changed. */
function checkAs({ report: { runId } }: RunCourse, { by }: FormSeal): Markup {
  return html`<form action="/runs/${runId}/decide" class="filters"><p class="field"><label for="as">Checked for</label>
<input id="as" name="by" value="${by}" maxlength="100" autocomplete="off" required></p><button>Check again</button></form>`
}

function choiceOf(verb: 'approve' | 'reject', { report: { runId, approval } }: RunCourse, seal: FormSeal): Markup {
  const isYes = verb === 'approve'
  return html`<div class="card"><h3>${isYes ? 'Approve' : 'Reject'}</h3>
<p>${isYes ? approvingText(approval) : 'The run ends for good, and moves nothing.'}</p>
${form(seal, {
  action: `/runs/${runId}/${verb}`,
  hidden: { planHash: approval?.planHash ?? '' },
  fields: reasonFields(seal, verb),
  button: isYes ? 'Approve this plan' : 'Reject this plan',
  look: isYes ? 'good' : 'bad',
})}</div>`
}

function approvingText(approval: RunCourse['report']['approval']): string {
  const { approvals = [], needed = 1 } = approval ?? {}
  return needed - approvals.length > 1
    ? `It counts as one of ${needed} approvals. The run continues once another person has approved it too.`
    : 'The run continues, and moves money as planned.'
}

function holdsOf(
  check: PlanCheck,
  { report: { outcome, approval } }: RunCourse,
  { isNamed }: FormSeal,
  spell: Spell,
): Markup {
  const notes = check.notes.slice(0, MOST_NOTES)
  const noted = (list: string) => notes.length > 0 && html`<ul class="${list}">${notes.map(item)}</ul>`
  switch (check.ended) {
    case 'may approve':
      return html`${isNamed ? checkedText(notes) : ON_AWS}${noted('needs')}`
    case 'refused':
      return html`<p class="bad">${check.error.message}.</p>${noted('')}${nextStep(check.error.next, spell)}`
    default:
      // This person has approved it, and others have not yet.
      if (approval?.decision === undefined) return html`${noted('needs')}`
      return html`<p>It was decided before: ${said(approvalText(approval))}; ${outcomeWords(outcome, approval.decision).says}.</p>`
  }
}

function item(note: string): Markup {
  return html`<li class="wait">${said(note)}</li>`
}

/** Only if no note says that a check failed, or waits. */
function checkedText(notes: readonly string[]): Markup | false {
  return (
    !notes.some((note) => note.startsWith(NOT_LOOKED) || note.startsWith(NOT_COMPARED)) &&
    html`<p class="good">It was checked now, and it holds.</p>`
  )
}

/** On AWS, a person's page does not ask the service. */
const ON_AWS = html`<p>The run itself checks balances, contacts and prices before it moves anything: where one has changed, nothing moves.</p>`

const MOST_NOTES = 10

/** The parts that show a plan before it is executed. */
export function planParts(plan: Plan): Markup {
  const { valuationAsset, takenAt } = plan
  const legs = legFactsOf({ plan, legs: [] })
  const ways = waysOf(plan)
  const payees = plan.legs.flatMap((leg) => ('payee' in leg && leg.payee !== undefined ? [leg.payee] : []))
  return html`${section(
    'before-after',
    'Before and after',
    html`${facts([
      ['taken', moment(takenAt)],
      [POLICY_ASSETS, totalValueOf(plan)],
      ['turnover', html`${figure(plan.turnover, 'cents')} ${valuationAsset}`],
    ])}${chartAndPositions(plan, 'before and after')}`,
    { isLive: false },
  )}
${section(
  'plan-legs',
  'Legs, and why',
  legs.length === 0
    ? none('The plan has no legs.')
    : table(
        'Legs as planned',
        [
          { title: 'leg', text: ({ key }) => key, isHead: true },
          { title: 'phase', text: ({ phase }) => String(phase), isAmount: true },
          { title: 'gives', text: ({ gives }) => gives.amount, isAmount: true },
          { title: 'asset', text: ({ gives }) => gives.asset, isUnit: true },
          { title: 'brings', text: ({ brings }) => brings?.amount ?? '', isAmount: true },
          { title: 'asset', text: ({ brings }) => brings?.asset ?? '', isUnit: true },
          { title: 'rate', text: ({ indicativeRate }) => indicativeRate, isAmount: true },
          { title: `spread, ${valuationAsset}`, text: ({ spreadCost }) => spreadCost, isAmount: true, by: 'cents' },
          { title: 'fee', text: ({ fee }) => fee?.amount ?? '', isAmount: true },
        ],
        legs,
        ({ what, why }) => html`<p>${said(what)}. <span class="dim">${said(why)}</span></p>`,
      ),
  { isLive: false },
)}
${payees.length > 0 && section('payees', 'Who is paid', payeeTable(payees), { isLive: false })}
${ways !== undefined && section('ways', 'By which ways', ways, { isLive: false })}
${section('left-out', 'What is not done, and why', notDone(plan), { isLive: false })}`
}

function payeeTable(payees: readonly PayeeFacts[]): Markup {
  const once = [...new Map(payees.map((payee) => [payee.contactId, payee])).values()]
  return table(
    'Payees',
    [
      { title: 'alias', text: ({ alias }) => alias ?? html`<i>none</i>`, isHead: true },
      { title: 'reference', text: ({ reference }) => reference ?? 'none' },
      { title: 'type', text: ({ type }) => payeeKindText(type) },
      { title: 'network or bank', text: ({ networkId, bank }) => networkId ?? bank ?? 'none' },
      { title: 'asset', text: ({ assetSymbol }) => assetSymbol ?? 'any' },
      { title: 'last changed', text: ({ updatedAt }) => moment(updatedAt) },
      { title: 'contact', text: ({ contactId }) => html`<code>${contactId}</code>` },
    ],
    once,
  )
}

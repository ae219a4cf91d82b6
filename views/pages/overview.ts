// Builds the overview: what needs a person, sends whose effect is not known yet, what is under way, the account against
// its targets, budgets of today, policies, and last runs. Pure.

import type { WaitingRun } from '../../operations/cases/find-needs.ts'
import type { AccountNow, SentOnly } from '../../operations/overview/account.ts'
import type { BudgetRow } from '../../operations/overview/budgets.ts'
import type { Overview } from '../../operations/overview/overview.ts'
import { givenText } from '../../operations/words/approvals-text.ts'
import { dayAndMinute } from '../../operations/words/run-name.ts'
import type { Spell } from '../../place/next-step.ts'
import { badge, none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { caseBadge, copyable, movementBadge, readyBadge, runBadge, runLink } from '../html/outcome-badge.ts'
import { figure, moment, said } from '../html/shown-figures.ts'
import { waitEndedText } from '../runs/wait-words.ts'
import { countNeeds } from '../waiting.ts'
import { accountNow, needsNote, targetsNow } from './account.ts'
import { waitOf } from './intent-steps.ts'
import { page } from './layout.ts'
import { runTable } from './run-table.ts'

export interface OverviewPage extends Overview {
  readonly account: AccountNow
  readonly sent: readonly SentOnly[]
}

export function overviewPage(overview: OverviewPage, spell: Spell): string {
  const { account, needs, moving, underWay, budgets, turnovers, policies } = overview
  return page({
    title: 'Overview',
    under: '/',
    topic: 'overview',
    everywhere: overview,
    body: html`${section('needs', 'Needs a person', needsOf(overview, spell))}
${needs.doubts.length > 0 && section('doubts', 'Not known yet, and needs nobody', doubtList(needs.doubts))}
${section(
  'under-way',
  'Under way',
  html`${underWay.length + moving.length === 0 && none('The journal has no run under way, and no movement that waits to be sent or is in doubt.')}
${underWay.length > 0 && runTable('Runs under way', underWay)}${moving.length > 0 && movingTable(overview)}`,
)}
${section('account', 'The account now', accountNow(account, overview.sent, spell))}
${targetsNow(account)}
${section(
  'budgets',
  'Budgets and turnover of today',
  html`${budgets.length + turnovers.length === 0 && none('treasury.json bounds nothing by the day, and no policy has traded today.')}
${budgets.length > 0 && budgetTable(budgets)}${turnovers.length > 0 && turnoverTable(turnovers)}`,
)}
${section('policies', 'Policies', policies.length === 0 ? none('treasury.json has no policies. Whoever keeps that file can add one.') : policyTable(policies))}
${section('runs', 'Last runs', lastRuns(overview))}
${needs.cutOff.map((text) => none(spell(text)))}`,
  })
}

function needsOf({ account, needs }: OverviewPage, spell: Spell): Markup {
  const { found, stalled, inNeed, unopened, unbegun, approvals, movements, halts, left, unreadable } = needs
  const lines = [
    ...found.map(
      ({ intentId, kind, state, why }) =>
        html`<li class="bad">${caseBadge(state)} <a href="/attention#case-${intentId}">${kind} ${intentId}</a>: ${said(why)}</li>`,
    ),
    ...stalled.map(
      ({ intentId, kind, cause, asked = kind, why }) =>
        html`<li class="bad">${badge(cause, 'bad')} <a href="/${kind === 'run' ? 'runs' : 'intents'}/${intentId}">${said(asked)}</a> ${copyable(intentId)}: ${said(why)}</li>`,
    ),
    ...inNeed.map(({ why, ...run }) => html`<li class="bad">${badge('run', 'bad')} ${runLink(run)}: ${said(why)}</li>`),
    ...unopened.map(
      ({ intentId, kind, why }) =>
        html`<li class="bad">${badge('not begun', 'bad')} ${kind} ${intentId}: ${said(why)}</li>`,
    ),
    ...unbegun.map(
      ({ why, ...run }) => html`<li class="bad">${badge('not begun', 'bad')} ${runLink(run)}: ${said(why)}</li>`,
    ),
    ...halts.map(
      ({ scope, because, breaker }) =>
        html`<li class="bad">${badge(breaker ? 'breaker' : 'halt', 'bad')} <a href="/halt">${scope === '*' ? 'everything' : `policy ${scope}`}</a>: ${said(because)}</li>`,
    ),
    ...left.stranded.map(
      ({ policy, amount, asset, why }) =>
        html`<li class="bad">${badge('left behind', 'bad')} <a href="/attention#stranded">${figure(amount, 'digits')} ${asset}</a> of policy ${policy}: ${said(why)}</li>`,
    ),
    ...unreadable.map((text) => html`<li class="bad">${badge('unreadable', 'bad')} ${text}</li>`),
    ...approvals.map(({ expiresAt, waitEnded, against, worth, payees, approvedBy, needed, ...run }) =>
      waitEnded === undefined
        ? html`<li class="wait">${badge('approval', 'wait')} ${runLink(run, '/decide')}${worthText(worth)}${payeesText(payees)} ${givenText({ approvedBy, needed })}waits for a person until ${moment(expiresAt)}.</li>`
        : html`<li class="wait">${badge(waitEnded, 'wait')} ${runLink(run)} ${said(waitEndedText({ waitEnded, ...(against && { against }) }))}.</li>`,
    ),
    ...movements.map(
      ({ intentId, name, since, expiresAt, approvedBy, needed }) =>
        html`<li class="wait">${badge('approval', 'wait')} <a href="/intents/${intentId}">${said(name)}</a> ${copyable(intentId)} ${givenText({ approvedBy, needed })}waits for a person since ${moment(since)}, until ${moment(expiresAt)}.</li>`,
    ),
  ]
  return html`${needsNote(countNeeds(needs), account, spell)}${lines.length > 0 && html`<ul class="needs">${lines}</ul>`}`
}

/** Such as `, 11 319.2 USD of turnover`. */
function worthText(worth: WaitingRun['worth']): Markup | false {
  return worth !== undefined && html`, ${figure(worth.value, 'cents')} ${worth.asset} of turnover`
}

/** More payees are on the plan. */
const MOST_PAYEES = 3

function payeesText(payees: WaitingRun['payees']): string | false {
  if (payees.length === 0) return false
  const more = payees.length > MOST_PAYEES ? [`${payees.length - MOST_PAYEES} more`] : []
  return `, to ${[...payees.slice(0, MOST_PAYEES), ...more].join(', ')},`
}

function doubtList(doubts: Overview['needs']['doubts']): Markup {
  return html`<ul class="needs">${doubts.map(
    ({ intentId, asked, until, isOverdue }) =>
      html`<li class="wait">${badge('not known yet', 'wait')} <a href="/attention#doubts">${said(asked)}</a> ${copyable(intentId)}: ${isOverdue ? 'it is still checked whether it moved' : html`by ${moment(until)} it is known whether it moved`}.</li>`,
  )}</ul>`
}

function movingTable({ moving, needs, halts, underWay }: Overview): Markup {
  const runs = new Map(underWay.map((run) => [run.runId, run]))
  const asked = new Map(needs.movements.map((movement) => [movement.intentId, movement]))
  const isHalted = halts.some(({ scope }) => scope === '*')
  return table(
    'Movements under way',
    [
      {
        title: 'movement',
        text: ({ intentId, name }) => html`<a href="/intents/${intentId}">${said(name)}</a> ${copyable(intentId)}`,
        isHead: true,
      },
      {
        title: 'state',
        text: ({ intentId, state }) => {
          const waitsFor = waitOf({ state, movement: asked.get(intentId), isHalted })
          return waitsFor === undefined ? movementBadge(state) : readyBadge(waitsFor)
        },
      },
      { title: 'kind', text: ({ kind }) => kind },
      { title: 'asked at', text: ({ createdAt }) => moment(createdAt) },
      {
        title: 'run',
        text: ({ run = '' }) => {
          const named = runs.get(run)
          return named === undefined ? run && html`<a href="/runs/${run}"><code>${run}</code></a>` : runLink(named)
        },
      },
    ],
    moving,
    ({ asked, name, state }) =>
      html`<p>${asked !== name && html`${said(asked)}. `}<span class="dim">${Object.hasOwn(STATE_WORDS, state) && STATE_WORDS[state]}</span></p>`,
  )
}

/** The states of an intent that is still under way. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  READY: 'Nothing was sent, or it is certain that the last send moved nothing.',
  ARMED: 'It is about to be sent, or was sent and is not proven yet.',
  ESCALATED: 'It is in doubt: a person decides.',
}

/** A run that is under way has its row above. */
function lastRuns({ runs, underWay }: Overview): Markup {
  const open = new Set(underWay.map(({ runId }) => runId))
  const ended = runs.filter(({ runId }) => !open.has(runId))
  if (ended.length > 0) return runTable('Last runs', ended)
  return none(
    runs.length > 0
      ? 'The last runs are all under way.'
      : 'No policy has run yet. One runs by its schedule, by an event, or when a person starts it.',
  )
}

function budgetTable(budgets: readonly BudgetRow[]): Markup {
  return table(
    'Budgets of today',
    [
      { title: 'bound in treasury.json', text: ({ field }) => html`<code>${field}</code>`, isHead: true },
      { title: 'a day', text: ({ daily }) => daily, isAmount: true },
      { title: 'left now', text: ({ left }) => left, isAmount: true },
      { title: 'of', text: ({ unit }) => unit, isUnit: true },
      { title: 'a day is', text: ({ isRolling }) => (isRolling ? 'any 24 hours' : 'a day of UTC') },
    ],
    budgets,
  )
}

function turnoverTable(turnovers: Overview['turnovers']): Markup {
  return table(
    'Turnover of today',
    [
      { title: 'policy', text: ({ policy }) => policy, isHead: true },
      { title: 'turnover today', text: ({ today }) => today, isAmount: true, by: 'cents' },
      { title: 'at most a day', text: ({ daily = '' }) => daily, isAmount: true },
      { title: 'in', text: ({ asset }) => asset, isUnit: true },
    ],
    turnovers,
  )
}

function policyTable(policies: Overview['policies']): Markup {
  return table(
    'Policies',
    [
      { title: 'policy', text: ({ policy }) => html`<a href="/policies/${policy}">${policy}</a>`, isHead: true },
      { title: 'mode', text: ({ mode }) => badge(mode, mode === 'live' ? 'plain' : 'wait') },
      {
        title: 'last outcome',
        text: ({ lastOutcome, lastShadow, holder }) => {
          if (lastShadow !== null) return html`in shadow mode, ${runBadge(lastShadow.outcome)}`
          if (lastOutcome !== null) return runBadge(lastOutcome)
          return holder === null ? 'never ran' : 'none yet'
        },
      },
      {
        title: 'failures in a row',
        text: ({ failuresInRow }) => (failuresInRow > 0 ? String(failuresInRow) : ''),
        isAmount: true,
      },
      {
        title: 'last run',
        text: ({ lastRun, lastStartedAt, lastShadow }) =>
          runAt(lastShadow?.runId ?? lastRun, lastShadow?.startedAt ?? lastStartedAt),
      },
      { title: 'next start', text: ({ nextStart }) => moment(nextStart) ?? 'none' },
      { title: 'schedule', text: ({ scheduleSays }) => scheduleSays ?? '' },
      { title: 'kind', text: ({ kind }) => kind },
      { title: 'under way', text: ({ holder, holderStartedAt }) => runAt(holder, holderStartedAt) },
    ],
    policies,
    ({ halted }) => halted !== null && html`<p class="bad">Halted ${said(halted)}</p>`,
  )
}

/** In the row of its policy a run is called by its time alone. */
function runAt(runId: string | null, startedAt: string | null): Markup | false {
  return (
    runId !== null &&
    html`<a href="/runs/${runId}" title="${runId}">${startedAt === null ? runId : dayAndMinute(startedAt)}</a>`
  )
}

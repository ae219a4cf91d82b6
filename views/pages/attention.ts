// Builds the page of all that stopped and needs a person: each case with its evidence, the choices, and their effects.
// Pure.

import { statusText } from '../../core/contract/service-names.ts'
import type { Halt } from '../../core/journal/halts.ts'
import type { Doubt } from '../../operations/cases/doubts.ts'
import type { WaitingRun } from '../../operations/cases/find-needs.ts'
import type { Attention } from '../../operations/movements/attention.ts'
import type { Stalled } from '../../operations/movements/under-way.ts'
import type { WeighedCandidate } from '../../operations/movements/weigh-candidates.ts'
import type { AccountNow } from '../../operations/overview/account.ts'
import type { NeedsPage } from '../../operations/overview/overview.ts'
import type { WaitingMovement } from '../../operations/runs/waiting-movements.ts'
import { givenText } from '../../operations/words/approvals-text.ts'
import { haltOf } from '../../operations/words/halt-words.ts'
import { factText } from '../../operations/words/request-words.ts'
import type { Spell } from '../../place/next-step.ts'
import { badge, facts, none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { caseBadge, copyable, named, runLink } from '../html/outcome-badge.ts'
import { figure, moment, said } from '../html/shown-figures.ts'
import { STALLED_NEXT } from '../movements/request-columns.ts'
import { sentence } from '../runs/figures.ts'
import { waitEndedText } from '../runs/wait-words.ts'
import { countNeeds, missingText } from '../waiting.ts'
import { needsNote } from './account.ts'
import { type FormSeal, form, reasonFields } from './forms.ts'
import { page } from './layout.ts'
import { haltNote, movementDecision } from './movement-decision.ts'
import { againForm, NOW } from './run-steps.ts'

export interface AttentionPage extends NeedsPage {
  readonly account: AccountNow
}

export function attentionPage(needs: AttentionPage, seal: FormSeal, spell: Spell): string {
  const {
    found,
    stalled,
    doubts,
    inNeed,
    unopened,
    unbegun,
    approvals,
    halts,
    left,
    movements,
    unreadable,
    cutOff,
    other,
  } = needs.needs
  const count = countNeeds(needs.needs)
  return page({
    title: 'Attention',
    under: '/attention',
    topic: 'attention',
    everywhere: needs,
    // Forms may be half filled in, so only the count is live. The page says that it has changed, and the person reloads it.
    body: html`<div id="count" data-live>${needsNote(count, needs.account, spell)}${count > 0 && html`<p class="bad">Cases: ${count}.</p>`}</div>
${doubts.length > 0 && section('doubts', 'Not known yet', html`<ul class="needs">${doubts.map(doubtOf)}</ul>`)}
${stalled.length > 0 && section('stalled', 'Under way, and waiting for a person', html`<ul class="needs">${stalled.map(stalledOf)}</ul>`)}
${found.map((attention) => caseOf(attention, seal))}
${inNeed.length > 0 && section('runs-in-need', 'Runs with a leg in doubt or stuck', html`<ul class="needs">${inNeed.map(({ why, ...run }) => html`<li class="bad">${runLink(run)}: ${sentence(why)} Once its legs are settled: ${againForm(run.runId, 'Settle it by its legs', seal)}</li>`)}</ul>`)}
${unopened.length + unbegun.length > 0 && section('unopened', 'Not begun', html`<ul class="needs">${unopened.map(({ intentId, kind, why }) => html`<li class="bad">${kind} ${intentId}: ${sentence(why)} Nothing moved. ${form(seal, { action: `/intents/${intentId}/again`, button: 'Begin it now' })}</li>`)}${unbegun.map(({ why, ...run }) => html`<li class="bad">${runLink(run)}: ${sentence(why)} Nothing moved. Once the fault is mended: ${againForm(run.runId, 'Begin it now', seal)}</li>`)}</ul>`)}
${approvals.length > 0 && section('approvals', 'Plans that wait', html`<ul class="needs">${approvals.map((approval) => approvalOf(approval, halts, seal))}</ul>`)}
${movements.length > 0 && section('movements', 'Movements that wait', html`${movements.map((movement) => movementOf(movement, haltOf(halts, movement.policy), seal))}`)}
${halts.length > 0 && section('halts', 'Halts', html`<ul class="needs">${halts.map(({ scope, by, because, at, breaker, firstWord }) => html`<li class="bad">${badge(breaker ? 'breaker' : 'halt', 'bad')} ${scope === '*' ? 'everything' : scope}, by ${by} since ${moment(at)}: ${sentence(because)} ${firstWord && html`${firstWord.by} resumes it since ${moment(firstWord.at)}: ${sentence(firstWord.because)} Missing: ${missingText(firstWord)}. `}<a href="/halt">Resume…</a></li>`)}</ul>`)}
${
  left.stranded.length > 0 &&
  section(
    'stranded',
    'Left on its way',
    html`<ul class="needs">${left.stranded.map(({ policy, amount, asset, why }) => html`<li class="bad">${figure(amount, 'digits')} ${asset} of policy ${policy}: ${sentence(why)}</li>`)}</ul>
<div class="choices">${[...new Set(left.stranded.map(({ policy }) => policy))].map((policy) => releaseForm(policy, seal))}</div>`,
  )
}
${left.carriedOn.length > 0 && section('carried', 'Carried on by the next run', html`<ul>${left.carriedOn.map(({ amount, asset, by }) => html`<li>${figure(amount, 'digits')} ${asset}, by policy ${by}</li>`)}</ul>`)}
${unreadable.length > 0 && section('unreadable', 'Cannot be read', html`<ul class="needs">${unreadable.map((text) => html`<li class="bad">${text}</li>`)}</ul>`)}
${other !== undefined && none(`Not checked: ${other}, whose records are in the same directory.`)}
${cutOff.map((text) => none(spell(text)))}`,
  })
}

function stalledOf({ intentId, kind, cause, asked = kind, why }: Stalled): Markup {
  return html`<li class="bad">${badge(cause, 'bad')} <a href="/${kind === 'run' ? 'runs' : 'intents'}/${intentId}">${said(asked)}</a> ${copyable(intentId)}: ${sentence(why)} ${sentence(STALLED_NEXT[cause])}</li>`
}

/** It needs nobody, because its execution is under way. */
function doubtOf({ intentId, asked, since, until, isOverdue, said: answer }: Doubt): Markup {
  const when = isOverdue
    ? html`It was to be known by ${moment(until)}, and is checked again until the service shows it.`
    : html`<b>By ${moment(until)} it is known whether it moved</b>: its movement is found, or it is certain that nothing moved.`
  return html`<li class="wait"><a href="/intents/${intentId}">${said(asked)}</a> ${copyable(intentId)}, signed at ${moment(since)}. ${answer === undefined ? 'No answer came.' : html`What is known of its answer: ${sentence(answer)}`} ${when} It needs nobody meanwhile.</li>`
}

/** Releases everything that runs of the policy left. The next page asks, with the amounts. */
function releaseForm(policy: string, seal: FormSeal): Markup {
  return html`<div class="card"><h3>Release what ${policy} left</h3>
<p>Do it once all balances that its runs left are where they belong, also those that a next run would carry on: no later run
takes them up. Nothing is sent.</p>
${form(seal, {
  action: `/policies/${policy}/release`,
  fields: reasonFields(seal, `release-${policy}`),
  button: 'Release them…',
})}</div>`
}

function approvalOf(
  { expiresAt, waitEnded, against, approvedBy, needed, ...run }: WaitingRun,
  halts: readonly Halt[],
  seal: FormSeal,
): Markup {
  if (waitEnded === undefined)
    return html`<li class="wait">${runLink(run, '/decide')} ${givenText({ approvedBy, needed })}waits until ${moment(expiresAt)}. ${haltNote(haltOf(halts, run.policy), expiresAt)}</li>`
  return html`<li class="wait">${runLink(run)} ${said(waitEndedText({ waitEnded, ...(against && { against }) }))}. ${againForm(run.runId, NOW[waitEnded], seal)}</li>`
}

function movementOf(movement: WaitingMovement, halt: Halt | undefined, seal: FormSeal): Markup {
  const { intentId, name, since } = movement
  return html`<h3><a href="/intents/${intentId}">${said(name)}</a></h3>
<p>${copyable(intentId)} <span class="dim">waits since ${moment(since)}</span></p>
${movementDecision(movement, halt, seal, 4)}`
}

function caseOf(attention: Attention, seal: FormSeal): Markup {
  const { intentId, kind, state, params, asked, attempt, nonce, window, why, next, weighed } = attention
  return html`<section id="case-${intentId}" class="case" aria-labelledby="title-${intentId}">
<h2 id="title-${intentId}">${caseBadge(state)} ${said(asked)}</h2>
<p class="bad">${sentence(why)}</p>
${facts([
  [kind === 'convert' ? 'conversion' : 'withdrawal', html`<a href="/intents/${intentId}">${intentId}</a>`],
  ['asked, in full', said(factText(params))],
  ['attempt', `${attempt}${nonce === undefined ? '' : `, nonce ${nonce}`}`],
  [
    'a movement of it lies between',
    window &&
      html`${moment(window.since)} and ${moment(window.until)}. <span class="dim">No movement of it can be older, and from the second time on the service accepts no copy of it. Candidates are looked for in between.</span>`,
  ],
  ['what comes next', next],
])}
${weighed.length > 0 && html`<h3>May be its movement</h3>${candidateTable(attention, seal)}`}
<h3>The choices</h3>
<div class="choices">${choicesOf(attention, seal, kind)}</div></section>
`
}

/** A movement in doubt is settled only where a person decides, so only then each candidate has its button. */
function candidateTable({ intentId, state, kind, weighed }: Attention, seal: FormSeal): Markup {
  const mayChoose = state === 'ESCALATED'
  return table(
    'Candidates',
    [
      { title: kind === 'convert' ? 'order' : 'withdrawal', text: ({ id }) => html`<code>${id}</code>`, isHead: true },
      { title: 'amount', text: ({ amount }) => amount, isAmount: true },
      { title: 'asset', text: ({ asset }) => asset },
      { title: 'at', text: ({ at }) => moment(at) },
      { title: 'status', text: ({ status = '' }) => named(statusText(status), status) },
    ],
    weighed,
    (candidate) =>
      html`<p>${kind === 'convert' ? 'Rate' : 'Payee'}: ${said(candidate.terms)}.</p>${reasonsOf(candidate)}${mayChoose && chooseForm(intentId, weighed.indexOf(candidate), candidate, seal)}`,
  )
}

function reasonsOf({ pro, contra }: WeighedCandidate): Markup {
  const list = (title: string, look: string, says: readonly string[]) =>
    says.length > 0 &&
    html`<p>${title}</p><ul class="needs">${says.map((each) => html`<li class="${look}">${sentence(each)}</li>`)}</ul>`
  return html`${list('For it:', 'good', pro)}${list('Against it:', 'bad', contra)}`
}

/** The next page examines it once more, and asks. */
function chooseForm(intentId: string, index: number, { id }: WeighedCandidate, seal: FormSeal): Markup {
  return form(seal, {
    action: `/intents/${intentId}/resolve`,
    hidden: { movement: id },
    fields: reasonFields(seal, `choose-${intentId}-${index}`),
    button: 'This is its movement…',
  })
}

const AGAIN_WORDS: Readonly<Record<string, string>> = {
  ARMED:
    'The machine looks for the movement once more. Past the window it certifies that none exists, and may then send again.',
  DONE: 'The machine looks once more whether the movement has completed. It sends nothing.',
}

function choicesOf({ intentId, state, weighed }: Attention, seal: FormSeal, kind: string): Markup {
  const movement = kind === 'convert' ? 'order' : 'withdrawal'
  const again = html`<div class="card"><h4>Check again</h4>
<p>${AGAIN_WORDS[state] ?? ''}</p>
${form(seal, { action: `/intents/${intentId}/again`, button: state === 'DONE' ? 'Check again' : 'Check again…' })}</div>`
  if (state !== 'ESCALATED') return again
  const id = `resolve-${intentId}`
  return html`<div class="card"><h4>${weighed.length > 0 ? 'Another is its movement' : 'This is its movement'}</h4>
<p>The ${movement} is examined first: it must exist, be like what was asked for, and belong to no other intent. Then it is
settled as done. Nothing is sent.</p>
${form(seal, {
  action: `/intents/${intentId}/resolve`,
  fields: html`<p class="field"><label for="${id}-movement">Id of the ${movement}</label>
<input id="${id}-movement" name="movement" maxlength="256" autocomplete="off" required></p>${reasonFields(seal, id)}`,
  button: 'Examine it…',
})}</div>
<div class="card"><h4>Nothing moved</h4>
<p>Needs the time past which nothing can arrive, and no ${movement} left that may be it. Then it is settled as having moved
nothing, for good. Nothing is sent.</p>
${form(seal, {
  action: `/intents/${intentId}/resolve`,
  hidden: { none: '1' },
  fields: reasonFields(seal, `${id}-none`),
  button: 'Examine that…',
  look: 'bad',
})}</div>`
}

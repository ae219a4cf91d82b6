// Builds the page of a policy: its settings, its next start, a plan on request, and its last runs. Pure.

import type { Targets } from '../../operations/overview/account.ts'
import type { PolicyPage } from '../../operations/overview/policy.ts'
import { factText } from '../../operations/words/request-words.ts'
import { badge, facts, none, section } from '../html/html-table.ts'
import { html, type Markup, type Part } from '../html/markup.ts'
import { runLink } from '../html/outcome-badge.ts'
import { moment, said } from '../html/shown-figures.ts'
import { prose } from '../runs/figures.ts'
import { bandText } from './account.ts'
import type { Act } from './acted.ts'
import { planParts } from './decide.ts'
import { type FormSeal, form, nameField, payoutForm, reasonFields } from './forms.ts'
import { page } from './layout.ts'
import { runTable } from './run-table.ts'

export const planOf = (policy: string): string => `plan ${policy}`

export function policyPage(data: PolicyPage, acts: readonly Act[], seal: FormSeal): string {
  const { row, policy, takesRows, runs, plans, schedule, aliases } = data
  const { schedule: written, kind, mode, was, ...rest } = policy
  const last = acts.find(({ what }) => what === planOf(row.policy))
  return page({
    title: `Policy ${row.policy}`,
    topic: `policy:${row.policy}`,
    everywhere: data,
    body: html`<p>${badge(mode, mode === 'live' ? 'plain' : 'wait')} ${kind}. ${MODE_WORDS[mode]}</p>
${section('schedule', 'When it runs', takesRows ? none('It runs when a person gives it a file of payouts.') : scheduleOf(schedule, written?.expression))}
${section('steps', 'What you can do', stepsOf(data, seal), { isLive: false })}
${last !== undefined && planned(last)}
${section('runs', 'Last runs', runs.length === 0 ? none('It has not run yet.') : runTable('Last runs', runs))}
${plans.length > 0 && section('plans', 'Plans made on request', runTable('Plans made on request', plans))}
${section(
  'settings',
  'As treasury.json has it',
  facts([
    ['was called', was],
    ...Object.entries(rest).map(([name, value]): readonly [string, Part] => [
      name,
      name === 'band'
        ? bandText(value as Targets['band'])
        : said(
            factText(value, (text) => withAlias(text, aliases)) ||
              (name === 'guards' ? 'none of its own, beside those of the deployment' : 'none'),
          ),
    ]),
  ]),
  { isLive: false },
)}`,
  })
}

/** The plan of a run asked the service for the alias. Anybody who may edit contacts can change it. */
function withAlias(text: string, aliases: PolicyPage['aliases']): string {
  return Object.hasOwn(aliases, text) ? `${text} (last planned as "${aliases[text]}")` : text
}

/** The mode of a policy. The stage of the service, which is also called live, says whether the money is real. */
const MODE_WORDS = {
  live: 'Its runs move money.',
  shadow: 'Its runs plan and report, and move nothing.',
} as const

function scheduleOf(schedule: PolicyPage['schedule'], expression = ''): Markup {
  if (schedule === undefined) return none('It has no schedule: it runs by an event, or when a person starts it.')
  const { says, next } = schedule
  return html`<p>${says}. <span class="dim"><code>${expression}</code></span></p>
${next.length === 0 ? none('It has no start left.') : html`<p>Next starts: ${next.map((at, index) => html`${index > 0 && ', '}${moment(at)}`)}.</p>`}`
}

function stepsOf({ row, policy: { mode }, takesRows }: PolicyPage, seal: FormSeal): Markup {
  const { policy, halted, holder, holderStartedAt } = row
  return html`${halted !== null && html`<p class="bad">It is halted ${prose(halted)}. <a class="button" href="/halt">Resume…</a></p>`}
${holder !== null && html`<p class="wait">${runLink({ runId: holder, policy, startedAt: holderStartedAt ?? '' })} is under way, or waits. Another run waits for it, or does nothing.</p>`}
<div class="choices">
${takesRows ? fileCard(policy, seal) : runCards(row, mode, seal)}
<div class="card"><h3>Halt it</h3>
<p>From the next send on it sends nothing, until a person resumes it.</p>
${form(seal, { action: '/halt', hidden: { policy }, fields: reasonFields(seal, 'halt', { isReasonNeeded: false }), button: 'Halt this policy', look: 'bad' })}</div>
</div>`
}

function runCards({ policy, halted }: PolicyPage['row'], mode: PolicyPage['policy']['mode'], seal: FormSeal): Markup {
  const runs =
    halted !== null
      ? 'It is halted: a run ends at once, and moves nothing.'
      : mode === 'live'
        ? 'It plans, and sends its legs, unless people must approve the plan first.'
        : 'It plans and reports, and moves nothing.'
  return html`<div class="card"><h3>Plan it</h3>
<p>The state machine that moves money makes the plan, and is asked to move nothing.</p>
${form(seal, { action: `/policies/${policy}/plan`, button: 'Plan it now' })}</div>
<div class="card"><h3>Run it</h3>
<p>${runs} The next page asks.</p>
${form(seal, { action: `/policies/${policy}/run`, fields: nameField(seal, 'run', 'Who asks'), button: 'Run it now…' })}</div>`
}

function fileCard(policy: string, seal: FormSeal): Markup {
  return html`<div class="card"><h3>Pay a file</h3>
<p>The file is checked whole, and each finding names its line. The next page asks with the totals. A row that is paid is left out.</p>
<p><a href="/policies/${policy}/payouts.csv">A template with the contacts that it may pay</a></p>
${payoutForm(seal, { action: `/policies/${policy}/payouts`, button: 'Check it, and ask…' })}</div>`
}

function planned({ id, at, end }: Act): Part {
  if (end?.ended === 'done' && end.plan !== undefined)
    return html`<h2>What it would do at ${moment(at)}</h2>${planParts(end.plan)}`
  const text =
    end === undefined ? 'The plan is being made.' : end.ended === 'refused' ? end.error.message : 'There is no plan.'
  return section('planned', 'Plan', html`<p><a href="/acts/${id}">${text}</a></p>`)
}

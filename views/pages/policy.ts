// The page of a policy: its settings, its next start, a plan on request, and its last runs. Pure.

import type { PolicyPage } from '../../operations/overview/policy.ts'
import { factText } from '../../operations/words/fact-text.ts'
import { badge, facts, none } from '../html/html-table.ts'
import { html, type Part } from '../html/markup.ts'
import { section } from '../html/section.ts'
import { moment } from '../html/shown-figures.ts'
import type { Act } from './acted.ts'
import { planParts } from './decide.ts'
import { type FormSeal, form } from './forms.ts'
import { page } from './layout.ts'
import { runTable } from './overview.ts'

export const planOf = (policy: string): string => `plan ${policy}`

export function policyPage(data: PolicyPage, acts: readonly Act[], seal: FormSeal): string {
  const { row, policy, runs, plans } = data
  const { schedule: _schedule, kind, mode, was, ...rest } = policy
  const last = acts.find(({ what }) => what === planOf(row.policy))
  return page({
    title: `Policy ${row.policy}`,
    under: '/',
    topic: `policy:${row.policy}`,
    everywhere: data,
    body: html`<p>${badge(mode, mode === 'live' ? 'plain' : 'wait')} ${kind}</p>
${facts([
  ['was called', was],
  ['schedule', row.schedule ?? 'none'],
  ['next start', moment(row.nextStart)],
  ['halted', row.halted ?? ''],
  ...Object.entries(rest).map(([name, value]): readonly [string, Part] => [name, factText(value)]),
])}
${form(seal, { action: `/policies/${row.policy}/plan`, button: 'Plan it now' })}
<p class="dim">The state machine that moves money makes the plan, and is asked to move nothing.</p>
${last !== undefined && planned(last)}
${section('runs', 'Last runs', runs.length === 0 ? none('It has not run yet.') : runTable('Last runs', runs))}
${plans.length > 0 && section('plans', 'Plans made on request', runTable('Plans made on request', plans))}`,
  })
}

function planned({ id, at, end }: Act): Part {
  if (end?.ended === 'done' && end.plan !== undefined)
    return html`<h2>What it would do at ${moment(at)}</h2>${planParts(end.plan)}`
  const text =
    end === undefined ? 'The plan is being made.' : end.ended === 'refused' ? end.error.message : 'There is no plan.'
  return section('planned', 'Plan', html`<p><a href="/acts/${id}">${text}</a></p>`)
}

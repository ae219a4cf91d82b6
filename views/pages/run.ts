// Builds the page of a run, and the page of one intent. Pure.

import type { IntentPage, RunCourse, UnrecordedRun } from '../../operations/runs/run.ts'
import { runName } from '../../operations/words/run-name.ts'
import { facts, none, section } from '../html/html-table.ts'
import { html } from '../html/markup.ts'
import { copyable, movementBadge } from '../html/outcome-badge.ts'
import { machineOf, runBody } from '../html/run-body.ts'
import { happeningsOfIntent, timeline } from '../html/run-timeline.ts'
import { moment, said } from '../html/shown-figures.ts'
import { prose, sentence } from '../runs/figures.ts'
import type { FormSeal } from './forms.ts'
import { intentBadge, intentSteps } from './intent-steps.ts'
import { page } from './layout.ts'
import { runSteps } from './run-steps.ts'

export function runPage(course: RunCourse | UnrecordedRun, seal: FormSeal): string {
  if ('unrecorded' in course) return unrecordedPage(course)
  const { runId, outcome } = course.report
  return page({
    title: runName(course.report),
    under: '/movements',
    topic: `run:${runId}`,
    everywhere: course,
    body: html`${runBody(course, 'console', runSteps(course, seal))}
${outcome !== 'RUNNING' && html`<p><a href="/runs/${runId}/report" download>This page as one file</a></p>`}`,
  })
}

function unrecordedPage({ unrecorded, ...everywhere }: UnrecordedRun): string {
  const { id, asked, state, why, startedAt, needsPerson, histories } = unrecorded
  return page({
    title: prose(asked),
    id,
    under: '/movements',
    topic: `run:${id}`,
    everywhere,
    body: section(
      'outcome',
      'As it stands',
      html`<p class="outcome">${movementBadge(state)} ${said(asked)}.</p>
${why !== undefined && html`<p>${sentence(why)}</p>`}
${needsPerson && html`<p class="bad"><a href="/attention">A person must see to it…</a></p>`}
${facts([
  ['record', 'none in the journal'],
  ['started', moment(startedAt)],
  ...histories.map(({ name, status, error }) => ['execution', html`<code>${name}</code> ${status} ${error}`] as const),
])}`,
    ),
  })
}

export function intentPage(shownPage: IntentPage, seal: FormSeal): string {
  const { intent, machine } = shownPage
  const { intentId, kind, why, asked, name, run, movementId, attention, unread, createdAt } = intent
  return page({
    title: `${kind === 'convert' ? 'Conversion' : 'Withdrawal'}: ${prose(name)}`,
    id: intentId,
    under: '/movements',
    topic: `intent:${intentId}`,
    everywhere: shownPage,
    body: html`${section(
      'outcome',
      'As it stands',
      html`<p class="outcome">${intentBadge(shownPage)} ${said(asked)}.</p>
${why !== undefined && attention === undefined && html`<p>${sentence(why)}</p>`}
${attention !== undefined && html`<p class="bad">${sentence(attention.why)} <a href="/attention#case-${intentId}">See the choices…</a></p>`}
${intentSteps(shownPage, seal)}
${facts([
  ['asked for', moment(createdAt)],
  ['movement', movementId && html`<code>${movementId}</code>`],
  [
    'run',
    run &&
      html`<a href="/runs/${run}">${intent.policy === undefined ? 'its run' : `of ${intent.policy}`}</a> ${copyable(run)}`,
  ],
])}${unread !== undefined && none(unread)}`,
    )}
${section('machine', `State machine ${machine.name}`, machineOf(machine))}
${section('timeline', 'What happened when', timeline(happeningsOfIntent({ ...intent, key: kind })))}`,
  })
}

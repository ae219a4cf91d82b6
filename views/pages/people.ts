// Builds the page of the log of people: who asked for, decided and stopped what, when and why. Pure.

import { type Act, Did } from '../../operations/people/act.ts'
import type { PeopleLog } from '../../operations/people/people-log.ts'
import type { Everywhere } from '../../place/reader.ts'
import { badge, none, section, table } from '../html/html-table.ts'
import { html, type Markup, type Part } from '../html/markup.ts'
import { copyable, runLink } from '../html/outcome-badge.ts'
import { moment, said } from '../html/shown-figures.ts'
import { prose } from '../runs/figures.ts'
import { page } from './layout.ts'

/** Empty: not filtered. */
export interface PeopleFilters {
  readonly person: string
  readonly did: string
  readonly since: string
  readonly before: string
}

export function peoplePage(data: PeopleLog & Everywhere, filters: PeopleFilters): string {
  const { acts, hasMore, broken, brokenTotal } = data
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
  return page({
    title: 'People',
    under: '/people',
    everywhere: data,
    body: html`<p>What people asked for, decided and configured, latest first, from records whose chain is checked as they are read. On AWS a configuration is recorded within an hour, so two deployments within that hour may be one version.</p>
${filterForm(filters)}
<p>All acts that match, also earlier ones: <a href="/people.csv?${query}" download>as CSV</a>, <a href="/people.jsonl?${query}" download>as JSON Lines</a></p>
${brokenTotal > 0 && html`<p class="bad">Records whose chain is broken, or that are missing: ${brokenTotal}.</p><ul class="needs">${broken.slice(0, MOST_BROKEN).map(({ record, message }) => html`<li class="bad"><code>${record}</code>: ${prose(message)}</li>`)}</ul>`}
${section('acts', 'Acts', html`${acts.length === 0 ? none('No act of a person matches.') : actTable(acts)}${hasMore && none(`These are the latest ${acts.length}. Earlier ones are found by their time.`)}`, { isLive: false })}`,
  })
}

const MOST_BROKEN = 50

function actTable(acts: readonly Act[]): Markup {
  return table(
    'Acts of people',
    [
      { title: 'at', text: ({ at }) => moment(at), isHead: true },
      { title: 'did', text: ({ did }) => badge(wordsOf(did), BAD.has(did) ? 'bad' : 'plain') },
      { title: 'what', text: subjectOf },
      { title: 'policy', text: ({ policy }) => policy !== null && html`<a href="/policies/${policy}">${policy}</a>` },
      { title: 'person', text: ({ by }) => by },
    ],
    acts,
    ({ because, detail }) =>
      html`${because !== null && html`<p>${prose(because)}</p>`}${detail !== null && html`<p class="dim">${prose(detail)}</p>`}`,
  )
}

/** Acts that stop something, or allow more. */
const BAD: ReadonlySet<string> = new Set([Did.Halted, Did.Rejected, Did.Loosened])

/** Pages of what an act is about, for what has a page. */
const PAGES: Readonly<Partial<Record<Act['kind'], string>>> = {
  run: '/runs/',
  convert: '/intents/',
  withdraw: '/intents/',
  policy: '/policies/',
}

/** Such as `first resume`. */
function wordsOf(did: string): string {
  return did.replaceAll('-', ' ')
}

function subjectOf({ kind, about, what, policy, startedAt }: Act): Part {
  if (about === null) return kind
  if (startedAt !== undefined && policy !== null)
    return html`run ${runLink({ runId: about, policy, startedAt })}${what !== null && html`, ${said(what)}`}`
  const path = PAGES[kind]
  if (path !== undefined && what !== null) return html`<a href="${path}${about}">${said(what)}</a> ${copyable(about)}`
  return path === undefined ? `${kind} ${about}` : html`${kind} <a href="${path}${about}">${about}</a>`
}

function filterForm({ person, did, since, before }: PeopleFilters): Markup {
  const field = (name: string, label: string, value: string, placeholder: string) =>
    html`<p class="field"><label for="${name}">${label}</label> <input id="${name}" name="${name}" value="${value}" maxlength="256" placeholder="${placeholder}"></p>`
  return html`<form action="/people" class="filters">
${field('person', 'Person', person, 'a name, or an ARN')}
<p class="field"><label for="did">Did</label> <select id="did" name="did"><option value="">anything</option>${Object.values(Did).map((each) => html`<option value="${each}"${each === did && html` selected`}>${wordsOf(each)}</option>`)}</select></p>
${field('since', 'Since (UTC)', since, '2026-01-01')}
${field('before', 'Before (UTC)', before, '2026-02-01')}
<button>Show</button></form>`
}

// Builds the page of events: the dead letters, each with what a person can do about it, and the notices. Pure.

import { NOTICE_NAMES } from '../../core/contract/code-names.ts'
import type { Notice } from '../../core/contract/notices.ts'
import type { EventsPage, ShownLetter } from '../../operations/overview/events.ts'
import { facts, none, section } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment, said } from '../html/shown-figures.ts'
import { sentence } from '../runs/figures.ts'
import { type FormSeal, form, reasonFields } from './forms.ts'
import { page } from './layout.ts'

export function eventsPage(data: EventsPage, seal: FormSeal): string {
  const { found, notices } = data
  return page({
    title: 'Events',
    under: '/events',
    everywhere: data,
    body: html`${section('letters', 'Dead letters', lettersOf(found, seal), { isLive: false })}
${section('notices', 'Notices', notices.length === 0 ? none('treasury.json has no notices: nobody is notified of anything.') : html`<div class="choices">${notices.map((notice) => noticeOf(notice, seal))}</div>`, { isLive: false })}`,
  })
}

function lettersOf(found: EventsPage['found'], seal: FormSeal): Markup {
  if ('unread' in found) return html`<p class="wait">They cannot be read now: ${sentence(found.unread)}</p>`
  const { letters, hasMore, hidden } = found
  return html`<p>Events and starts that had no effect, oldest first. The queue keeps them for 14 days.</p>
${letters.length === 0 ? none('There are none.') : html`${letters.map((letter) => letterOf(letter, seal))}`}
${hasMore && none(`These are the first ${letters.length}. There are more.`)}
${hidden > 0 && none(`${hidden} more are being read by somebody else.`)}`
}

function letterOf({ letterId, about, reason, sentAt, age, asksFor, whyNot }: ShownLetter, seal: FormSeal): Markup {
  return html`<article class="case" aria-labelledby="letter-${letterId}"><h3 id="letter-${letterId}">${said(about)}</h3>
<p class="bad">${sentence(reason)}</p>
${facts([
  ['kept at', html`${moment(sentAt)}, ${age} ago`],
  ['asks for', said(asksFor)],
  ['letter', html`<code>${letterId}</code>`],
])}
<div class="choices"><div class="card"><h4>Put it again</h4>
${whyNot === undefined ? html`<p>The same id moves once, however often it is put. The letter is then deleted.</p>${form(seal, { action: `/events/letters/${letterId}/resend`, hidden: { about }, button: 'Put it again' })}` : html`<p>It cannot be put again: ${sentence(whyNot)}</p>`}</div>
<div class="card"><h4>Drop it</h4>
<p>The letter is deleted for good, and starts nothing. The next page asks.</p>
${form(seal, { action: `/events/letters/${letterId}/drop`, hidden: { about }, fields: reasonFields({ ...seal, isNamed: true }, `drop-${letterId}`), button: 'Drop it…', look: 'bad' })}</div></div></article>
`
}

function noticeOf({ name, to, about, policies }: Notice, seal: FormSeal): Markup {
  const receiver = to.webhook === undefined ? 'SNS' : `a webhook, in the shape ${to.webhook.shape}`
  return html`<article class="card" aria-labelledby="notice-${name}"><h3 id="notice-${name}">${name}</h3>
${facts([
  ['about', about.map((each) => NOTICE_NAMES[each]).join(', ')],
  ['policies', policies?.join(', ') ?? 'all'],
  ['sent to', receiver],
])}
${form(seal, { action: `/events/notices/${name}/test`, button: 'Send a test' })}</article>
`
}

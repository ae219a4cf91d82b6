// Builds the queue of the person who looks: what they can decide now, several at once, and what waits for others. Each
// decision carries the hash of what is shown. Pure.

import type { PlannedMove, Queue, QueueItem } from '../../operations/overview/queue.ts'
import { approvalsText } from '../../operations/words/approvals-text.ts'
import { scopeText } from '../../operations/words/halt-words.ts'
import type { Everywhere } from '../../place/reader.ts'
import { none, section, table } from '../html/html-table.ts'
import { html, type Markup, type Part } from '../html/markup.ts'
import { copyable } from '../html/outcome-badge.ts'
import { moment, said } from '../html/shown-figures.ts'
import { byValue, prose, sentence } from '../runs/figures.ts'
import { type FormSeal, reasonFields } from './forms.ts'
import { page } from './layout.ts'

export function queuePage(data: Queue & Everywhere, seal: FormSeal): string {
  const { by, find, mine, others } = data
  return page({
    title: 'To decide',
    under: '/queue',
    everywhere: data,
    body: html`${filterForm(data, seal)}
${section('mine', by === '' ? 'Waits for a person' : 'Waits for you', mine.length === 0 ? none(find === '' ? 'Nothing waits for you.' : 'Nothing that waits for you matches.') : decideForm(mine, data.halts, seal), { isLive: false })}
${others.length > 0 && section('others', 'Waits for others', queueTable('Waits for others', others), { isLive: false })}`,
  })
}

function filterForm({ by, find }: Queue, { isNamed, by: name }: FormSeal): Markup {
  return html`<p>${by === '' ? 'Who looks is not known.' : html`As ${by} sees it.`} The earliest deadline is first.</p>
<form action="/queue" class="filters">
<p class="field"><label for="find-waiting">Amount, payee or id</label> <input id="find-waiting" name="find" value="${find}" maxlength="256" autocomplete="off"></p>
${isNamed && html`<p class="field"><label for="looks">Who looks</label> <input id="looks" name="by" value="${name}" maxlength="100" autocomplete="off"></p>`}
<button>Show</button></form>`
}

function decideForm(items: readonly QueueItem[], halts: Everywhere['halts'], seal: FormSeal): Markup {
  return html`<form method="post" action="/queue/decide">
<input type="hidden" name="token" value="${seal.token}">
${queueTable('Waits for you', items, (item) => html`<input type="checkbox" name="pick" value="${pickOf(item)}" aria-label="Choose ${item.what}, ${item.id}">`)}
${reasonFields(seal, 'queue')}
${halts.length > 0 && html`<p class="wait">Sending is halted: ${halts.map(({ scope }) => scopeText(scope)).join(', ')}. An approval of what it holds is recorded now, and carried out once the halt ends.</p>`}
<p>Each plan is checked once more before its decision is written. What no longer holds is left undecided, and the result says why.</p>
<p class="buttons"><button class="good" name="verb" value="approve">Approve the chosen</button> <button class="bad" name="verb" value="reject">Reject the chosen</button></p>
</form>`
}

/** Returns the value of a checkbox: the kind, the hash and the id. Only an id may contain further separators. */
function pickOf({ kind, hash, id }: Pick<QueueItem, 'kind' | 'hash' | 'id'>): string {
  return [kind, hash, id].join(' ')
}

function queueTable(name: string, items: readonly QueueItem[], choice?: (item: QueueItem) => Part): Markup {
  return table(
    name,
    [
      ...(choice === undefined ? [] : [{ title: 'choose', text: choice }]),
      { title: 'what', text: whatOf, isHead: true },
      { title: 'at most', text: ({ amount = '' }) => amount, isAmount: true },
      { title: 'of', text: ({ asset = '' }) => asset, isUnit: true },
      { title: 'worth', text: ({ worth }) => worth?.value ?? '', isAmount: true, by: 'cents' },
      { title: 'in', text: ({ worth }) => worth?.asset ?? '', isUnit: true },
      { title: 'waits since', text: ({ since }) => moment(since) },
      { title: 'until', text: ({ until }) => moment(until) },
    ],
    items,
    belowOf,
  )
}

function whatOf({ kind, id, what }: QueueItem): Part {
  return html`<a href="${kind === 'run' ? `/runs/${id}/decide` : `/intents/${id}`}">${prose(what)}</a> ${copyable(id)}`
}

/** Movements of a plan that its row shows. All are among the terms. */
const MOST_MOVES = 3

function belowOf({ moves, payees, approvedBy, needed, mayNot, terms }: QueueItem): Part {
  return html`${moves.length > 0 && html`<p>${said(movesText(moves))}</p>`}
${payees.map((payee) => html`<p>Pays ${prose(payee)}.</p>`)}
${needed > 1 && html`<p>It has ${approvalsText({ approvedBy, needed })}.</p>`}
${mayNot !== undefined && html`<p class="wait">${sentence(mayNot)}</p>`}
<details><summary>What is decided on</summary><ul>${terms.map((line) => html`<li>${prose(line)}</li>`)}</ul></details>`
}

/** The movements of the most value: `Sells 1.5 BTC, buys 90000 USDC; and 2 more.` */
function movesText(moves: readonly PlannedMove[]): string {
  const shown = byValue(moves, ({ value }) => value).slice(0, MOST_MOVES)
  const texts = shown.map(({ gives, brings }) =>
    brings === undefined ? `sends ${gives}, fee included` : `sells ${gives}, buys ${brings}`,
  )
  const more = moves.length - shown.length
  const text = [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

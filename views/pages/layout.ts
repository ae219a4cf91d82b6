// Builds the frame of every page: the place, the halts, links to each page and to the halt, and whether the page is
// live. Every value goes through the template that escapes. Pure.

import { scopeText } from '../../operations/words/halt-words.ts'
import type { Everywhere } from '../../place/reader.ts'
import { type Markup as Html, html, type Part } from '../html/markup.ts'
import { copyable } from '../html/outcome-badge.ts'
import { digitsSwitch, moment, said } from '../html/shown-figures.ts'

export interface Page {
  readonly title: string
  /** Id of what the page is about, which stands beside its title to copy. */
  readonly id?: string
  /** Path of the current entry in the navigation. */
  readonly under?: string
  /** Its live parts follow this topic. */
  readonly topic?: string
  /** Absent where the journal could not be read. */
  readonly everywhere?: Everywhere | undefined
  readonly body: Part
}

const WAYS: readonly (readonly [path: string, name: string])[] = [
  ['/', 'Overview'],
  ['/attention', 'Attention'],
  ['/queue', 'To decide'],
  ['/movements', 'Movements'],
  ['/statement', 'Statement'],
  ['/costs', 'Costs'],
  ['/service/balances', 'Service'],
  ['/audit', 'Audit'],
  ['/events', 'Events'],
  ['/people', 'People'],
]

export function page({ title, id, under, topic, everywhere, body }: Page): string {
  return documentOf(
    title,
    html`<body${topic !== undefined && html` data-topic="${topic}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="brand"><a href="/"><b>Sluice</b> console</a></div>
<nav aria-label="Pages"><ul>${WAYS.map(([path, name]) => html`<li><a href="${path}"${path === under && html` aria-current="page"`}>${name}</a></li>\n`)}</ul></nav>
<form class="find" action="/find" role="search"><label for="find" class="unseen">Find by id, amount or payee</label>
<input id="find" name="id" placeholder="id, amount, payee" maxlength="256" autocomplete="off" spellcheck="false"><button>Find</button></form>
<a class="halt" href="/halt">Halt…</a>
</header>
${everywhere !== undefined && placeOf(everywhere)}
<main id="main" tabindex="-1">
${digitsSwitch(body)}<h1>${title}</h1>${
      id !== undefined &&
      html`
<p class="subject">${copyable(id)}</p>`
    }
${body}
</main>
<footer><p id="live" role="status">${topic === undefined ? 'as it was when it was loaded' : 'as it was when it was loaded; with JavaScript it updates itself'}</p>
<p class="dim">Times are UTC. This page asks only this console.</p></footer>
<script src="/assets/console.js" defer></script>
</body>`,
  )
}

/** How a page continues by itself: at once at an address, or by a script of this server. */
interface Continuing {
  readonly goesOnTo?: string
  readonly script?: string
}

/** A page for somebody without a session: it has no navigation, and nothing about the account. */
export function plainPage(title: string, body: Part, { goesOnTo, script }: Continuing = {}): string {
  const on =
    goesOnTo === undefined
      ? script !== undefined && html`<script src="${script}" defer></script>`
      : html`<meta http-equiv="refresh" content="0;url=${goesOnTo}">`
  return documentOf(title, html`<body class="alone"><main id="main"><h1>${title}</h1>\n${body}</main></body>`, on)
}

function documentOf(title: string, body: Html, head?: Part): string {
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<title>${title} · Sluice</title>
<link rel="stylesheet" href="/assets/console.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
${body}
</html>
`.text
  }`
}

function placeOf({ halts, journal, service, stage }: Everywhere): Html {
  return html`<div id="place" role="region" aria-label="Service and halts" data-live>
<p class="where"><span class="stage ${stage === 'live' ? 'bad' : 'plain'}">${stage === 'live' ? 'stage live: real money' : `stage ${stage}`}</span> ${service} <span class="dim">journal ${journal}</span></p>
${halts.length > 0 && html`<div class="halted" role="alert"><b>${halts.some(({ scope }) => scope === '*') ? 'Sending is halted.' : 'Some sending is halted.'}</b> <ul>${halts.map(({ scope, by, because, at }) => html`<li>${scopeText(scope)}, by ${by} since ${moment(at)}: ${said(because)}</li>`)}</ul> <a href="/halt">Resume…</a></div>`}
</div>`
}

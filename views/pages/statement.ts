// Builds the statement of the account as a page that prints: the form for its period, and for each asset its lines and its
// proof. It is proven to the digit, so it cuts no figure. Pure.

import { localText } from '../../operations/books/period.ts'
import type {
  AccountStatement,
  AssetStatement,
  BalanceProof,
} from '../../operations/books/statement/account-statement.ts'
import type { StatementRequest } from '../../operations/books/statement/make-statement.ts'
import type { Everywhere } from '../../place/reader.ts'
import { proofText, type StatementRow, statementRows } from '../books/statement-rows.ts'
import { badge, facts, none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { grouped, moment } from '../html/shown-figures.ts'
import { spelled, total } from '../runs/figures.ts'
import { page } from './layout.ts'

interface StatementPage {
  readonly asked: StatementRequest
  /** Absent where no period was asked for. */
  readonly made: AccountStatement | undefined
  /** A day in UTC. */
  readonly today: string
  readonly everywhere: Everywhere
}

/** Maximum faults on the page. The command shows more. */
const MOST_FAULTS = 50

export function statementPage({ asked, made, today, everywhere }: StatementPage): string {
  return page({
    title: 'Statement',
    under: '/statement',
    everywhere,
    body: html`${form(asked, today)}
${made === undefined ? periods(today) : statement(made, asked, everywhere)}`,
  })
}

/** Nothing was asked for: a statement reads the whole period at the service, so the page asks first. */
function periods(today: string): Markup {
  const [from, before] = [monthOf(today, 0), monthOf(today, 1)]
  return html`<p>Choose a period and press Show, or take <a href="/statement?from=${from}">this month so far</a> or <a href="/statement?from=${before}&amp;to=${from}">the month before</a>. For each asset it shows the balances at both ends and what moved between them, with their proof.</p>`
}

/** The first day of the month that is `ago` months before the month of `today`. */
function monthOf(today: string, ago: number): string {
  const [year, month] = [today.slice(0, 4), today.slice(5, 7)].map(Number) as [number, number]
  return new Date(Date.UTC(year, month - 1 - ago, 1)).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

function form({ from, to, zone, asset }: StatementRequest, today: string): Markup {
  const field = (name: string, label: string, value: string, more = '') =>
    html`<p class="field"><label for="${name}">${label}</label> <input id="${name}" name="${name}" value="${value}" maxlength="64" placeholder="${more}"></p>`
  return html`<form action="/statement" class="filters unprinted">
${field('from', 'From', from ?? monthOf(today, 0), '2026-01-01')}
${field('to', 'Until right before', to ?? '', 'the present')}
${field('zone', 'Time zone', zone ?? 'UTC', 'UTC')}
${field('asset', 'Asset', asset ?? '', 'all')}
<button>Show</button></form>`
}

function statement(made: AccountStatement, asked: StatementRequest, { service, stage }: Everywhere): Markup {
  const { account, assets, faults, faultsTotal, from, isProven, readAt, to, zone } = made
  const [first, end] = [from, to].map((at) => localText(zone, Date.parse(at)))
  const proven = isProven ? badge('proven to the last digit', 'good') : badge('not proven', 'bad')
  return html`<p class="unprinted"><a href="/statement.csv?${new URLSearchParams({ ...asked }).toString()}" download>As CSV</a>. To print it, or to save it as PDF, use the browser's own print.</p>
${section(
  'statement',
  `${first} until right before ${end} (${zone})`,
  html`${facts([
    // On paper the bar with the place is missing.
    ['service', `${service}, stage ${stage}`],
    ['account', account ?? 'unknown'],
    ['amounts', 'settled units'],
    ['read at', moment(readAt)],
    ['against the balance history of the service', proven],
  ])}
${faults.slice(0, MOST_FAULTS).map((fault) => html`<p class="bad">${fault}</p>`)}
${faultsTotal > MOST_FAULTS && html`<p class="bad">and ${faultsTotal - MOST_FAULTS} more. A shorter period shows its own.</p>`}
${assets.length === 0 && none('Nothing was held or moved in this time.')}`,
  { isLive: false },
)}
${assets.length > 1 && allAssets(assets)}
${assets.filter((each) => assets.length === 1 || hasMore(each)).map(assetSection)}`
}

/** One row for each asset. The assets that have more to show follow in sections of their own. */
function allAssets(assets: readonly AssetStatement[]): Markup {
  const sums = (side: 'in' | 'out') => (each: AssetStatement) => nonZero(total(each.lines.map((line) => line[side])))
  const rows = table(
    'All assets',
    [
      {
        title: 'asset',
        text: (each) => (hasMore(each) ? html`<a href="#asset-${each.asset}">${each.asset}</a>` : each.asset),
        isHead: true,
      },
      { title: 'opening', text: ({ opening }) => opening, isAmount: true, by: 'nowhere' },
      { title: 'in', text: sums('in'), isAmount: true, by: 'nowhere' },
      { title: 'out', text: sums('out'), isAmount: true, by: 'nowhere' },
      { title: 'closing', text: ({ closing }) => closing, isAmount: true, by: 'nowhere' },
      { title: 'proof', text: ({ proof }) => proofBadge(proof) },
    ],
    assets,
  )
  return section('all-assets', 'All assets', rows, { isLive: false })
}

function nonZero(amount: string): string {
  return amount === '0' ? '' : amount
}

function hasMore({ actions, lines, proof, rebased }: AssetStatement): boolean {
  return lines.length > 0 || actions.length > 0 || rebased !== undefined || !proof.isProven
}

function proofBadge({ isProven }: BalanceProof): Markup {
  return isProven ? badge('proven', 'good') : badge('not proven', 'bad')
}

function assetSection(statement: AssetStatement): Markup {
  const { asset, proof } = statement
  const rows = statementRows(statement).slice(0, -1)
  const body = html`${table(
    asset,
    [
      { title: 'line', text: (row) => row.line, isHead: true },
      { title: 'in', text: (row) => row.in, isAmount: true, by: 'nowhere' },
      { title: 'out', text: ({ out }) => out, isAmount: true, by: 'nowhere' },
      { title: 'count', text: ({ count }) => count, isAmount: true },
      { title: 'balance', text: ({ balance }) => balance, isAmount: true, by: 'nowhere' },
    ],
    rows,
    noteOf,
  )}
<p>${proofBadge(proof)} <span class="dim">${proofText(groupedProof(proof))}</span></p>`
  return section(`asset-${asset}`, asset, body, { isLive: false })
}

function noteOf({ note }: StatementRow): Markup | undefined {
  return note === '' ? undefined : html`<p class="dim">${spelled(note)}</p>`
}

/** The balances of a proof name no asset, so they are not found as amounts in its sentence. */
function groupedProof({ openingBalance, closingBalance, why, ...proof }: BalanceProof): BalanceProof {
  return {
    ...proof,
    openingBalance: grouped(openingBalance),
    closingBalance: grouped(closingBalance),
    ...(why !== undefined && { why: why.replace(/\d+(\.\d+)?/g, grouped) }),
  }
}

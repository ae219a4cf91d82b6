// Shows what the account holds now, with the time of the answer, and how far each policy is from its targets. Pure.

import { counted } from '../../core/printable.ts'
import type { AccountNow, Holding, SentOnly, TargetRow, Targets } from '../../operations/overview/account.ts'
import type { Spell } from '../../place/next-step.ts'
import { none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { figure, moment, said } from '../html/shown-figures.ts'
import { byValue, difference, percent, sentence, shareOf, total } from '../runs/figures.ts'
import { nextStep } from './next-step.ts'

/** The service values each balance in this currency. */
const UNIT = 'USD'
const CENTS = 'cents' as const

/** `onTheWay`: withdrawals that the service accepted, and whose end is not known. */
export function accountNow(account: AccountNow, onTheWay: readonly SentOnly[], spell: Spell): Markup {
  if ('unread' in account)
    return html`<p class="wait">The balances could not be read at ${moment(account.at)}: ${account.unread}.</p>
${nextStep(account.next, spell)}${sentNow(onTheWay, 'The balances give them no value now.')}`
  const { at, holdings, totalValue, unreadable } = account
  return html`<p><b class="sum">${figure(totalValue, CENTS)} ${UNIT}</b> <span class="dim">in total, as the service answered at ${moment(at)} and values it.${holdings.every(isAtRest) && unreadable.length === 0 && onTheWay.length === 0 && ' Nothing is on its way there.'}</span></p>
${unreadable.map((text) => html`<p class="bad">Not in the total: ${text}.</p>`)}${sentNow(onTheWay, 'Assets that the account no longer holds have no value here.')}
${
  holdings.length === 0
    ? none('The account holds nothing.')
    : table(
        'Balances',
        [
          { title: 'asset', text: ({ asset }) => asset, isHead: true },
          { title: 'balance', text: ({ balance }) => balance, isAmount: true },
          { title: 'of it on its way out', text: ({ leaving }) => unlessZero(leaving), isAmount: true },
          { title: 'on its way in', text: ({ arriving }) => unlessZero(arriving), isAmount: true },
          { title: `value, ${UNIT}`, text: ({ value }) => value, isAmount: true, by: CENTS },
          { title: 'share %', text: ({ value }) => shareOf(value, totalValue) ?? '', isAmount: true, by: CENTS },
        ] satisfies Cells<Holding>,
        byValue(holdings, ({ value }) => value),
      )
}`
}

/**
 * Says that nothing needs a person only where the service was asked too: the journal alone does not show a refused key. Also beside
 * cases, of which none may name it. `count`: of the cases.
 */
export function needsNote(count: number, account: AccountNow, spell: Spell): Markup | false {
  if (!('unread' in account)) return count === 0 && html`<p class="good">Nothing needs a person.</p>`
  const at = moment(account.at)
  return account.isKeyRefused
    ? html`<p class="bad">The service refuses the key that reads the account, as it answered at ${at}: ${sentence(spell(account.next))}</p>`
    : html`<p class="wait">${count === 0 && 'Nothing in the journal needs a person. '}The service could not be asked at ${at}.</p>`
}

type Cells<Row> = Parameters<typeof table<Row>>[1]

/** `unvalued`: why some of them may have no value. */
function sentNow(sent: readonly SentOnly[], unvalued: string): Markup | false {
  if (sent.length === 0) return false
  const values = sent.flatMap(({ value }) => value ?? [])
  const sum = values.length === 0 ? '' : html`some ${figure(total(values), CENTS)} ${UNIT} `
  return html`<p class="wait">${counted(sent.length, 'withdrawal')}: ${sum}sent and not confirmed.${values.length < sent.length && ` ${unvalued}`}</p>
${table(
  'Sent and not confirmed',
  [
    {
      title: 'movement',
      text: ({ asked, intentId }) => html`<a href="/intents/${intentId}">${said(asked)}</a>`,
      isHead: true,
    },
    { title: 'since', text: ({ since }) => moment(since) },
    { title: `value, ${UNIT}`, text: ({ value = '' }) => value, isAmount: true, by: CENTS },
  ] satisfies Cells<SentOnly>,
  sent,
)}`
}

function isAtRest({ leaving, arriving }: Holding): boolean {
  return unlessZero(leaving) === '' && unlessZero(arriving) === ''
}

function unlessZero(amount: string): string {
  return /[1-9]/.test(amount) ? amount : ''
}

/** Nothing where the account could not be read, or no policy has a target. */
export function targetsNow(account: AccountNow): Markup | false {
  if ('unread' in account || account.targets.length === 0) return false
  return section(
    'targets',
    'Against targets now',
    html`<p class="dim">By the values above. A plan asks the markets, and leaves out reserves and what is in doubt: open a policy to make a plan.</p>
<div class="cards">${account.targets.map(targetsOf)}</div>`,
  )
}

function targetsOf(targets: Targets): Markup {
  const { policy, band, isShare, unit, rows } = targets
  const whole = total(rows.map(worthOf))
  const target = isShare
    ? [
        { title: 'off by %', text: (row: TargetRow) => distance(row, whole), isAmount: true, by: CENTS },
        { title: 'share %', text: (row: TargetRow) => shareOf(worthOf(row), whole) ?? '', isAmount: true, by: CENTS },
        { title: 'target %', text: (row: TargetRow) => percent(row.target), isAmount: true, by: CENTS },
      ]
    : [{ title: `target, ${unit}`, text: (row: TargetRow) => row.target, isAmount: true, by: CENTS }]
  return html`<article class="card" aria-labelledby="targets-${policy}"><h3 id="targets-${policy}"><a href="/policies/${policy}">${policy}</a></h3>
<p class="dim">Band: ${bandText(band)}.</p>
${table(
  `Targets of ${policy}`,
  [
    { title: 'asset', text: ({ asset }) => asset, isHead: true },
    ...target,
    { title: `value, ${UNIT}`, text: (row) => worthOf(row), isAmount: true, by: CENTS },
    { title: 'balance', text: ({ holding }) => holding?.balance ?? '0', isAmount: true },
  ],
  byValue(rows, worthOf),
)}</article>`
}

function worthOf({ holding }: TargetRow): string {
  return holding?.value ?? '0'
}

/** Percentage points between the share and its target. */
function distance(row: TargetRow, whole: string): string {
  const share = shareOf(worthOf(row), whole)
  return share === undefined ? '' : difference(percent(row.target), share)
}

export function bandText({ of, bps }: Targets['band']): string {
  return of === 'absolute' ? `${bps / 100} % of the value of the policy's assets` : `${bps / 100} % of each target`
}

// Formats figures and times as people read them on a page. A long figure is cut, and a switch on the page shows every
// digit instead. Digits are in groups of three. Pure.
import { AMOUNT_DIGITS, type Cut, grouped, prose, readable, spelled } from '../runs/figures.ts'
import { html, type Markup, type Part } from './markup.ts'

export { grouped } from '../runs/figures.ts'

export function figure(exact: string, by: Cut): Markup {
  return digits(grouped(readable(exact, by)), grouped(exact))
}

/** A sentence whose long amounts are cut. */
export function said(text: string): Markup {
  return digits(prose(text, AMOUNT_DIGITS), spelled(text))
}

/** The short text, and in its place the text with every digit where the switch is on. */
export function digits(few: string, all: string): Markup {
  if (few === all) return html`${all}`
  return html`<span class="digits" title="${all.trim()}"><span class="few">${few}</span><span class="all">${all}</span></span>`
}

/** The switch that shows every digit, for a page that leaves some out. It works without a script. */
export function digitsSwitch(body: Part): Markup | false {
  if (!html`${body}`.text.includes('class="digits"')) return false
  return html`<p class="switch"><label><input type="checkbox" id="every-digit"> Every digit</label></p>`
}

/** Significant digits of a rate. Further digits come from rounding. */
const RATE_DIGITS = 10

/** A rate with ten significant digits, and with every digit before the point. */
export function rate(text: string): string {
  const [, whole = '', zeros = '', rest = ''] = /^([0-9]+)\.(0*)([0-9]*)$/.exec(text) ?? []
  const room = whole === '0' ? RATE_DIGITS : Math.max(2, RATE_DIGITS - whole.length - zeros.length)
  return rest.length <= room ? text : `${whole}.${zeros}${rest.slice(0, room)}…`
}

/** A time in UTC, such as `2026-01-31 09:00:05`; `datetime` has the milliseconds. An unreadable text stays unchanged. */
export function moment(iso: string | null | undefined): Markup | undefined {
  if (iso === undefined || iso === null || iso === '') return undefined
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return html`<span>${iso}</span>`
  const utc = new Date(ms).toISOString()
  return html`<time datetime="${utc}" title="${utc}">${utc.slice(0, 10)} ${utc.slice(11, 19)}</time>`
}

/** `4.2 s`, `3 min 5 s`, `2 h 3 min`. */
export function lasted(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}

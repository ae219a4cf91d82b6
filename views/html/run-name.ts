// Names a run by its policy and its start, as people speak of it, with its id beside to copy. Pure.
import { html, type Markup } from './markup.ts'

export interface NamedRun {
  readonly runId: string
  readonly policy: string
  /** ISO-8601. */
  readonly startedAt: string
}

/** `balanced, 24 Nov 09:00`, in UTC. */
export function runName({ policy, startedAt }: Pick<NamedRun, 'policy' | 'startedAt'>): string {
  return `${policy}, ${dayAndMinute(startedAt)}`
}

/** `24 Nov 09:00`, in UTC. An unreadable text stays unchanged. */
export function dayAndMinute(iso: string): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  const at = new Date(ms)
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.toISOString().slice(11, 16)}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** `page`: the part of the run's address behind its id, such as `/decide`. */
export function runLink(run: NamedRun, page = ''): Markup {
  return html`<a href="/runs/${run.runId}${page}">${runName(run)}</a> ${copyable(run.runId)}`
}

/** One click selects the whole id. */
export function copyable(id: string): Markup {
  return html`<code class="id">${id}</code>`
}

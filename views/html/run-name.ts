// Links a run by its name, with its id beside to copy. Pure.
import { type NamedRun, runName } from '../../operations/words/run-name.ts'
import { html, type Markup } from './markup.ts'

/** `page`: the part of the run's address behind its id, such as `/decide`. */
export function runLink(run: NamedRun, page = ''): Markup {
  return html`<a href="/runs/${run.runId}${page}">${runName(run)}</a> ${copyable(run.runId)}`
}

/** One click selects the whole id. */
export function copyable(id: string): Markup {
  return html`<code class="id">${id}</code>`
}

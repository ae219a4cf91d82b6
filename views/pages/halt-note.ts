// Says what a decision does while sending is halted. Pure.
import type { Halt } from '../../core/journal/halts.ts'
import { scopeText } from '../../operations/words/halt-words.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment } from '../html/shown-figures.ts'

/** `until`: ISO-8601, from then on nothing is sent for it. Nothing where nothing is halted. */
export function haltNote(halt: Halt | undefined, until?: string): Markup | false {
  return (
    halt !== undefined &&
    html`<span class="wait">Sending is halted (${scopeText(halt.scope)}, by ${halt.by} since ${moment(halt.at)}). An approval is recorded now, and carried out once the halt ends${until !== undefined && html`, if it ends before ${moment(until)}`}.</span>`
  )
}

// Shows a code by its name, with the code beside it, by which people filter and write scripts. Pure.
import { isSpelled } from '../../core/contract/outcome-names.ts'
import { html, type Markup, type Part } from './markup.ts'

/** The code is left out where its name spells it. `as` shows the name, such as by a badge. */
export function named(name: string, code: string, as: Part = name): Markup {
  return name === code || isSpelled(name, code) ? html`${as}` : html`${as} <code class="code">${code}</code>`
}

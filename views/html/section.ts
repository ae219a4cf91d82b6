// Builds a part of a page with its own title. Pure.
import { html, type Markup, type Part } from './markup.ts'

/** A live part is replaced when the topic of the page changes. */
export function section(
  id: string,
  title: string,
  body: Part,
  { isLive = true }: { readonly isLive?: boolean } = {},
): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"${isLive && html` data-live`}>
<h2 id="${id}-title">${title}</h2>
${body}</section>
`
}

// The forms of the pages. Each carries the token of its session. Who decides and why is asked for as the commands ask for
// it. Pure.
import { html, type Markup, type Part } from '../html/markup.ts'

/** Of the session that the page is for. */
export interface FormSeal {
  readonly token: string
  /** Who uses this machine, as the commands take it. */
  readonly by: string
  /** Where a decision is of whoever's credentials these are, no name is asked for. */
  readonly isNamed: boolean
}

export interface Form {
  readonly action: string
  /** What is sent besides what a person fills in. */
  readonly hidden?: Readonly<Record<string, string>>
  readonly fields?: Part
  readonly button: string
  readonly look?: 'good' | 'bad' | 'plain'
}

export function form({ token }: FormSeal, { action, hidden = {}, fields, button, look = 'plain' }: Form): Markup {
  return html`<form method="post" action="${action}" class="act">
<input type="hidden" name="token" value="${token}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields}<button class="${look}">${button}</button></form>
`
}

/** Unique on its page, so that a label has one field. */
export function reasonFields({ by, isNamed }: FormSeal, id: string, { isReasonNeeded = true } = {}): Markup {
  return html`<p class="field"><label for="${id}-because">Why</label>
<input id="${id}-because" name="because" maxlength="500" autocomplete="off"${isReasonNeeded && html` required`}></p>
${
  isNamed &&
  html`<p class="field"><label for="${id}-by">Who decides</label>
<input id="${id}-by" name="by" value="${by}" maxlength="100" autocomplete="off" required></p>`
}`
}

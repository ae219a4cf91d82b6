// Shows the next step that an error names. A page of the console takes the place of a command that it can replace. Pure.
import { INVOCATION } from '../../place/words/command-line.ts'
import { html, type Markup } from '../html/markup.ts'

/** The commands that a page replaces, each with the path of that page and the text of its link. */
const PAGES: readonly (readonly [command: RegExp, path: (id: string) => string, text: string])[] = [
  [/\bcases (?:list|again|resolve|release)\b()/, () => '/attention', 'See what waits for a person…'],
  [/\bruns show ([\w-]+)/, (id) => `/runs/${id}`, 'See the run…'],
  [/\bmovements show ([\w-]+)/, (id) => `/find?id=${id}`, 'See what became of it…'],
  [/\bmovements list\b()/, () => '/movements', 'See all movements…'],
  [/\b(?:run rebalance|run sweep|plan) ([a-z][\w-]*)/, (id) => `/policies/${id}`, 'To the policy…'],
  [/\bevents dead-letters\b()/, () => '/events', 'See the dead letters…'],
  [/\bresume\b()/, () => '/halt', 'See the halts…'],
  [/\b(?:policies|runs list)\b()/, () => '/', 'To the overview…'],
]

export function nextStep(next: string): Markup {
  const isCommand = next.startsWith(`${INVOCATION} `)
  const notice = isCommand ? /\bevents notices set ([\w-]+) --address FILE/.exec(next)?.[1] : undefined
  if (notice !== undefined) return noticeAddress(notice, next)
  for (const [command, path, text] of isCommand ? PAGES : []) {
    const id = command.exec(next)?.[1]
    if (id !== undefined) return html`<p><a class="button" href="${path(id)}">${text}</a></p>`
  }
  return html`<p class="dim">next: ${isCommand ? html`<code>${next}</code>` : next}</p>`
}

/** An address is a secret, so no page takes it. The page of events has the button that tries it out. */
function noticeAddress(notice: string, command: string): Markup {
  return html`<p>The notice <b>${notice}</b> has no address yet, so nothing can be sent to it. Its receiver, such as a chat, gives
one under the name "incoming webhook". Whoever runs Sluice sets it, because the address is a secret and no page takes it: they
write it into a file of its own, and give that file to <code>${command}</code>. Then send the test again.</p>
<p><a class="button" href="/events#notice-${notice}">To the notice…</a></p>`
}

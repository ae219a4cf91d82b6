// Shows what a person may do next. The page that a step leads to takes the place of its command. Pure.
import { type Advice, partsOf, type Spell, type Step } from '../../place/next-step.ts'
import { html, type Markup } from '../html/markup.ts'

const ATTENTION = ['/attention', 'See what waits for a person…'] as const

type Link = readonly [path: string, text: string]

/** `spell`: for a step that has no page, as whoever opened the console would type it. */
export function nextStep(next: Advice, spell: Spell): Markup {
  const parts = partsOf(next)
  const [only] = parts
  if (parts.length > 1 || only === undefined || typeof only === 'string' || 'option' in only)
    return html`<p class="dim">next: ${spell(next)}</p>`
  if (only.do === 'set-notice') return noticeAddress(only.notice, spell(only))
  const link = pageOf(only)
  if (link === undefined) return html`<p class="dim">next: <code>${spell(only)}</code></p>`
  return html`<p><a class="button" href="${link[0]}">${link[1]}</a></p>`
}

function pageOf(step: Step): Link | undefined {
  switch (step.do) {
    case 'list-cases':
    case 'enter-again':
    case 'resolve':
    case 'release':
      return ATTENTION
    case 'show-run':
    case 'approve':
    case 'decide':
      return [`/runs/${encodeURIComponent(step.id)}`, 'See the run…']
    case 'show-movement':
      return [`/find?id=${encodeURIComponent(step.id)}`, 'See what became of it…']
    case 'list-movements':
      return ['/movements', 'See all movements…']
    case 'plan':
    case 'run':
      return step.policy === undefined ? undefined : [`/policies/${step.policy}`, 'To the policy…']
    case 'list-letters':
      return ['/events', 'See the dead letters…']
    case 'resume':
      return ['/halt', 'See the halts…']
    case 'list-policies':
    case 'list-runs':
      return ['/', 'To the overview…']
    default:
      return undefined
  }
}

/** An address is a secret, so no page takes it. The page of events has the button that tries it out. */
function noticeAddress(notice: string, command: string): Markup {
  return html`<p>The notice <b>${notice}</b> has no address yet, so nothing can be sent to it. Its receiver, such as a chat, gives
one under the name "incoming webhook". Whoever runs Sluice sets it, because the address is a secret and no page takes it: they
write it into a file of its own, and give that file to <code>${command}</code>. Then send the test again.</p>
<p><a class="button" href="/events#notice-${notice}">To the notice…</a></p>`
}

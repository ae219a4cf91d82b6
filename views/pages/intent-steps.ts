// Says why an intent that has sent nothing waits, how its wait ends by itself, and what a person can do. Pure.
import { IntentState } from '../../core/contract/records.ts'
import type { IntentCourse } from '../../operations/movements/intent-course.ts'
import type { IntentPage } from '../../operations/runs/run.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment } from '../html/shown-figures.ts'
import { sentence } from '../runs/figures.ts'
import { type FormSeal, form } from './forms.ts'
import { movementDecision } from './movement-decision.ts'

export function intentSteps({ intent, movement, halts }: IntentPage, seal: FormSeal): Markup | false {
  if (intent.state === IntentState.Armed) return intent.attention === undefined && doubtOf(intent)
  if (intent.state !== IntentState.Ready) return false
  if (movement !== undefined) return movementDecision(movement, seal)
  const { intentId, facts, policy } = intent
  const held = heldNow(intent)
  const isHalted = halts.some(({ scope }) => scope === '*' || scope === policy)
  const notAfter = facts.find((fact) => fact.fact === 'asked')?.notAfter
  const open = facts.findLast((fact) => fact.fact === 'open')
  return html`${held !== undefined && html`<p class="wait">It is held, and sent nothing: ${sentence(held)} It continues by itself once that is over.</p>`}
<p>${notAfter !== undefined && html`From ${moment(notAfter)} on nothing is sent for it: then it ends, and moved nothing.`}</p>
${isHalted && html`<p>Sending is halted. <a class="button" href="/halt">Resume…</a></p>`}
${open?.isUnderWay === false && html`<p class="wait">No execution of it is under way, so nothing continues it by itself.</p>${form(seal, { action: `/intents/${intentId}/again`, button: 'Continue it now…' })}`}`
}

function doubtOf({ facts }: IntentCourse): Markup {
  const until = facts.findLast((fact) => fact.fact === 'open')?.until
  const when = until === undefined ? 'Soon' : html`By ${moment(until)}`
  return html`<p class="wait">Whether it moved is not known yet. ${when} it is known: its movement is found, or it is certain that nothing moved. It needs nobody meanwhile.</p>`
}

/** The reason of a hold that is the last that happened to it. */
function heldNow({ facts }: IntentCourse): string | undefined {
  const last = facts.findLast(({ fact }) => fact !== 'open')
  return last?.fact === 'held' ? last.why : undefined
}

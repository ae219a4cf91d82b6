// Says what an intent waits for, how its wait ends by itself, and what a person can do. Pure.
import { IntentState } from '../../core/contract/records.ts'
import type { IntentCourse } from '../../operations/movements/intent-course.ts'
import type { IntentPage } from '../../operations/runs/run.ts'
import type { DecidedMovement, WaitingMovement } from '../../operations/runs/waiting-movements.ts'
import { haltOf } from '../../operations/words/halt-words.ts'
import { html, type Markup } from '../html/markup.ts'
import { movementBadge, readyBadge, sentBadge } from '../html/outcome-badge.ts'
import { moment } from '../html/shown-figures.ts'
import { sentence } from '../runs/figures.ts'
import { type FormSeal, form } from './forms.ts'
import { movementDecision } from './movement-decision.ts'
import { serviceWait } from './run-steps.ts'

export function intentSteps({ intent, movement, decided, halts }: IntentPage, seal: FormSeal): Markup | false {
  if (intent.state === IntentState.Armed) return intent.attention === undefined && doubtOf(intent)
  const { intentId, kind, run, waits } = intent
  // A leg ends with its run, which is checked on its own page.
  if (waits !== undefined) {
    const check = run === undefined ? `/intents/${kind}/${intentId}/check` : `/runs/${run}/check`
    return serviceWait({ waits: [waits], check }, seal)
  }
  if (intent.state !== IntentState.Ready) return false
  if (movement !== undefined) return movementDecision(movement, haltOf(halts, intent.policy), seal, 3)
  const { facts } = intent
  const held = heldNow(intent, decided)
  const isHalted = haltOf(halts, intent.policy) !== undefined
  const notAfter = facts.find((fact) => fact.fact === 'asked')?.notAfter
  const open = facts.findLast((fact) => fact.fact === 'open')
  return html`${decided !== undefined && decidedText(decided)}${held !== undefined && html`<p class="wait">It is held, and sent nothing: ${sentence(held)} It continues by itself once that is over.</p>`}
<p>${notAfter !== undefined && html`From ${moment(notAfter)} on nothing is sent for it: then it ends, and moved nothing.`}</p>
${isHalted && html`<p>Sending is halted. <a class="button" href="/halt">Resume…</a></p>`}
${open?.isUnderWay === false && html`<p class="wait">No execution of it is under way, so nothing continues it by itself.</p>${form(seal, { action: `/intents/${intentId}/again`, button: 'Continue it now…' })}`}`
}

const NEXT = {
  approved: 'It checks again within 5 minutes, and is then sent, unless something else stands against it.',
  rejected: 'It checks again within 5 minutes, and then ends. Nothing moves.',
} as const

function decidedText({ decision, words }: DecidedMovement): Markup {
  const each = words.map(({ by, at, because }) => html`${by} at ${moment(at)}: ${sentence(because)} `)
  return html`<p class="wait">It is ${decision}${each.length > 0 && ' by '}${each.length > 0 ? each : '. '}${NEXT[decision]}</p>
`
}

interface Wait {
  readonly state: string
  readonly movement: Pick<WaitingMovement, 'isOver' | 'missing'> | undefined
  readonly decided?: DecidedMovement['decision'] | undefined
  readonly isHalted: boolean
  /** The reason of a hold. */
  readonly held?: string | undefined
}

/** Names the wait of a movement that has sent nothing. Undefined where it waits for nothing, or that is not known. */
export function waitOf({ state, movement, decided, isHalted, held }: Wait): string | undefined {
  if (state !== IntentState.Ready) return undefined
  if (movement !== undefined)
    return movement.isOver
      ? 'its end'
      : `${movement.missing === 1 ? 'a person' : `${movement.missing} people`} to approve it`
  if (decided === 'rejected') return 'its end'
  if (isHalted) return 'the end of a halt'
  return held === undefined ? undefined : 'its turn'
}

/** The badge of an intent, which says what it waits for. */
export function intentBadge({ intent, movement, decided, halts }: IntentPage): Markup {
  const { outcome, state, waits } = intent
  if (outcome === undefined && waits !== undefined) return sentBadge(waits)
  const waitsFor =
    outcome === undefined
      ? waitOf({
          state,
          movement,
          decided: decided?.decision,
          isHalted: haltOf(halts, intent.policy) !== undefined,
          held: heldNow(intent, decided),
        })
      : undefined
  return waitsFor === undefined ? movementBadge(outcome ?? state) : readyBadge(waitsFor)
}

function doubtOf({ facts }: IntentCourse): Markup {
  const until = facts.findLast((fact) => fact.fact === 'open')?.until
  const when = until === undefined ? 'its fence' : moment(until)
  return html`<p class="wait">Whether it moved is not known yet. A read after ${when} finds its movement, or makes certain that nothing moved. It needs nobody meanwhile.</p>`
}

/** The reason of its present hold. A hold from before people's decision may have waited for that decision, so it is over. */
function heldNow({ facts }: IntentCourse, decided: IntentPage['decided']): string | undefined {
  const last = facts.findLast(({ fact }) => fact !== 'open')
  if (last?.fact !== 'held') return undefined
  const decidedMs = Math.max(...(decided?.words ?? []).map(({ at }) => Date.parse(at)))
  return last.at !== undefined && Date.parse(last.at) < decidedMs ? undefined : last.why
}

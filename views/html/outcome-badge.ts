// Names each outcome and state in words, with its code beside, by which people filter and write scripts. Links a run
// by its name, with its id beside to copy. Pure.

import { isSpelled, outcomeName, REFUND_DUE } from '../../core/contract/outcome-names.ts'
import { IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { ServiceWait } from '../../operations/movements/service-wait.ts'
import { lookOfLeg, outcomeWords } from '../../operations/words/outcome-words.ts'
import { type NamedRun, runName } from '../../operations/words/run-name.ts'
import { badge } from './html-table.ts'
import { html, type Markup, type Part } from './markup.ts'

const DECIDED = { approved: 'approved, continues', rejected: 'rejected, ends' } as const

/** `decision`: people's decision on the plan of a run that waited for them. */
export function runBadge(outcome: string, decision?: keyof typeof DECIDED): Markup {
  const isDecided = outcome === RunEnd.AwaitingApproval && decision !== undefined
  return badged(outcome, outcomeWords(outcome, decision).look, isDecided ? DECIDED[decision] : outcomeName(outcome))
}

/** The outcome of a movement, or its state while it has none. */
export function movementBadge(outcome: string): Markup {
  return badged(outcome, lookOf(outcome), outcomeName(outcome))
}

/** The state of a movement that has sent nothing. `waitsFor`: such as `a person to approve it`. */
export function readyBadge(waitsFor: string): Markup {
  return badged(IntentState.Ready, 'wait', `waits for ${waitsFor}, nothing has been sent`)
}

/** The state of a movement that the service has accepted, and whose end it has not shown. */
export function sentBadge({ isBank, isRefundDue }: Pick<ServiceWait, 'isBank' | 'isRefundDue'>): Markup {
  if (isRefundDue) return movementBadge(REFUND_DUE)
  return badged(IntentState.Done, 'wait', `sent, waits for ${isBank ? 'the bank' : 'the service'}`)
}

/** A run under way whose legs are all sent, and wait for the service or a bank. */
export function waitingRunBadge(isBank: boolean): Markup {
  return badged('RUNNING', 'wait', `waits for ${isBank ? 'a bank' : 'the service'}`)
}

/** The state of a movement that needs a person. Its order or withdrawal may exist, and yet have come to no end. */
export function caseBadge(state: string): Markup {
  return state === IntentState.Done ? badged(state, 'bad', 'end not known') : movementBadge(state)
}

function lookOf(outcome: string): string {
  // The list does not know whether it completed, failed or came back.
  if (outcome === IntentState.Done) return 'plain'
  return outcome === IntentState.Escalated ? 'bad' : lookOfLeg(outcome)
}

function badged(code: string, look: string, name = code): Markup {
  return named(name, code, badge(name, look))
}

/** The code is left out where its name spells it. `as` shows the name, such as by a badge. */
export function named(name: string, code: string, as: Part = name): Markup {
  return name === code || isSpelled(name, code) ? html`${as}` : html`${as} <code class="code">${code}</code>`
}

/** `page`: the part of the run's address behind its id, such as `/decide`. */
export function runLink(run: NamedRun, page = ''): Markup {
  return html`<a href="/runs/${run.runId}${page}">${runName(run)}</a> ${copyable(run.runId)}`
}

/** One click selects the whole id. */
export function copyable(id: string): Markup {
  return html`<code class="id">${id}</code>`
}

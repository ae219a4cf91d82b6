// Names each outcome and state in words, with its code beside, by which people filter and write scripts. Pure.
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { outcomeWords, toneOfLeg } from '../../operations/words/outcome-words.ts'
import { badge } from './html-table.ts'
import { html, type Markup } from './markup.ts'

type Code = RunEnd | ConvertEnd | WithdrawEnd | IntentState | 'RUNNING'

const NAMES: Readonly<Record<Code, string>> = {
  RUNNING: 'under way',
  [RunEnd.Settled]: 'settled',
  [RunEnd.PartlySettled]: 'partly settled',
  [RunEnd.NothingMoved]: 'nothing moved',
  [RunEnd.NothingToDo]: 'nothing to do',
  [RunEnd.OffTarget]: 'off target',
  [RunEnd.Shadowed]: 'only planned',
  [RunEnd.Guarded]: 'refused by a guard',
  [RunEnd.Halted]: 'halted',
  [RunEnd.AlreadyRunning]: 'another run was under way',
  [RunEnd.AwaitingApproval]: 'waits for approval',
  [RunEnd.Disapproved]: 'rejected by a person',
  [RunEnd.ApprovalVoid]: 'approval no longer held',
  [RunEnd.Failed]: 'failed',
  [RunEnd.OwnFault]: 'stopped by a fault of ours',
  [RunEnd.NeedsAttention]: 'needs a person',
  [ConvertEnd.Filled]: 'filled',
  [ConvertEnd.PriceRefused]: 'price refused',
  [ConvertEnd.ExpiredOut]: 'time ran out',
  [ConvertEnd.Rejected]: 'declined',
  [ConvertEnd.Stuck]: 'stuck at the service',
  [WithdrawEnd.Completed]: 'completed',
  [WithdrawEnd.Exhausted]: 'time ran out',
  [WithdrawEnd.FailedRefunded]: 'failed, and refunded',
  [IntentState.Ready]: 'nothing has been sent',
  [IntentState.Armed]: 'sent, not proven yet',
  [IntentState.Done]: 'done',
  [IntentState.Escalated]: 'in doubt',
}

const DECIDED = { approved: 'approved, continues', rejected: 'rejected, ends' } as const

/** `decision`: people's decision on the plan of a run that waited for them. */
export function runBadge(outcome: string, decision?: keyof typeof DECIDED): Markup {
  const isDecided = outcome === RunEnd.AwaitingApproval && decision !== undefined
  return named(outcome, outcomeWords(outcome, decision).look, isDecided ? DECIDED[decision] : nameOf(outcome))
}

/** The outcome of a movement, or its state while it has none. */
export function movementBadge(outcome: string): Markup {
  return named(outcome, lookOf(outcome), nameOf(outcome))
}

/** The state of a movement that has sent nothing. `waitsFor`: such as `a person to approve it`. */
export function readyBadge(waitsFor: string): Markup {
  return named(IntentState.Ready, 'wait', `waits for ${waitsFor}, nothing has been sent`)
}

/** The state of a movement that the service has accepted, and whose end it has not shown. */
export function sentBadge({ isBank }: { readonly isBank: boolean }): Markup {
  return named(IntentState.Done, 'wait', `sent, waits for ${isBank ? 'the bank' : 'the service'}`)
}

/** A run under way whose legs are all sent, and wait for the service or a bank. */
export function waitingRunBadge(isBank: boolean): Markup {
  return named('RUNNING', 'wait', `waits for ${isBank ? 'a bank' : 'the service'}`)
}

/** The state of a movement that needs a person. Its order or withdrawal may exist, and yet have come to no end. */
export function caseBadge(state: string): Markup {
  return state === IntentState.Done ? named(state, 'bad', 'not completed') : movementBadge(state)
}

function lookOf(outcome: string): string {
  if (outcome === IntentState.Done) return 'good'
  return outcome === IntentState.Escalated ? 'bad' : toneOfLeg(outcome)
}

function named(code: string, look: string, name: string | undefined): Markup {
  return name === undefined ? badge(code, look) : html`${badge(name, look)} <code class="code">${code}</code>`
}

/** Undefined for a code that this version does not know. */
function nameOf(code: string): string | undefined {
  const known: Readonly<Record<string, string>> = NAMES
  return Object.hasOwn(known, code) ? known[code] : undefined
}

// What of the journal may be entered again, and with which input. Whoever enters something, a person by a command or the
// step LookAgain by itself, goes by this. Pure.
import { IntentState } from '../contract/records.ts'
import type { Timing } from '../contract/timing.ts'
import { hashParams } from '../params-hash.ts'
import { orderFenceMs, withdrawalFenceMs } from './fence.ts'
import { attemptOf, type Intent, isConversion, type OpenIntent } from './intent.ts'
import { hasParams } from './journal.ts'

/** A movement that is DONE may not have come to its end: entered again, that is looked at once more. */
export function mayGoOn({ state }: Pick<Intent, 'state'>): boolean {
  return state === IntentState.Ready || state === IntentState.Armed || state === IntentState.Done
}

/** What it was asked for with; undefined where its record does not hold that to the letter. */
export function requestOf(intent: Intent): object | undefined {
  return hasParams(intent, intent.params) ? intent.params : undefined
}

/** The run that it is a leg of. */
export function runOf({ params: { run } }: Pick<Intent, 'params'>): string | undefined {
  return typeof run === 'string' ? run : undefined
}

/** The policy on whose behalf it moves. */
export function policyOf({ params: { policy } }: Intent): string | undefined {
  return typeof policy === 'string' ? policy : undefined
}

/** Of one that is armed: epoch ms, service time. Before it, a look could only wait. */
export function fenceOf(intent: OpenIntent, timing: Timing): number {
  return isConversion(intent) ? orderFenceMs(attemptOf(intent), timing) : withdrawalFenceMs(attemptOf(intent), timing)
}

/** Whether what an intent was asked for is the input of an execution of it. One whose input is not kept says nothing. */
export function isAskedBy(execution: { readonly input?: string | undefined } | undefined, request: unknown): boolean {
  return execution?.input === undefined || hashParams(JSON.parse(execution.input)) === hashParams(request)
}

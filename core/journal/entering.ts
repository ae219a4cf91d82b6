// Says which intents may be entered again, when, and with which input. A person's command and the step LookAgain use it.
import { IntentState } from '../contract/records.ts'
import type { Timing } from '../contract/timing.ts'
import { hashParams } from '../params-hash.ts'
import { orderFenceMs, withdrawalFenceMs } from './fence.ts'
import { attemptOf, type Intent, isConversion, type OpenIntent } from './intent.ts'
import { hasParams } from './journal.ts'

/** A DONE movement may not have ended. An entry reads it once more. */
export function mayContinue({ state }: Intent): boolean {
  return state === IntentState.Ready || state === IntentState.Armed || state === IntentState.Done
}

/** The request; undefined where the record does not contain it exactly. */
export function requestOf(intent: Intent): object | undefined {
  return hasParams(intent, intent.params) ? intent.params : undefined
}

export function runOf({ params: { run } }: Pick<Intent, 'params'>): string | undefined {
  return typeof run === 'string' ? run : undefined
}

export function policyOf({ params: { policy } }: Intent): string | undefined {
  return typeof policy === 'string' ? policy : undefined
}

/** Fence of an armed intent: epoch ms, service time. Before it an entry could only wait. */
export function fenceOf(intent: OpenIntent, timing: Timing): number {
  return isConversion(intent) ? orderFenceMs(attemptOf(intent), timing) : withdrawalFenceMs(attemptOf(intent), timing)
}

/**
 * Whether the request of an intent is the input of its execution. Without a kept input nothing contradicts the request: true.
 */
export function isRequestedBy(
  execution: { readonly input?: string | undefined } | undefined,
  request: unknown,
): boolean {
  return execution?.input === undefined || hashParams(JSON.parse(execution.input)) === hashParams(request)
}

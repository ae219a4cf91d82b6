// Checks whether the waits and limits of treasury.json make sense together. Each value is within its own range already.
// A `fail` marks values that contradict each other. A `warn` marks a value that trusts the service more than the
// default does. Pure.
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { type Check, fail, ok, warn } from './check.ts'

const CHECK = 'guards'
const DEFAULT_VISIBILITY_SECONDS = 60
/** A quote lives for about five seconds (description, "Limits"). */
const QUOTE_LIFE_MS = 5_000
/** The part of a quote's life that signing and sending need. */
const LEAST_QUOTE_LEFT_MS = 2_000

export function timingChecks(timing: Timing): Check[] {
  const findings = [
    pollWaits(timing),
    pollLimit(timing),
    intentLife(timing),
    quoteMargin(timing),
    ...noLeeway(timing),
    ...shortVisibility(timing),
  ]
  const found = findings.filter((finding) => finding !== undefined)
  if (found.length > 0) return found
  const certified = `a lost order is certified after ${orderFenceSeconds(timing)} s`
  return [ok(CHECK, `${certified}; an order under way is polled for ${pollLimitSeconds(timing)} s`)]
}

/** The longest wait for an order without an answer. Its quote may have no known end. */
function orderFenceSeconds(timing: Timing): number {
  return longestFenceSeconds(timing, timing.orderVisibilitySeconds)
}

/** The sum of all waits between polls. Each wait is twice the previous wait, up to the longest. */
function pollLimitSeconds({ pollFirstWaitSeconds, pollLongestWaitSeconds, pollWaits }: Timing): number {
  let total = 0
  for (let wait = 0; wait < pollWaits; wait++)
    total += Math.min(pollFirstWaitSeconds * 2 ** wait, pollLongestWaitSeconds)
  return total
}

function pollWaits({ pollFirstWaitSeconds: first, pollLongestWaitSeconds: longest }: Timing): Check | undefined {
  if (first <= longest) return undefined
  return fail(
    CHECK,
    `timing.pollFirstWaitSeconds is ${first}, more than pollLongestWaitSeconds, which is ${longest}`,
    'make the longest wait at least as long as the first',
  )
}

function pollLimit(timing: Timing): Check | undefined {
  const limit = pollLimitSeconds(timing)
  const fence = orderFenceSeconds(timing)
  if (limit >= fence) return undefined
  return fail(
    CHECK,
    `an order under way is polled for ${limit} s, and a fence takes up to ${fence} s: runs end STUCK too early`,
    'raise timing.pollWaits or timing.pollLongestWaitSeconds',
  )
}

function intentLife(timing: Timing): Check | undefined {
  const { attempts, intentLifeSeconds } = timing
  const fence = orderFenceSeconds(timing)
  if (attempts === 1 || intentLifeSeconds > fence) return undefined
  return warn(
    CHECK,
    `an intent lives ${intentLifeSeconds} s and a fence takes up to ${fence} s: after a lost answer none of its ${attempts} attempts is left`,
    `raise timing.intentLifeSeconds above ${fence}, or set timing.attempts to 1`,
  )
}

function quoteMargin({ quoteMarginMs }: Timing): Check | undefined {
  const leftMs = QUOTE_LIFE_MS - quoteMarginMs
  if (leftMs >= LEAST_QUOTE_LEFT_MS) return undefined
  return warn(
    CHECK,
    `timing.quoteMarginMs is ${quoteMarginMs}: of a quote's five seconds ${leftMs} ms are left to execute it`,
    `lower it to ${QUOTE_LIFE_MS - LEAST_QUOTE_LEFT_MS} or less`,
  )
}

function noLeeway(timing: Timing): Check[] {
  if (timing.leewaySeconds > 0) return []
  return [
    warn(
      CHECK,
      'timing.leewaySeconds is 0: safe only with a service that is exact to the second',
      'docs/assumptions.md says what breaks otherwise, and how to check it',
    ),
  ]
}

/** Warns of times below the defaults. Such short times are safe only where the service is known to be quicker. */
function shortVisibility(timing: Timing): Check[] {
  return (['visibilitySeconds', 'orderVisibilitySeconds'] as const)
    .filter((name) => timing[name] < DEFAULT_VISIBILITY_SECONDS)
    .map((name) =>
      warn(
        CHECK,
        `timing.${name} is ${timing[name]}: a service that works longer on a request may make two movements of it`,
        `raise it to ${DEFAULT_VISIBILITY_SECONDS}, or measure the service as docs/assumptions.md says`,
      ),
    )
}

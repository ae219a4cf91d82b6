// Lists naive variants of how long a send stays in doubt, and of what ends the doubt.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import {
  CONCLUDE,
  CONCLUDES_DOUBT,
  FENCE,
  FENCE_CHECK,
  LOCAL_MS,
  LOOK_AT_ROWS,
  LOOK_FOR_ORDER,
  ORDER,
  WITHDRAW,
} from './texts.ts'

const LOOK_FOR_ROW = `      await service.clock.measure()
      return [service.clock.reachedMs(), ${LOOK_AT_ROWS}]
`

export const DOUBT_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'trust-refusal-order': mutant(
    'convert',
    'takes a refusal of an order for a zero at once',
    edit(ORDER, FENCE_CHECK, 'if (reachedMs <= fenceMs && !said?.business) return'),
  ),
  'trust-refusal-withdrawal': mutant(
    'withdraw',
    'takes a refusal of a withdrawal for a zero at once',
    edit(WITHDRAW, FENCE_CHECK, 'if (reachedMs <= fenceMs && !attempt.said?.business) return'),
  ),
  'trust-refused-key': mutant(
    'convert',
    'takes the refusal of a key for a zero at once',
    edit(ORDER, FENCE_CHECK, 'if (reachedMs <= fenceMs && !said?.keyAtFault) return'),
  ),
  'refusal-outweighs-order': amid(
    ['faults'],
    mutant(
      'convert',
      'believes a refusal more than the order that it finds',
      edit(ORDER, 'if (found) return settle', 'if (found && !said?.business) return settle'),
    ),
  ),
  'requote-on-expired': mutant(
    'convert',
    'asks for another quote as soon as quotation_expired is heard',
    edit(ORDER, FENCE_CHECK, "if (reachedMs <= fenceMs && said?.code !== 'quotation_expired') return"),
  ),
  'dead-quote-is-zero': mutant(
    'convert',
    'takes the end of a quote for the end of the doubt',
    edit(
      ORDER,
      FENCE_CHECK,
      "if (reachedMs <= Date.parse(attemptOf(intent).quoteExpiresAt ?? '2100-01-01T00:00:00Z')) return",
    ),
  ),
  'no-fence-order': mutant(
    'convert',
    'takes an order that cannot be found for a zero at once',
    edit(ORDER, FENCE_CHECK, 'if (reachedMs <= 0) return'),
  ),
  'no-fence-withdrawal': mutant(
    'withdraw',
    'takes a withdrawal that cannot be found for a zero at once',
    edit(WITHDRAW, FENCE_CHECK, 'if (reachedMs <= 0) return'),
  ),
  'two-waits-are-a-fence': mutant(
    'convert',
    'takes two waits for the fence',
    edit(ORDER, FENCE_CHECK, 'if (reachedMs <= fenceMs && waits < 2) return'),
  ),
  'late-doubt-is-over': amid(
    ['hurry', 'slow'],
    mutant(
      'withdraw',
      'ends a doubt when the time of its intent is over',
      edit(WITHDRAW, FENCE_CHECK, 'if (reachedMs <= fenceMs && reachedMs < Date.parse(intent.notAfter)) return'),
    ),
  ),
  'local-clock': mutant(
    'withdraw',
    "waits for the fence by this machine's clock",
    edit(WITHDRAW, `service.clock.reachedMs(), ${LOOK_AT_ROWS}`, `${LOCAL_MS}, ${LOOK_AT_ROWS}`),
  ),
  'estimate-is-reached': amid(
    ['trips'],
    mutant(
      'convert',
      'takes its best estimate of service time for a time that has been reached',
      edit(ORDER, LOOK_FOR_ORDER, LOOK_FOR_ORDER.replace('reachedMs()', 'nowMs()')),
    ),
  ),
  'rows-then-time': mutant(
    'withdraw',
    'looks at the rows, and then at the time that makes their absence a proof',
    edit(
      WITHDRAW,
      LOOK_FOR_ROW,
      `      const seen = ${LOOK_AT_ROWS}
      await service.clock.measure()
      return [service.clock.reachedMs(), seen]
`,
    ),
  ),
  'order-then-time': mutant(
    'convert',
    'looks for the order, and then at the time that makes its absence a proof',
    edit(
      ORDER,
      LOOK_FOR_ORDER,
      `      const seen = await service.findOrder(orderId)
      await service.clock.measure()
      return [service.clock.reachedMs(), seen]
`,
    ),
  ),
  'unread-is-empty': mutant(
    'withdraw',
    'treats an unreadable list as empty',
    edit(WITHDRAW, LOOK_AT_ROWS, `${LOOK_AT_ROWS}.catch(() => [])`),
  ),
  'fence-without-leeway': mutant(
    'convert',
    'takes a token for dead at its exp',
    edit(
      FENCE,
      'const tokenDeadMs = (attempt.exp + timing.leewaySeconds) * 1000',
      'const tokenDeadMs = attempt.exp * 1000',
    ),
  ),
  'fence-without-visibility': mutant(
    'withdraw',
    'looks as soon as the token is dead, and not when a row must show',
    edit(
      FENCE,
      'withdrawalDeadMs(attempt, longest)) + longest.visibilitySeconds * 1000',
      'withdrawalDeadMs(attempt, longest))',
    ),
  ),
  'fence-of-today': amid(
    ['retimed'],
    mutant(
      'withdraw',
      'waits as long as is configured now, and not as was configured when the attempt was armed',
      edit(FENCE, 'Math.max(now.visibilitySeconds, then?.visibilitySeconds ?? 0)', 'now.visibilitySeconds'),
    ),
  ),
  'fence-from-iat': mutant(
    'withdraw',
    'counts the fence from the signature of a token',
    edit(
      FENCE,
      'lastWorkMs(attempt, withdrawalDeadMs(attempt, longest))',
      'lastWorkMs(attempt, withdrawalDeadMs({ exp: attempt.iat }, longest))',
    ),
  ),
  'fence-without-listening': amid(
    ['trips'],
    mutant(
      'convert',
      'counts the fence from the death of a copy, although its sender may still listen',
      edit(FENCE, 'Math.max(deadMs, Date.parse(listenedUntil))', 'deadMs'),
    ),
  ),
  'unheard-is-not-listened-for': amid(
    ['trips'],
    mutant(
      'convert',
      'assumes that a sender without an answer did not listen',
      edit(FENCE, 'deadMs + LISTENING_SECONDS * 1000', 'deadMs'),
    ),
  ),
  'orders-show-in-ten-seconds': mutant(
    'convert',
    'expects an order to be readable ten seconds after it can last have been accepted',
    edit(
      'core/contract/timing.ts',
      'orderVisibilitySeconds: whole(LISTENING_SECONDS, 600, 60)',
      'orderVisibilitySeconds: whole(0, 600, 10)',
    ),
  ),
  'unknown-expiry-is-past': mutant(
    'convert',
    'takes a quote without expiresAt for dead',
    edit(FENCE, 'Number.POSITIVE_INFINITY', '0'),
  ),
  'believes-one-answer-about-time': amid(
    ['jumps'],
    mutant(
      'withdraw',
      'believes one answer about the time, however far it jumps',
      edit('core/service/service-clock.ts', 'if (isBeside(first, expected)) return first', 'return first'),
    ),
  ),
  'conclude-doubt': amid(
    [],
    mutant(
      'withdraw',
      'ends an intent in doubt as EXHAUSTED when a step has failed for good',
      edit(
        CONCLUDE,
        CONCLUDES_DOUBT,
        'return conclusion.ended(await journal.advance(intent, { state: IntentState.Exhausted, outcome: conclusion.failed, why }))',
      ),
    ),
  ),
  'unheard-is-unsent': amid(
    [],
    mutant(
      'withdraw',
      'concludes that a request without an answer was not sent',
      edit(
        CONCLUDE,
        CONCLUDES_DOUBT,
        `if (intent.attempt?.said !== undefined) ${CONCLUDES_DOUBT}
      return conclusion.ended(await journal.advance(intent, { state: IntentState.Exhausted, outcome: conclusion.failed, why }))`,
      ),
    ),
  ),
}

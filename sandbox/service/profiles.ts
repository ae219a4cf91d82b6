// Profiles: how the service behind the sandbox behaves when no rule says otherwise. A profile is a
// pace and rules that are there from the start; nothing that a control call could not do.

export interface Pace {
  /** From acceptance of an on-chain withdrawal to its transaction hash. */
  readonly broadcastMs: number
  /** From acceptance of an external withdrawal to COMPLETED. */
  readonly completeMs: number
}

export interface Profile {
  readonly pace: Pace
  /** As posted to the control API's /rules. */
  readonly rules: readonly Record<string, unknown>[]
}

const PROMPT: Pace = { broadcastMs: 2_000, completeMs: 5_000 }

function often(method: string, path: string, probability: number, fault: Record<string, unknown>) {
  return { match: { method, path, probability, times: 'always' }, fault }
}

export const PROFILES = {
  /** Orders fill at once, withdrawals complete in seconds, nothing goes wrong. */
  prompt: { pace: PROMPT, rules: [] },
  /** Orders are accepted and settle seconds later, withdrawals take minutes. */
  slow: {
    pace: { broadcastMs: 30_000, completeMs: 120_000 },
    rules: [often('POST', '/v2/orders', 1, { kind: 'settleLater', afterMs: 3_000, outcome: 'fill' })],
  },
  /** Everything that can go wrong does, now and then, the same way in every run of a seed. */
  rough: {
    pace: PROMPT,
    rules: [
      often('GET', '/v2/*', 0.05, { kind: 'errorBeforeCommit', status: 502, code: 'downstream_unavailable' }),
      often('GET', '/v2/*', 0.1, { kind: 'delay', ms: 300 }),
      often('POST', '/v2/quotes', 0.1, { kind: 'expireQuote' }),
      ...['/v2/orders', '/v2/withdrawals'].flatMap((path) => [
        often('POST', path, 0.08, { kind: 'dropBeforeCommit' }),
        often('POST', path, 0.08, { kind: 'dropAfterCommit' }),
        often('POST', path, 0.05, { kind: 'errorAfterCommit', status: 500, code: 'internal_error' }),
        often('POST', path, 0.1, { kind: 'lateVisibility', ms: 2_000 }),
      ]),
      often('POST', '/v2/orders', 0.2, { kind: 'settleLater', afterMs: 2_000, outcome: 'fill' }),
    ],
  },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES

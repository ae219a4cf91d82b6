// Profiles: how the service behaves when no rule says otherwise. A profile is a pace, rules from the start, and
// manners. Control calls could set all of it too.
import type { Manners } from './manners/manners.ts'

export interface Pace {
  /** From acceptance of an on-chain withdrawal to its transaction hash. */
  readonly broadcastMs: number
  /** From acceptance of an external withdrawal to COMPLETED. */
  readonly completeMs: number
}

export interface Profile {
  readonly pace: Pace
  /** In the form that the control API's /rules takes. */
  readonly rules: readonly Record<string, unknown>[]
  /** Manners that differ from those of a tidy service. */
  readonly manners?: Partial<Manners>
}

const PROMPT: Pace = { broadcastMs: 2_000, completeMs: 5_000 }

/** Longer than clients wait, and shorter than the minute within which an accepted movement must be visible. */
export const SLOW_WORK = { leastMs: 16_000, mostMs: 40_000, percent: 100 }

/** A prompt profile that is untidy in one way. */
function untidy(manners: Partial<Manners>): Profile {
  return { pace: PROMPT, rules: [], manners }
}

function often(method: string, path: string, probability: number, fault: Record<string, unknown>) {
  return { match: { method, path, probability, times: 'always' }, fault }
}

export const PROFILES = {
  /** Orders fill at once, withdrawals complete in seconds, and nothing goes wrong. */
  prompt: { pace: PROMPT, rules: [] },
  /** Orders are accepted and settle seconds later; withdrawals take minutes. */
  slow: {
    pace: { broadcastMs: 30_000, completeMs: 120_000 },
    rules: [often('POST', '/v2/orders', 1, { kind: 'settleLater', afterMs: 3_000, outcome: 'fill' })],
  },
  /** Everything that can go wrong does so now and then, the same way in every run of a seed. */
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
  'counter-ids': untidy({ ids: 'counter' }),
  'uuid-ids': untidy({ ids: 'uuid' }),
  'odd-ids': untidy({ ids: 'odd' }),
  'coarse-rows': untidy({ rows: ['coarse'] }),
  'unstable-rows': untidy({ rows: ['coarse', 'unstable', 'small'] }),
  'daily-rows': untidy({ rows: ['daily'] }),
  'lacking-rows': untidy({ rows: ['lacking'] }),
  'late-books': untidy({ books: 'completion' }),
  'both-legs': untidy({ entries: 'legs' }),
  'slow-work': untidy({ slow: SLOW_WORK }),
  'untidy-bodies': untidy({ bodies: 'untidy' }),
  'other-readings': untidy({ readings: 'other' }),
  'untidy-jwks': untidy({ jwks: 'untidy' }),
  /** Every untidiness together, and things go wrong. */
  hostile: {
    pace: PROMPT,
    rules: [
      often('GET', '/v2/*', 0.05, { kind: 'errorBeforeCommit', status: 502, code: 'downstream_unavailable' }),
      often('GET', '/v2/*', 0.1, { kind: 'delay', ms: 200 }),
      often('POST', '/v2/quotes', 0.05, { kind: 'expireQuote' }),
      often('POST', '/v2/quotes', 0.15, { kind: 'hideExpiry' }),
      often('POST', '/v2/quotes', 0.1, { kind: 'oddId' }),
      ...['/v2/orders', '/v2/withdrawals'].flatMap((path) => [
        often('POST', path, 0.06, { kind: 'dropBeforeCommit' }),
        often('POST', path, 0.06, { kind: 'dropAfterCommit' }),
        often('POST', path, 0.04, { kind: 'errorAfterCommit', status: 500, code: 'internal_error' }),
      ]),
      often('POST', '/v2/orders', 0.2, { kind: 'settleLater', afterMs: 2_000, outcome: 'fill' }),
    ],
    manners: {
      ids: 'counter',
      rows: ['coarse', 'unstable', 'small', 'lacking'],
      books: 'completion',
      entries: 'legs',
      slow: { ...SLOW_WORK, percent: 50 },
      bodies: 'untidy',
      readings: 'other',
      jwks: 'untidy',
    },
  },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES

/** Whether the profile exists. No name is accepted too: then no profile was asked for. */
export function isProfile(name: string | undefined): name is ProfileName | undefined {
  return name === undefined || Object.hasOwn(PROFILES, name)
}

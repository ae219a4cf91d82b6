// Rules: which requests meet which fault. The sandbox makes the faults; the service behind them stays correct. Rules
// live in memory and end with the process.
import * as z from 'zod/mini'
import {
  assetCode,
  expecting,
  type Fields,
  flag,
  integer,
  oneOf,
  optional,
  positiveAmount,
  side,
  text,
  withDefault,
} from '../fields.ts'
import { invalid } from '../problem.ts'
import { readFields } from '../read-fields.ts'
import { seededNumber } from '../seeded.ts'

/** Maximum delay of a fault: a day. */
const LONGEST_MS = 86_400_000
/** Maximum delay of a failing withdrawal: a payout to a bank may take days. */
const LONGEST_PAYOUT_MS = 30 * LONGEST_MS
const MOST_RULES = 1_000

const milliseconds = integer(0, LONGEST_MS)
const problem = z.strictObject({ status: integer(400, 599), code: assetCode, retryable: optional(flag) })

/** Text that a header can hold. */
const location = expecting('an address of printable characters', z.string().check(z.regex(/^[\x21-\x7e]{1,512}$/)))

const nothing = z.strictObject({})

/** The fields of each kind of fault, beside `kind`. */
const FAULT_FIELDS = {
  expireQuote: nothing,
  misquote: z.strictObject({
    ...{ baseAsset: optional(assetCode), quoteAsset: optional(assetCode), amountAsset: optional(assetCode) },
    ...{ side: optional(side), amount: optional(positiveAmount) },
  }),
  hideExpiry: nothing,
  oddId: nothing,
  /** `reserve`: false when nothing is frozen for the order; it pays when it fills. */
  settleLater: z.strictObject({
    ...{ afterMs: milliseconds, outcome: oneOf('fill', 'fail', 'partial') },
    reserve: withDefault(flag, true),
  }),
  lateVisibility: z.strictObject({ ms: milliseconds }),
  dropBeforeCommit: nothing,
  dropAfterCommit: nothing,
  errorBeforeCommit: problem,
  errorAfterCommit: problem,
  redirect: z.strictObject({ location }),
  rateLimit: z.strictObject({ retryAfterSeconds: optional(integer(0, 3_600)) }),
  /** `refund`: false when the total does not come back. */
  failLater: z.strictObject({ afterMs: integer(0, LONGEST_PAYOUT_MS), refund: withDefault(flag, true) }),
  badAnswer: z.strictObject({
    how: oneOf('malformed', 'empty', 'html', 'cutOff', 'huge', 'slowDrip', 'asJson'),
    when: optional(oneOf('before', 'after')),
    /** Total time of a slowDrip; 5 s when absent. */
    ms: optional(integer(0, 60_000)),
  }),
  delay: z.strictObject({ ms: milliseconds, when: optional(oneOf('before', 'after')) }),
} as const satisfies Record<string, Fields>

export type FaultKind = keyof typeof FAULT_FIELDS
export type Fault = { [K in FaultKind]: { readonly kind: K } & z.output<(typeof FAULT_FIELDS)[K]> }[FaultKind]

/** Damage to an answer's body or media type. */
export type Mangling = Extract<Fault, { kind: 'badAnswer' }>

export interface Match {
  /** Any method when absent. */
  readonly method?: string
  /** Path without query. `*` stands for any characters, including slashes. */
  readonly path: string
  /** Number of the first matching request that meets the fault, counted since the rule was made. 1 when absent. */
  readonly nth?: number
  /** Chance of each request from then on. 1 when absent. */
  readonly probability?: number
  /** How many requests meet the fault. 1 when absent. */
  readonly times?: number | 'always'
}

export interface Rule {
  readonly id: string
  readonly match: Match
  readonly fault: Fault
  /** Counts of matching requests, and of those that met the fault. */
  seen: number
  met: number
}

export class Rules {
  readonly #seed: string
  readonly #rules = new Map<string, Rule & { readonly matches: (method: string, path: string) => boolean }>()
  #made = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** Throws validation_error. */
  add(given: Record<string, unknown>): Rule {
    const { match: rawMatch, fault: rawFault, ...rest } = given
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) throw invalid('A rule has match and fault, nothing else.')
    if (this.#rules.size >= MOST_RULES) throw invalid(`There are ${MOST_RULES} rules already: delete some.`)
    const match = readFields(matchFields, asObject(rawMatch, 'match'))
    const fault = parseFault(rawFault)
    this.#made += 1
    const rule = { id: `rule-${this.#made}`, match, fault, seen: 0, met: 0, matches: matcher(match) }
    this.#rules.set(rule.id, rule)
    return rule
  }

  list(): Rule[] {
    return [...this.#rules.values()].map(({ id, match, fault, seen, met }) => ({ id, match, fault, seen, met }))
  }

  remove(id: string): boolean {
    return this.#rules.delete(id)
  }

  clear(): void {
    this.#rules.clear()
  }

  /**
   * Returns the faults that this request meets, in the order of the rules. Counts the request for every rule that it
   * matches.
   */
  take(method: string, path: string): readonly Fault[] {
    if (this.#rules.size === 0) return NONE
    const faults: Fault[] = []
    for (const rule of this.#rules.values()) {
      if (!rule.matches(method, path)) continue
      rule.seen += 1
      const { nth = 1, probability = 1, times = 1 } = rule.match
      if (rule.seen < nth || (times !== 'always' && rule.met >= times)) continue
      if (probability < 1 && this.#chance(rule) >= probability) continue
      rule.met += 1
      faults.push(rule.fault)
    }
    return faults
  }

  /** Returns a number from 0 up to 1, the same in every run for the same seed, rule and count. */
  #chance(rule: Rule): number {
    return seededNumber(this.#seed, `chance ${rule.id} ${rule.seen}`) / 2 ** 32
  }
}

const NONE: readonly Fault[] = []

const matchFields = z.strictObject({
  method: optional(oneOf('GET', 'POST', 'PATCH', 'PUT', 'DELETE')),
  path: text(512),
  nth: optional(integer(1, 1_000_000_000)),
  probability: optional(expecting('a number from 0 to 1', z.number().check(z.gte(0), z.lte(1)))),
  times: optional(
    expecting(
      'a whole number from 1, or "always"',
      z.union([z.number().check(z.multipleOf(1), z.gte(1)), z.literal('always')]),
    ),
  ),
})

function parseFault(raw: unknown): Fault {
  const { kind, ...rest } = asObject(raw, 'fault')
  if (typeof kind !== 'string' || !Object.hasOwn(FAULT_FIELDS, kind)) {
    throw invalid(`Field fault.kind: expected one of ${Object.keys(FAULT_FIELDS).join(', ')}.`)
  }
  const fields: Fields = FAULT_FIELDS[kind as FaultKind]
  // The schema of this kind has read the fields, so the type is right.
  return { kind, ...readFields(fields, rest) } as Fault
}

function asObject(raw: unknown, name: string): Record<string, unknown> {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>
  throw invalid(`Field ${name}: expected an object.`)
}

function matcher({ method, path }: Match): (method: string, path: string) => boolean {
  const pattern = new RegExp(`^${path.split('*').map(escaped).join('.*')}$`, 's')
  return (requestMethod, requestPath) => (method === undefined || method === requestMethod) && pattern.test(requestPath)
}

function escaped(literal: string): string {
  return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

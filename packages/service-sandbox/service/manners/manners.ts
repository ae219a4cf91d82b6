// Defines manners: the ways in which the service may be untidy within its description. The file of each thing applies
// the settings that concern it. The world keeps them. Without any, the service is tidy. It also decides how long the
// service works on an accepted send, which it judges at arrival.
import * as z from 'zod/mini'
import { expecting, integer, oneOf, optional, withDefault } from '../fields.ts'
import { invalid } from '../problem.ts'
import { readFields } from '../read-fields.ts'

const ROW_MANNERS = ['coarse', 'daily', 'behind', 'unstable', 'small', 'lacking'] as const
export type RowManner = (typeof ROW_MANNERS)[number]

/** How long the service works on a send, in service time, before it is done, answered and visible. */
export interface Slowness {
  readonly leastMs: number
  readonly mostMs: number
  /** Share of sends that are slow, in percent. The others are done at once. */
  readonly percent: number
  /**
   * Machine time after which a gateway closes the connection without an answer, while the work continues. Absent:
   * never.
   */
  readonly hangUpMs?: number | undefined
}

export interface Manners {
  readonly ids: 'plain' | 'counter' | 'uuid' | 'odd'
  readonly rows: readonly RowManner[]
  /** When a withdrawal is booked and leaves the balance. */
  readonly books: 'acceptance' | 'completion'
  /** Entries of a withdrawal and its refund: one each, amount and fee apart, both legs, or a refund or both of another type. */
  readonly entries: 'whole' | 'parts' | 'legs' | 'bounced' | 'deposited' | 'untyped'
  readonly slow: Slowness | null
  /** Whether answers hold fields and values that the description does not name. */
  readonly bodies: 'plain' | 'untidy'
  /** Which reading of the description applies where it is open. */
  readonly readings: 'usual' | 'other'
  /** Whether the key set of webhooks holds unusable members and has the media type of RFC 7517. */
  readonly jwks: 'plain' | 'untidy'
}

export const TIDY: Manners = {
  ids: 'plain',
  rows: [],
  books: 'acceptance',
  entries: 'whole',
  slow: null,
  bodies: 'plain',
  readings: 'usual',
  jwks: 'plain',
}

/** Maximum time of work. An accepted movement is visible within a minute (docs/assumptions.md). */
const LONGEST_WORK_MS = 60_000
const ALL = 100

const rows = expecting(
  `a list of ${ROW_MANNERS.join(', ')}`,
  z.pipe(
    z.array(z.enum(ROW_MANNERS)),
    z.transform((given) => [...new Set(given)]),
  ),
)

const work = z.strictObject({
  leastMs: integer(0, LONGEST_WORK_MS),
  mostMs: integer(0, LONGEST_WORK_MS),
  percent: withDefault(integer(0, ALL), ALL),
  hangUpMs: optional(integer(0, LONGEST_WORK_MS)),
})

const fields = z.strictObject({
  ids: optional(oneOf('plain', 'counter', 'uuid', 'odd')),
  rows: optional(rows),
  books: optional(oneOf('acceptance', 'completion')),
  entries: optional(oneOf('whole', 'parts', 'legs', 'bounced', 'deposited', 'untyped')),
  slow: optional(
    z.nullable(
      expecting('leastMs, mostMs (not less), percent and hangUpMs, or null', work.check(z.refine(isLeastFirst))),
    ),
  ),
  bodies: optional(oneOf('plain', 'untidy')),
  readings: optional(oneOf('usual', 'other')),
  jwks: optional(oneOf('plain', 'untidy')),
})

function isLeastFirst({ leastMs, mostMs }: Slowness): boolean {
  return leastMs <= mostMs
}

/** Returns the manners, with the given manners in place of the old. Throws validation_error with the field's name. */
export function changedManners(current: Manners, given: Record<string, unknown>): Manners {
  return { ...current, ...readFields(fields, given) }
}

/** Reads the value of `--slow`: "16..40" are seconds. Throws validation_error. */
export function readSeconds(text: string): Slowness {
  const [, least, most] = /^(\d{1,2}(?:\.\d{1,3})?)\.\.(\d{1,2}(?:\.\d{1,3})?)$/.exec(text) ?? []
  if (least === undefined || most === undefined) throw invalid('expected seconds, such as 16..40')
  const given = readFields(work, { leastMs: Number(least) * 1000, mostMs: Number(most) * 1000 })
  if (!isLeastFirst(given)) throw invalid('expected the least first, such as 16..40')
  return given
}

/** Returns the service time at which a send is done, or `nowMs` when it is done at once. */
export function doneAt(
  world: { readonly manners: Pick<Manners, 'slow'>; newHex(kind: string): string },
  nowMs: number,
): number {
  const { slow } = world.manners
  if (slow === null) return nowMs
  const hex = world.newHex('work')
  if (Number.parseInt(hex.slice(0, 8), 16) % 100 >= slow.percent) return nowMs
  return nowMs + slow.leastMs + (Number.parseInt(hex.slice(8, 16), 16) % (slow.mostMs - slow.leastMs + 1))
}

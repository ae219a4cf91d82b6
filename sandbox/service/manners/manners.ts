// Manners: the ways in which a service may be untidy and still keep its description. One setting a way, each with a
// file of its own beside this one. They belong to the world and are kept with it. Without any, it is tidy.
import { type Field, type Fields, integer, oneOf, optional, type Values } from '../fields.ts'
import { readFields } from '../json-body.ts'
import { invalid } from '../problem.ts'

const ROW_MANNERS = ['coarse', 'unstable', 'small'] as const
export type RowManner = (typeof ROW_MANNERS)[number]

/** How long a send is worked on, in service time, before it is done, answered and visible. */
export interface Slowness {
  readonly leastMs: number
  readonly mostMs: number
  /** Of a hundred sends, how many; the others are done at once. */
  readonly percent: number
  /** Machine time after which a gateway closes the connection without an answer; the work goes on. Absent: never. */
  readonly hangUpMs?: number | undefined
}

export interface Manners {
  readonly ids: 'plain' | 'counter' | 'uuid' | 'odd'
  readonly rows: readonly RowManner[]
  /** When a withdrawal is booked, and leaves the balance. */
  readonly books: 'acceptance' | 'completion'
  readonly slow: Slowness | null
  /** Whether answers hold what the description does not name. */
  readonly bodies: 'plain' | 'untidy'
  /** Which reading of what the description leaves open. */
  readonly readings: 'usual' | 'other'
}

export const TIDY: Manners = {
  ids: 'plain',
  rows: [],
  books: 'acceptance',
  slow: null,
  bodies: 'plain',
  readings: 'usual',
}

/** What was accepted is visible within a minute (docs/assumptions.md): no work may take longer. */
const LONGEST_WORK_MS = 60_000
const ALL = 100

const rows: Field<readonly RowManner[]> = {
  read: (raw) => (Array.isArray(raw) && raw.every(isRowManner) ? [...new Set<RowManner>(raw)] : undefined),
  expectation: `a list of ${ROW_MANNERS.join(', ')}`,
  schema: { type: 'array', items: { type: 'string', enum: ROW_MANNERS } },
  whenAbsent: undefined,
}

function isRowManner(raw: unknown): raw is RowManner {
  return ROW_MANNERS.some((name) => name === raw)
}

const slowFields = {
  leastMs: integer(0, LONGEST_WORK_MS),
  mostMs: integer(0, LONGEST_WORK_MS),
  percent: { ...integer(0, ALL), whenAbsent: { value: ALL } },
  hangUpMs: optional(integer(0, LONGEST_WORK_MS)),
}

const slow: Field<Slowness | null> = {
  read: (raw) => {
    if (raw === null) return null
    if (typeof raw !== 'object' || Array.isArray(raw)) return undefined
    const { hangUpMs, ...work } = readFields(slowFields, raw as Record<string, unknown>)
    return work.leastMs > work.mostMs ? undefined : { ...work, ...(hangUpMs !== undefined && { hangUpMs }) }
  },
  expectation: 'leastMs, mostMs (not less), percent and hangUpMs, or null',
  schema: { type: ['object', 'null'] },
  whenAbsent: undefined,
}

const fields = {
  ids: optional(oneOf('plain', 'counter', 'uuid', 'odd')),
  rows: optional(rows),
  books: optional(oneOf('acceptance', 'completion')),
  slow: optional(slow),
  bodies: optional(oneOf('plain', 'untidy')),
  readings: optional(oneOf('usual', 'other')),
} as const satisfies Fields

/** What is given takes the place of what was. Throws validation_error, naming the field. */
export function changedManners(before: Manners, given: Record<string, unknown>): Manners {
  const read: Values<typeof fields> = readFields(fields, given)
  return { ...before, ...Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) }
}

/** From `--slow`: "16..40" are seconds. Throws validation_error. */
export function readSeconds(text: string): Slowness {
  const [, least, most] = /^(\d{1,2}(?:\.\d{1,3})?)\.\.(\d{1,2}(?:\.\d{1,3})?)$/.exec(text) ?? []
  if (least === undefined || most === undefined) throw invalid('expected seconds, such as 16..40')
  const given = { leastMs: Number(least) * 1000, mostMs: Number(most) * 1000 }
  const read = slow.read(given)
  if (read === undefined || read === null) throw invalid('expected the least first, such as 16..40')
  return read
}

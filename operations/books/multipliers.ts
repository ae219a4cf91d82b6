// Finds the corporate actions of an equity in a period. Its settled quantity never changes. A row of the service carries the
// multiplier of its own time, so an action shows as two rows with different multipliers. Reads only.
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { Period } from './period.ts'

/** Maximum rows of an equity that are read for one period. */
const MOST_ROWS = 1_000_000

interface MultiplierAt {
  readonly atMs: number
  readonly multiplier: string
}

/** An action between the last row with the old multiplier and the first row with the new one. */
export interface CorporateAction {
  readonly before: MultiplierAt
  readonly after: MultiplierAt
}

export interface MultiplierCourse {
  /** Multiplier of the last row before the period. Absent where the equity has no earlier row. */
  readonly opening: MultiplierAt | undefined
  /** Multiplier of the last row before the end of the period. */
  readonly closing: MultiplierAt | undefined
  /** Oldest first. */
  readonly actions: readonly CorporateAction[]
}

type Rows = Pick<ServiceClient, 'walkDeposits' | 'walkFills' | 'walkOrders' | 'walkWithdrawals'>

/** @throws Transient, Refused, Defect */
export async function readMultipliers(
  assetSymbol: string,
  { fromMs, toMs }: Pick<Period, 'fromMs' | 'toMs'>,
  service: Rows,
): Promise<MultiplierCourse> {
  const [startDate, endDate] = [iso(fromMs), iso(toMs)]
  const bounds = { maxItems: MOST_ROWS }
  const rows: MultiplierAt[] = []
  const keep = async (walk: AsyncIterable<Row>, isLastOnly = false) => {
    for await (const run of runsOf(walk)) {
      if (!(run.atMs < toMs)) continue
      rows.push(run)
      if (isLastOnly) break
    }
  }
  // An order has the multiplier of its quote, and its fills have the same. Only a fill on credit has one of its own time.
  await keep(dated(service.walkOrders({ baseAsset: assetSymbol, startDate, endDate }, bounds), 'createdAt'))
  await keep(dated(onCredit(service.walkFills({ assetSymbol, startDate, endDate }, bounds)), 'executedAt'))
  await keep(dated(service.walkFills({ assetSymbol, endDate: startDate }, bounds), 'executedAt'), true)
  await keep(dated(service.walkWithdrawals({ assetSymbol, startDate, endDate }, bounds), 'createdAt'))
  await keep(dated(service.walkWithdrawals({ assetSymbol, endDate: startDate }, bounds), 'createdAt'), true)
  await keep(dated(service.walkDeposits({ assetSymbol }, bounds), 'createdAt'))
  return courseOf(rows, fromMs)
}

interface Row {
  readonly at: string | null
  readonly multiplier: string
}

async function* dated<Field extends string>(
  rows: AsyncIterable<Readonly<Record<Field, string | null>> & { readonly multiplier: string }>,
  field: Field,
): AsyncGenerator<Row> {
  for await (const row of rows) yield { at: row[field], multiplier: row.multiplier }
}

async function* onCredit<Fill extends { readonly onCredit: boolean }>(
  fills: AsyncIterable<Fill>,
): AsyncGenerator<Fill> {
  for await (const fill of fills) if (fill.onCredit) yield fill
}

/** The first and the last row of each run of equal multipliers, so that memory does not grow with the rows. */
async function* runsOf(rows: AsyncIterable<Row>): AsyncGenerator<MultiplierAt> {
  let first: MultiplierAt | undefined
  let last: MultiplierAt | undefined
  for await (const { at, multiplier } of rows) {
    const row = { atMs: Date.parse(at ?? ''), multiplier }
    if (Number.isNaN(row.atMs)) continue
    if (first?.multiplier !== multiplier) {
      if (last !== undefined && last !== first) yield last
      first = row
      yield row
    }
    last = row
  }
  if (last !== undefined && last !== first) yield last
}

function courseOf(rows: readonly MultiplierAt[], fromMs: number): MultiplierCourse {
  const actions: CorporateAction[] = []
  let last: MultiplierAt | undefined
  let opening: MultiplierAt | undefined
  for (const row of inOrder(rows)) {
    if (last !== undefined && last.multiplier !== row.multiplier && row.atMs >= fromMs) {
      actions.push({ before: last, after: row })
    }
    last = row
    if (row.atMs < fromMs) opening = row
  }
  return { opening, closing: last, actions }
}

/**
 * By time. A service may date rows to the day only, and lists may come in any order. So of the rows of one moment those with
 * the multiplier of the moment before come first.
 */
function* inOrder(rows: readonly MultiplierAt[]): Generator<MultiplierAt> {
  const moments = Map.groupBy(
    rows.toSorted((one, other) => one.atMs - other.atMs),
    ({ atMs }) => atMs,
  )
  let current: string | undefined
  for (const moment of moments.values()) {
    const multipliers = [...new Set(moment.map(({ multiplier }) => multiplier))]
    const next = multipliers.toSorted((one, other) => Number(other === current) - Number(one === current))
    for (const multiplier of next) yield { atMs: moment[0]?.atMs ?? 0, multiplier }
    current = next.at(-1)
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

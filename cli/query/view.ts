// What a reading command shows: records with the columns that a person sees of them. Columns are
// typed against their records here, and told as lines from then on.
import { type Column, recordLines, tableLines } from '../terminal/table.ts'

/** Many records, one page of them in memory at a time. */
export interface Listing {
  readonly kind: 'listing'
  readonly records: AsyncIterable<object> | Iterable<object>
  /** Title line first. */
  readonly lines: (records: readonly object[]) => string[]
}

/** One record. */
export interface Single {
  readonly kind: 'single'
  readonly record: object
  readonly lines: readonly string[]
}

export type View = Listing | Single

export function listing<Row extends object>(
  columns: readonly Column<Row>[],
  records: AsyncIterable<Row> | Iterable<Row>,
): Listing {
  // Only records of this very listing are given back to it.
  return { kind: 'listing', records, lines: (some) => tableLines(columns, some as readonly Row[]) }
}

/** `more` stands below the record: a table of what it holds. */
export function single<Row extends object>(
  columns: readonly Column<Row>[],
  record: Row,
  more: readonly string[] = [],
): Single {
  return { kind: 'single', record, lines: [...recordLines(columns, record), ...more] }
}

/** Column of a field as it is; '' where there is none. */
export function field<Name extends string>(
  name: Name,
  title = titleOf(name),
): Column<Readonly<Partial<Record<Name, string | number | boolean | null | undefined>>>> {
  return { title, text: (row) => String(row[name] ?? '') }
}

/** Column of a decimal, aligned on its point. */
export function amountField<Name extends string>(
  name: Name,
  title = titleOf(name),
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { ...field(name, title), isAmount: true }
}

/** `filledBaseAmount` → `filled base amount`. */
export function titleOf(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => ` ${letters.length > 1 ? letters : letters.toLowerCase()}`)
}

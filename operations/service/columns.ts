// Defines the view of a query: records, and the columns that a person sees. The types here check columns against their
// records. Later code uses the columns for any record.

import type { CodeWords } from '../../core/contract/service-names.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { Column } from '../words/column.ts'
import type { Filters } from './filters.ts'
import type { Spellings } from './spelling.ts'

/** Characters that a narrow screen keeps of a label. Whole codes of assets fit. */
const LABEL_WIDTH = 12
/** Characters for both codes of an equity, such as `AAPLSPV (AAPLX)`. */
const ASSET_WIDTH = 15

export interface Ask {
  readonly client: ServiceClient
  readonly argument: string | undefined
  readonly filters: Filters
  readonly isRebased: boolean
  /** Records in one request: as many as are needed, and at most a page. */
  readonly pageLimit: number
}

export type Query = (ask: Ask) => Promise<View>

/** Rebased figures for people, beside the settled ones. */
interface Figures {
  readonly rebased?: object
}

/** Column of a figure in the requested units; rebased ones are marked in the title. */
export function figure<Name extends string>(
  name: Name,
  isRebased: boolean,
  title = titleOf(name),
): Column<Figures & Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return {
    title: isRebased ? `${title} (rebased)` : title,
    isAmount: true,
    text: (row) => {
      const figures: Partial<Record<Name, string | null | undefined>> = isRebased ? (row.rebased ?? {}) : row
      return figures[name] ?? ''
    },
  }
}

export function assetColumn<Name extends string>(
  name: Name,
  { both }: Spellings,
  title = titleOf(name).replace(' symbol', ''),
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { title, text: (row) => both(row[name]), cutTo: ASSET_WIDTH }
}

/** Adds both codes of its asset to each record, one record at a time. */
export async function* spelled<Row extends object>(
  { spell }: Spellings,
  rows: AsyncIterable<Row> | Iterable<Row>,
  codeOf: (row: Row) => string | null | undefined,
): AsyncGenerator<Row, void> {
  for await (const row of rows) yield spell(row, codeOf)
}

/** Many records, one page of them in memory at a time. */
export interface Listing {
  readonly kind: 'listing'
  readonly records: AsyncIterable<object> | Iterable<object>
  readonly columns: readonly Column<object>[]
}

export interface Single {
  readonly kind: 'single'
  readonly record: object
  readonly columns: readonly Column<object>[]
  /** A list inside the record, shown below it. */
  readonly held: Pick<Listing, 'columns'> & { readonly records: readonly object[] }
}

type View = Listing | Single

export function listing<Row extends object>(
  columns: readonly Column<Row>[],
  records: AsyncIterable<Row> | Iterable<Row>,
): Listing {
  return { kind: 'listing', records, columns: columns.map(ofAny) }
}

export function single<Row extends object, Held extends object = object>(
  columns: readonly Column<Row>[],
  record: Row,
  held: { readonly columns: readonly Column<Held>[]; readonly records: readonly Held[] } = { columns: [], records: [] },
): Single {
  return { kind: 'single', record, columns: columns.map(ofAny), held: { ...held, columns: held.columns.map(ofAny) } }
}

/** Safe because a view's columns are given only its own records. */
function ofAny<Row extends object>({ text, ...column }: Column<Row>): Column<object> {
  return { ...column, text: (row) => text(row as Row) }
}

/** Column of an id. On a narrow screen it goes below its row, never cut. */
export function idField<Name extends string>(
  name: Name,
  title = titleOf(name),
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { ...field(name, title), isId: true }
}

/** Column of a time; a narrow screen shows it to the minute. */
export function timeField<Name extends string>(
  name: Name,
  title = titleOf(name),
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { ...field(name, title), isTime: true }
}

/** Column of a label, which people or the service chose: a narrow screen shows its start. */
export function labelField<Name extends string>(
  name: Name,
  title = titleOf(name),
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { ...field(name, title), cutTo: LABEL_WIDTH }
}

/** The same column, which goes below its row on a narrow screen. */
export function detail<Row>(column: Column<Row>): Column<Row> {
  return { ...column, isDetail: true }
}

/** Column of a field, unchanged; empty where the field is absent. */
export function field<Name extends string>(
  name: Name,
  title = titleOf(name),
): Column<Readonly<Partial<Record<Name, string | number | boolean | null | undefined>>>> {
  return { title, text: (row) => String(row[name] ?? '') }
}

/** Column of a code of the service. Filters go by the code, and a page says it in words. */
export function codeField<Name extends string>(
  name: Name,
  words: CodeWords,
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { ...field(name), words }
}

/** Column of a decimal, aligned on its point. */
export function amountField<Name extends string>(
  name: Name,
  title = titleOf(name),
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { ...field(name, title), isAmount: true }
}

/** `filledBaseAmount` → `filled base amount`. */
function titleOf(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => ` ${letters.length > 1 ? letters : letters.toLowerCase()}`)
}

// What a reading is asked with, and the columns that several readings share.
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { Column } from '../terminal/table.ts'
import type { Filters } from './filters.ts'
import type { Spellings } from './spelling.ts'
import { titleOf, type View } from './view.ts'

export interface Ask {
  readonly client: ServiceClient
  /** The positional argument. */
  readonly argument: string | undefined
  readonly filters: Filters
  readonly isRebased: boolean
  /** Records asked for at once: as many as are wanted, at most a page. */
  readonly pageLimit: number
}

export type Reading = (ask: Ask) => Promise<View>

/** Figures for people, where they were asked for, beside the settled ones. */
interface Figures {
  readonly rebased?: object
}

/** Column of a figure in the units that were asked for; rebased ones are marked in the title. */
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

/** Column of an asset in both spellings. */
export function assetColumn<Name extends string>(
  name: Name,
  { both }: Spellings,
  title = titleOf(name).replace(' symbol', ''),
): Column<Readonly<Partial<Record<Name, string | null | undefined>>>> {
  return { title, text: (row) => both(row[name]) }
}

/** Each record with both codes of its asset, one at a time. */
export async function* spelled<Row extends object>(
  { spell }: Spellings,
  rows: AsyncIterable<Row> | Iterable<Row>,
  codeOf: (row: Row) => string | null | undefined,
): AsyncGenerator<Row, void> {
  for await (const row of rows) yield spell(row, codeOf)
}

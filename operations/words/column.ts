// Defines one column of a table: its title, and its text for a record. views/text makes the layout.
import type { CodeWords } from '../../core/contract/service-names.ts'

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** True where texts are aligned on the decimal point. Whole numbers end where the point would be. */
  readonly isAmount?: boolean
  /** How a screen cuts an amount: money and percent to cents, `nowhere` not at all. Default: to six digits. */
  readonly cut?: 'cents' | 'nowhere'
  /** True for a time in ISO-8601, which a narrow screen shows to the minute. */
  readonly isTime?: boolean
  /** The kind of a code of the service, which a page says in words. */
  readonly words?: CodeWords
  /** The width to which a long text may be cut. Absent: it is shown whole, as ids and amounts are. */
  readonly cutTo?: number
  /** True where it may go below its row, named: first ids, then details from right to left. */
  readonly isId?: boolean
  readonly isDetail?: boolean
}

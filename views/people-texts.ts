// Shows the log of people: as a list on a terminal, and as text for a file. Pure.
import { nameIn } from '../core/contract/person.ts'
import { ACT_COLUMNS, type Act, type ActColumn, type BrokenRecord } from '../operations/people/act.ts'
import type { Column } from '../operations/words/column.ts'
import { rowTexts } from './text/csv.ts'

type ActRow = Readonly<Record<ActColumn, string | null>>

export const ACT_TEXTS = rowTexts<ActColumn, ActRow>(ACT_COLUMNS)

/** In a file that has only rows, a record that is missing or broken is a row too, so that no file looks whole without it. */
export function rowOfBroken({ message, record }: BrokenRecord): ActRow {
  return {
    at: null,
    by: null,
    did: 'unreadable',
    kind: null,
    about: null,
    what: null,
    policy: null,
    because: null,
    detail: message,
    record,
  }
}

export const ACT_LIST: readonly Column<Act>[] = [
  { title: 'at', text: ({ at }) => at, isTime: true },
  { title: 'person', text: ({ by }) => shortNameOf(by), cutTo: 24 },
  { title: 'did', text: ({ did }) => did },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'policy', text: ({ policy }) => policy ?? '', cutTo: 16 },
  { title: 'what', text: ({ what }) => what ?? '', isDetail: true },
  { title: 'because', text: ({ because }) => because ?? '', cutTo: 32 },
  { title: 'about', text: ({ about }) => about ?? '', isId: true },
  { title: 'detail', text: ({ detail }) => detail ?? '', isDetail: true },
  { title: 'by', text: ({ by }) => by, isDetail: true },
]

/** The user or session at the end of an ARN, or the name of a desk. */
function shortNameOf(by: string): string {
  const name = nameIn(by)
  return name.slice(name.lastIndexOf('/') + 1)
}

// Defines the columns of the list of requests, at a terminal and as CSV. Pure.

import { type RequestRow, stateTextOf } from '../../operations/movements/request-row.ts'
import type { Column } from '../../operations/words/column.ts'

export const ASKED_COLUMNS: readonly Column<RequestRow>[] = [
  { title: 'asked at', text: ({ at }) => at, isTime: true },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'asked', text: ({ asked }) => asked, cutTo: 16 },
  { title: 'outcome', text: stateTextOf },
  { title: 'policy', text: ({ policy = '' }) => policy, isDetail: true },
  { title: 'run', text: ({ run = '' }) => run, isDetail: true },
  { title: 'event', text: ({ requestId = '' }) => requestId, isDetail: true },
  { title: 'own id', text: ({ ownId = '' }) => ownId, isDetail: true },
  { title: 'id', text: ({ id }) => id, isId: true },
  { title: 'movement', text: ({ movementId = '' }) => movementId, isId: true },
]

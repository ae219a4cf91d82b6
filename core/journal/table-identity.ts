// Whether the table is the one that this journal was written in. A table that was restored from a backup, or made anew,
// has another id than the one that is written down in it: what moved since is not in it, and would move again. Owns the
// record of that id, and the store that refuses to go on without it. It verifies nothing: people do (`sluice journal`).
import * as z from 'zod/mini'
import { type Clock, type NewId, steadyMs } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { OwnFault, Transient } from '../errors.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, putRecord, type RecordStore } from './record-store.ts'

/** The id that DynamoDB gives each table that is made or restored, and which of the two it was. @throws Transient, OwnFault */
export type ReadTable = () => Promise<{ readonly tableId: string; readonly isRestored: boolean }>

/** Of a journal that a rebuild has begun and nobody has accepted. No table has this id. */
export const UNACCEPTED = '(not accepted)'

export interface AcceptedTable {
  readonly tableId: string
  /** ISO-8601: since when. */
  readonly at: string
  /** Who accepted it, where a person did, and as what. */
  readonly by?: string | undefined
  readonly because?: string | undefined
}

const tableFields = z.object({
  tableId: z.string(),
  at: z.string(),
  by: z.optional(z.string()),
  because: z.optional(z.string()),
})

/** @throws Transient, Defect */
export async function findAcceptedTable(store: Pick<RecordStore, 'read'>): Promise<AcceptedTable | undefined> {
  const record = await store.read(recordKey.journal)
  if (record === undefined) return undefined
  const { tableId, at, by, because } = checkRecord(tableFields, record)
  return { tableId, at, by, because }
}

/** Only where nothing is written down yet: the first word counts. @throws Transient */
export async function declareTable(store: RecordStore, newId: NewId, table: AcceptedTable): Promise<void> {
  await putRecord({ store, newId }, recordKey.journal, { ...table })
}

/** A person's word, over what is there. @throws Transient where another wrote first */
export async function acceptTable(store: RecordStore, newId: NewId, table: AcceptedTable): Promise<void> {
  const known = await store.read(recordKey.journal)
  const outcome = await putOver({ store, newId }, known, recordKey.journal, { ...table })
  assertWritten(outcome, 'somebody else wrote which table this journal is in meanwhile')
}

/**
 * Whether anybody has said whose the table is. Before that it is a new one, or one that was lost and made anew: it is
 * nobody's journal, and holds nothing. Remembers a yes. @throws Transient
 */
export function createDeclaration(store: Pick<RecordStore, 'read'>): () => Promise<boolean> {
  let isKnown = false
  return async () => {
    isKnown ||=
      (await store.read(recordKey.journal)) !== undefined || (await store.read(recordKey.account)) !== undefined
    return isKnown
  }
}

/** Resolves where the table is the journal's own. @throws OwnFault where it is not, Transient, Defect */
export type AssertOwnTable = () => Promise<void>

export interface OwnTablePorts {
  readonly store: RecordStore
  readonly readTable: ReadTable
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>
  readonly newId: NewId
  /** Whether this process may write the record down for a journal of before. */
  readonly mayDeclare: boolean
}

/** A restore under the same name takes minutes, so a process that lives on asks again after this long. */
const FRESH_MS = 60_000
/** A table that was its own so lately still is, where it cannot be asked for a moment. */
const TOLERATED_MS = 300_000

/** Asks once for all that wait, and remembers a yes. */
export function createOwnTable(ports: OwnTablePorts): AssertOwnTable {
  const { clock } = ports
  let known: { readonly steadyMs: number; readonly nowMs: number } | undefined
  let asking: Promise<void> | undefined
  // By the clock that says more: one may stand still while the process is frozen, and the other may be set.
  const ageMs = () =>
    known === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(steadyMs(clock) - known.steadyMs, Math.abs(clock.nowMs() - known.nowMs))
  const ask = async () => {
    const asked = { steadyMs: steadyMs(clock), nowMs: clock.nowMs() }
    try {
      await assertOwn(ports)
      known = asked
    } catch (error) {
      if (error instanceof Transient && ageMs() < TOLERATED_MS) return
      known = undefined
      throw error
    } finally {
      asking = undefined
    }
  }
  return () => {
    if (ageMs() < FRESH_MS) return Promise.resolve()
    asking ??= ask()
    return asking
  }
}

async function assertOwn(ports: OwnTablePorts): Promise<void> {
  const { store, readTable, newId, mayDeclare, clock } = ports
  const [{ tableId, isRestored }, known] = await Promise.all([readTable(), findAcceptedTable(store)])
  if (known !== undefined) {
    if (known.tableId !== tableId) throw new OwnFault(replacedText(known.tableId, tableId))
    return
  }
  // A backup of before tables were named: what moved since is not in it.
  if (isRestored) throw new OwnFault(RESTORED)
  // Steps pin the account before they open an intent: a table without both was never a journal, or is one that was lost.
  if ((await store.read(recordKey.account)) === undefined) throw new OwnFault(UNDECLARED)
  if (!mayDeclare) return
  await declareTable(store, newId, { tableId, at: new Date(clock.nowMs()).toISOString() })
  // Whoever was first has written down which.
  const declared = await findAcceptedTable(store)
  if (declared !== undefined && declared.tableId !== tableId)
    throw new OwnFault(replacedText(declared.tableId, tableId))
}

const UNDECLARED =
  'the journal is empty, and nobody has said that it is a new one: after a first deployment `npm run verify:deployed` says so; else it was lost, and docs/runbook.md, "The journal is lost or restored", says what to do'

const RESTORED =
  'the table was restored, from a time in which journals named no table: what moved since may be missing; docs/runbook.md, "The journal is lost or restored", says what to do'

function replacedText(was: string, is: string): string {
  return was === UNACCEPTED
    ? 'the journal was rebuilt, and nobody has accepted it: `sluice journal verify --accept` (docs/runbook.md, "The journal is lost or restored")'
    : `the journal was written in the table ${was}, and this table is ${is}: it was restored or replaced, and what moved since may be missing; docs/runbook.md, "The journal is lost or restored", says what to do`
}

/** Reads and writes nothing of a table that is not the journal's own. A read goes on beside the question. */
export function guardStore(store: RecordStore, assertOwnTable: AssertOwnTable): RecordStore {
  return {
    async read(pk) {
      const [record] = await Promise.all([store.read(pk), assertOwnTable()])
      return record
    },
    async create(record) {
      await assertOwnTable()
      return store.create(record)
    },
    async replace(record, expectedVersion) {
      await assertOwnTable()
      return store.replace(record, expectedVersion)
    },
  }
}

/** Lists nothing of a table that is not the journal's own: where it was lost, there is nothing in it, and that says nothing. */
export function guardList<Asked extends readonly unknown[], Listed>(
  list: (...asked: Asked) => Promise<Listed>,
  assertOwnTable: AssertOwnTable,
): (...asked: Asked) => Promise<Listed> {
  return async (...asked) => {
    const [listed] = await Promise.all([list(...asked), assertOwnTable()])
    return listed
  }
}

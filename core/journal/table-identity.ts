// Whether the table is the one that this journal was written in. A table that was restored from a backup, or made anew,
// has another id than the one that is written down in it: what moved since is not in it, and would move again. Owns the
// record of that id and of the form that the records are in, and the store that refuses to go on without it. It verifies
// nothing: people do (`sluice journal`).
import * as z from 'zod/mini'
import { type Clock, type NewId, steadyMs } from '../clock.ts'
import { JOURNAL_FORM, recordKey } from '../contract/records.ts'
import { OwnFault, Transient } from '../errors.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, putRecord, type RecordStore, type StoredRecord } from './record-store.ts'

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
  form: z.number(),
})

/** @throws OwnFault for a journal of another form. @throws Transient, Defect */
export async function findAcceptedTable(store: Pick<RecordStore, 'read'>): Promise<AcceptedTable | undefined> {
  const record = await store.read(recordKey.journal)
  return record && acceptedTableOf(record)
}

/** Under other keys nothing of it would be found, so that each id could move again. */
function acceptedTableOf(record: StoredRecord): AcceptedTable {
  const { tableId, at, by, because, form } = checkRecord(tableFields, record)
  if (form !== JOURNAL_FORM) throw otherForm(form)
  return { tableId, at, by, because }
}

/** `form`: undefined for a table that holds records and does not say of which journal they are. */
export function otherForm(form: number | undefined): OwnFault {
  const is = form === undefined ? 'names no form of its records' : `has records of form ${form}`
  return new OwnFault(`the journal ${is}, and this release reads form ${JOURNAL_FORM} alone; ${OTHER_FORM_REMEDY}`)
}

export const OTHER_FORM_REMEDY =
  'end what is under way with the release that wrote it, then begin a new state directory, or deploy under another `environment`, and give no id there that was given before'

/** Only where nothing is written down yet: the first word counts. @throws Transient */
export async function declareTable(store: RecordStore, newId: NewId, table: AcceptedTable): Promise<void> {
  await putRecord({ store, newId }, recordKey.journal, { ...table, form: JOURNAL_FORM })
}

/** A person's word, over what is there. @throws OwnFault for a journal of another form. @throws Transient where another wrote first */
export async function acceptTable(store: RecordStore, newId: NewId, table: AcceptedTable): Promise<void> {
  const known = await store.read(recordKey.journal)
  if (known !== undefined) acceptedTableOf(known)
  const outcome = await putOver({ store, newId }, known, recordKey.journal, { ...table, form: JOURNAL_FORM })
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
  readonly store: Pick<RecordStore, 'read'>
  readonly readTable: ReadTable
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>
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

async function assertOwn({ store, readTable }: OwnTablePorts): Promise<void> {
  const [{ tableId, isRestored }, known] = await Promise.all([readTable(), findAcceptedTable(store)])
  if (known === undefined) throw new OwnFault(isRestored ? RESTORED : UNDECLARED)
  if (known.tableId !== tableId) throw new OwnFault(replacedText(known.tableId, tableId))
}

const UNDECLARED =
  'nobody has said that the table is a journal: after a first deployment `npm run verify:deployed` says so; else it was lost, and docs/runbook.md, "The journal is lost or restored", says what to do'

const RESTORED =
  'the table was restored, and does not say which journal it is: what moved since may be missing; docs/runbook.md, "The journal is lost or restored", says what to do'

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

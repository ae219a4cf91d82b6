// Checks that the table is the one in which this journal was written. A restored or new table has another id than the
// one recorded in it. Movements since then are missing from it, and would be made again. Owns the record of the table's
// id and of the journal's format, and the store that refuses another table. It verifies no content: people do that
// (`sluice journal`).
import * as z from 'zod/mini'
import { type Clock, type NewId, steadyMs } from '../clock.ts'
import { JOURNAL_FORM, recordKey } from '../contract/records.ts'
import { OwnFault, Transient } from '../errors.ts'
import { checkRecord } from './record-format.ts'
import { assertWritten, putOver, putRecord, type RecordStore, type StoredRecord } from './record-store.ts'

/** Returns the id that DynamoDB gave the table, and whether it was restored. @throws Transient, OwnFault */
type ReadTable = () => Promise<{ readonly tableId: string; readonly isRestored: boolean }>

/** Id in a journal that a rebuild has begun and nobody has accepted. No table has this id. */
export const UNACCEPTED = '(not accepted)'

export interface AcceptedTable {
  readonly tableId: string
  /** ISO-8601: accepted since. */
  readonly at: string
  /** The person who accepted it, and why. Absent where no person did. */
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

/**
 * @throws OwnFault for a journal whose records have other keys (`JOURNAL_FORM`)
 * @throws Transient, Defect
 */
export async function findAcceptedTable(store: Pick<RecordStore, 'read'>): Promise<AcceptedTable | undefined> {
  const record = await store.read(recordKey.journal)
  return record && acceptedTableOf(record)
}

/**
 * Refuses a journal of another form (`JOURNAL_FORM`). Its records have other keys and would not be found, so each id
 * could move money again.
 */
function acceptedTableOf(record: StoredRecord): AcceptedTable {
  const { tableId, at, by, because, form } = checkRecord(tableFields, record)
  if (form !== JOURNAL_FORM) throw otherForm(form)
  return { tableId, at, by, because }
}

/** `form`: undefined for a table that holds records without a journal's form. */
export function otherForm(form: number | undefined): OwnFault {
  const formText = form === undefined ? 'names no form of its records' : `has records of form ${form}`
  return new OwnFault(
    `the journal ${formText}, and this release reads form ${JOURNAL_FORM} alone; ${OTHER_FORM_REMEDY}`,
  )
}

export const OTHER_FORM_REMEDY =
  'end what is under way with the release that wrote it, then begin a new state directory, or deploy under another `environment`, and give no id there that was given before'

/** Records the table only if none is recorded yet: the first record stays. @throws Transient */
export async function declareTable(store: RecordStore, newId: NewId, table: AcceptedTable): Promise<void> {
  await putRecord({ store, newId }, recordKey.journal, { ...table, form: JOURNAL_FORM })
}

/**
 * Records a person's acceptance over an earlier record.
 * @throws OwnFault for a journal whose records have other keys (`JOURNAL_FORM`)
 * @throws Transient where another process wrote first
 */
export async function acceptTable(store: RecordStore, newId: NewId, table: AcceptedTable): Promise<void> {
  const known = await store.read(recordKey.journal)
  if (known !== undefined) acceptedTableOf(known)
  const outcome = await putOver({ store, newId }, known, recordKey.journal, { ...table, form: JOURNAL_FORM })
  assertWritten(outcome, 'somebody else recorded the table of this journal meanwhile')
}

/**
 * Whether the table has been declared as a journal. Before that it is a new table, or one created again after a loss,
 * and it holds nothing. Remembers a yes.
 * @throws Transient
 */
export function createDeclaration(store: Pick<RecordStore, 'read'>): () => Promise<boolean> {
  let isKnown = false
  return async () => {
    isKnown ||=
      (await store.read(recordKey.journal)) !== undefined || (await store.read(recordKey.account)) !== undefined
    return isKnown
  }
}

/** Resolves if the table is the journal's own. @throws OwnFault if it is not, Transient, Defect */
export type AssertOwnTable = () => Promise<void>

interface OwnTablePorts {
  readonly store: Pick<RecordStore, 'read'>
  readonly readTable: ReadTable
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>
}

/**
 * Milliseconds for which a check is valid. A restore under the same name takes minutes, so long processes check again.
 */
const FRESH_MS = 60_000
/** Milliseconds for which the last good check is enough while the table cannot be described. */
const TOLERATED_MS = 300_000

/** Checks once for all concurrent callers, and remembers a yes for FRESH_MS. */
export function createOwnTable(ports: OwnTablePorts): AssertOwnTable {
  const { clock } = ports
  let known: { readonly steadyMs: number; readonly nowMs: number } | undefined
  let asking: Promise<void> | undefined
  // Takes the larger age of the two clocks: one may stand still while the process is frozen, and the other may be set.
  const ageMs = () =>
    known === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(steadyMs(clock) - known.steadyMs, Math.abs(clock.nowMs() - known.nowMs))
  const ask = async () => {
    const askedAt = { steadyMs: steadyMs(clock), nowMs: clock.nowMs() }
    try {
      await assertOwn(ports)
      known = askedAt
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
  'nobody has declared this table as a journal: after a first deployment `npx sluice setup doctor --aws --after-deploy` declares it; otherwise the journal was lost, and docs/runbook.md, "The journal is lost or restored", says what to do'

const RESTORED =
  'the table was restored, and does not say which journal it is: later movements may be missing; docs/runbook.md, "The journal is lost or restored", says what to do'

function replacedText(was: string, is: string): string {
  return was === UNACCEPTED
    ? 'the journal was rebuilt, and nobody has accepted it: `sluice journal verify --accept` (docs/runbook.md, "The journal is lost or restored")'
    : `the journal was written in the table ${was}, and this table is ${is}: it was restored or replaced, and later movements may be missing; docs/runbook.md, "The journal is lost or restored", says what to do`
}

/** Refuses reads and writes of a table that is not the journal's own. A read runs in parallel with the check. */
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

/**
 * Refuses to list a table that is not the journal's own. A table created after a loss is empty, which proves nothing.
 */
export function guardList<Args extends readonly unknown[], Listed>(
  list: (...args: Args) => Promise<Listed>,
  assertOwnTable: AssertOwnTable,
): (...args: Args) => Promise<Listed> {
  return async (...args) => {
    const [listed] = await Promise.all([list(...args), assertOwnTable()])
    return listed
  }
}

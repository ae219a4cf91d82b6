// Writes an export of the journal into a folder: parts of gzipped lines, one record each, and then the manifest. It
// keeps one page of records at a time in memory. After a cut-off it continues behind the last whole part. It changes no
// record.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DURABLE, draftOf, isDraft } from '@sluice/embedded-aws'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import type { AccountAccess, RecordAccess } from '../../../place/journal/journal-parts.ts'
import { advice, option } from '../../../place/next-step.ts'
import { unfit } from '../../../place/operation-error.ts'
import { tableState } from '../span.ts'
import { PREFIXES } from '../survey.ts'
import {
  type ExportPart,
  type ExportProgress,
  findProgress,
  MANIFEST,
  type Manifest,
  MOST_PARTS,
  manifestText,
  newProgress,
  sealed,
} from './manifest.ts'

const PROGRESS = 'progress.json'
/** Records in one part: some 60 MB before it is compressed. */
const RECORDS_IN_PART = 50_000

export interface Exporting {
  readonly dir: string
  readonly nowMs: () => number
  /** Called after each part with the number of records in all parts. */
  readonly onPart: (records: number) => void
  readonly recordsInPart?: number
}

type Exported = RecordAccess & Pick<AccountAccess, 'findPin'>

/**
 * @throws OperationError (exit 2) for a folder with other files, or of another table.
 * @throws Transient
 */
export async function writeExport(connection: Exported, exporting: Exporting): Promise<Manifest> {
  const { dir, nowMs, onPart, recordsInPart = RECORDS_IN_PART } = exporting
  let progress = await beginOrContinue(connection, exporting)
  let isWhole = false
  let total = progress.parts.reduce((sum, { records }) => sum + records, 0)
  while (!isWhole) {
    if (progress.parts.length === MOST_PARTS) throw new RangeError(`the journal has more than ${MOST_PARTS} parts`)
    const file = `part-${String(progress.parts.length + 1).padStart(5, '0')}.jsonl.gz`
    const page = new Page(connection, progress.after, recordsInPart)
    const part = await writePart(dir, file, page.records())
    const kinds = { ...progress.kinds }
    for (const [kind, count] of page.kinds) kinds[kind] = (kinds[kind] ?? 0) + count
    progress = { ...progress, kinds, parts: [...progress.parts, part], ...(page.after && { after: page.after }) }
    isWhole = page.isLast
    if (!isWhole) DURABLE.replace(path.join(dir, PROGRESS), JSON.stringify(progress))
    total += part.records
    onPart(total)
  }
  const manifest = sealed(progress, new Date(nowMs()).toISOString())
  DURABLE.replace(path.join(dir, MANIFEST), manifestText(manifest))
  rmSync(path.join(dir, PROGRESS), { force: true })
  return manifest
}

class Page {
  readonly kinds = new Map<string, number>()
  after: string | undefined
  isLast = false
  readonly #connection: Exported
  readonly #from: string | undefined
  readonly #most: number

  constructor(connection: Exported, from: string | undefined, most: number) {
    this.#connection = connection
    this.#from = from
    this.#most = most
  }

  async *records(): AsyncGenerator<StoredRecord, void> {
    let count = 0
    let cutOffAt: string | undefined
    const onCutOff = (key: string) => {
      cutOffAt = key
    }
    for await (const record of this.#connection.scanPart(PREFIXES, { after: this.#from, onCutOff })) {
      yield record
      count += 1
      const kind = record.pk.slice(0, 1)
      this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1)
      this.after = record.pk
      if (count === this.#most) return
    }
    this.after = cutOffAt
    this.isLast = cutOffAt === undefined
  }
}

async function writePart(dir: string, file: string, records: AsyncIterable<StoredRecord>): Promise<ExportPart> {
  const hash = createHash('sha256')
  const counts = { bytes: 0, records: 0 }
  const draft = draftOf(path.join(dir, file))
  const written = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
  const closed = once(written, 'close')
  const whole = pipeline(
    async function* () {
      for await (const record of records) {
        counts.records += 1
        yield `${JSON.stringify(record)}\n`
      }
    },
    createGzip(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        counts.bytes += chunk.length
        yield chunk
      }
    },
    written,
  )
  // Waits even after an error, so that the caller finds the folder in its final state.
  await whole.finally(() => closed)
  renameSync(draft, path.join(dir, file))
  return { file, sha256: hash.digest('hex'), ...counts }
}

/** The folder is for its owner only, because it holds amounts and contacts. */
async function beginOrContinue(connection: Exported, { dir, nowMs }: Exporting): Promise<ExportProgress> {
  if (existsSync(dir) && !statSync(dir).isDirectory()) {
    throw unfit('to', `expected a folder; ${dir} is a file`, advice`name another folder with ${option('to')}`)
  }
  const parent = path.dirname(path.resolve(dir))
  // Node's mkdir of a whole path never ends in a file system without folders, such as /proc.
  if (!existsSync(parent)) {
    throw unfit(
      'to',
      `${parent} is not an existing folder`,
      advice`make it, or name another folder with ${option('to')}`,
    )
  }
  const [{ tableId, accepted }, account] = await Promise.all([tableState(connection), connection.findPin()])
  if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 })
  for (const name of readdirSync(dir)) if (isDraft(name)) rmSync(path.join(dir, name))
  const file = path.join(dir, PROGRESS)
  if (existsSync(file)) {
    const known = findProgress(readFileSync(file, 'utf8'))
    if (known?.table.tableId === tableId) return known
    const is = known === undefined ? 'that cannot be read' : `of the table ${known.table.tableId}`
    throw unfit('to', `${dir} has a part of an export ${is}`, advice`name another folder with ${option('to')}`)
  }
  // A first part that was cut off does not count.
  const others = readdirSync(dir).filter((name) => name !== 'part-00001.jsonl.gz')
  if (others.length > 0) {
    throw unfit('to', `${dir} has other files in it`, advice`name a new folder with ${option('to')}`)
  }
  const table = { name: connection.table.tableName, tableId, ...(accepted && { writtenIn: accepted.tableId }) }
  return newProgress({ startedAt: new Date(nowMs()).toISOString(), table, ...(account && { account }) })
}

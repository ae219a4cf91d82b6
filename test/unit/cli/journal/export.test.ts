// An export of the journal is written in parts, is complete after any cut-off, and shows any changed byte.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { chained } from '../../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../../core/journal/record-store.ts'
import { checkExport, recordsOfExport } from '../../../../operations/journal/export/read-export.ts'
import { type Exporting, writeExport } from '../../../../operations/journal/export/write-export.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

const RECORDS = Array.from({ length: 23 }, (_, nth) =>
  chained(
    { pk: `I#${String(nth).padStart(3, '0')}`, version: 1, format: 1, stamp: `s-${nth}`, amount: `${nth}.50` },
    undefined,
  ),
)

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

type Connection = Parameters<typeof writeExport>[0]

/** A table of these records. A scan shows `page` of them at a time, and fails after a number of records in all. */
function tableOf(
  records: readonly StoredRecord[],
  { page = 10, failsAfter = Number.POSITIVE_INFINITY, tableId = 'table-1' } = {},
) {
  let shown = 0
  const connection = {
    async *scanPart(_: readonly string[], { after, onCutOff }: Parameters<Connection['scanPart']>[1]) {
      const from = after === undefined ? 0 : records.findIndex(({ pk }) => pk === after) + 1
      for (const record of records.slice(from, from + page)) {
        if (shown === failsAfter) throw new Error('the table is gone for a moment')
        shown += 1
        yield record
      }
      if (from + page < records.length) onCutOff(records[from + page - 1]?.pk ?? '')
    },
    findPin: async () => ({ account: 'account-1', stage: 'test' }),
    store: { read: async () => undefined },
    table: { tableName: 'sluice-journal', client: { describeTable: async () => ({ Table: { TableId: tableId } }) } },
  }
  return connection as unknown as Connection
}

const exporting = (more: Partial<Exporting> = {}): Exporting => ({
  dir,
  nowMs: () => Date.parse('2026-11-23T00:00:00Z'),
  onPart: () => undefined,
  recordsInPart: 4,
  ...more,
})

async function readAll(): Promise<StoredRecord[]> {
  const { findings, manifest } = await checkExport(dir)
  expect(findings).toEqual([])
  if (manifest === undefined) throw new Error('no manifest')
  const records: StoredRecord[] = []
  for await (const record of recordsOfExport(dir, manifest)) records.push(record)
  return records
}

describe('an export', () => {
  test.each([1, 3, 4, 10, 100])('has each record once, where a scan shows %i at a time', async (page) => {
    const manifest = await writeExport(tableOf(RECORDS, { page }), exporting())
    expect(manifest).toMatchObject({
      kinds: { I: 23 },
      account: { account: 'account-1' },
      table: { tableId: 'table-1' },
    })
    expect(await readAll()).toEqual(RECORDS)
  })

  test('an export of an empty table is whole', async () => {
    await writeExport(tableOf([]), exporting())
    expect(await readAll()).toEqual([])
  })

  test('an export that was cut off after any record continues, and is complete', async () => {
    const some = RECORDS.slice(0, 9)
    for (let failsAfter = 0; failsAfter < some.length; failsAfter += 1) {
      await expect(writeExport(tableOf(some, { failsAfter }), exporting())).rejects.toThrow('gone for a moment')
      await writeExport(tableOf(some), exporting())
      expect(await readAll()).toEqual(some)
      for (const file of readdirSync(dir)) rmSync(path.join(dir, file))
    }
  })

  test('an export that was cut off does not continue from another table', async () => {
    await expect(writeExport(tableOf(RECORDS, { failsAfter: 9 }), exporting())).rejects.toThrow()
    const other = writeExport(tableOf(RECORDS, { tableId: 'table-2' }), exporting())
    await expect(other).rejects.toThrow('has a part of an export of the table table-1')
  })

  test('is not written among other files', async () => {
    writeFileSync(path.join(dir, 'notes.txt'), 'mine')
    await expect(writeExport(tableOf(RECORDS), exporting())).rejects.toThrow('has other files in it')
    const file = exporting({ dir: path.join(dir, 'notes.txt') })
    await expect(writeExport(tableOf(RECORDS), file)).rejects.toThrow('notes.txt is a file')
  })

  test('is not written into a missing folder, or where no folder can be made', async () => {
    const nowhere = writeExport(tableOf(RECORDS), exporting({ dir: path.join(dir, 'a', 'b') }))
    await expect(nowhere).rejects.toThrow('is not an existing folder')
    await expect(writeExport(tableOf(RECORDS), exporting({ dir: '/proc/export' }))).rejects.toThrow('ENOENT')
  })

  test('with any changed byte is found, with its file', async () => {
    await writeExport(tableOf(RECORDS), exporting({ recordsInPart: 12 }))
    const files = readdirSync(dir)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (name, at, flip) => {
          const file = path.join(dir, name)
          const was = readFileSync(file)
          const changed = Buffer.from(was)
          const index = at % was.length
          changed[index] = (was[index] ?? 0) ^ flip
          writeFileSync(file, changed)
          const { findings } = await checkExport(dir)
          writeFileSync(file, was)
          expect(findings).toContainEqual(expect.objectContaining({ finding: 'BROKEN_EXPORT', about: name }))
        },
      ),
      { numRuns: 100 },
    )
    expect(await readAll()).toEqual(RECORDS)
  })

  test('an export whose manifest names another format is refused, and not called damaged', async () => {
    const { sha256: _sha256, ...facts } = await writeExport(tableOf(RECORDS), exporting())
    const was = { ...facts, format: 'sluice-journal-export/2' }
    const sha256 = createHash('sha256').update(JSON.stringify(was)).digest('hex')
    writeFileSync(path.join(dir, 'manifest.json'), JSON.stringify({ ...was, sha256 }))
    await expect(checkExport(dir)).rejects.toThrow('names another format')
  })

  test('with a part missing or cut off is found', async () => {
    await writeExport(tableOf(RECORDS), exporting())
    const cut = path.join(dir, 'part-00002.jsonl.gz')
    writeFileSync(cut, readFileSync(cut).subarray(0, -1))
    rmSync(path.join(dir, 'part-00003.jsonl.gz'))
    const { findings } = await checkExport(dir)
    expect(findings.map(({ about }) => about)).toEqual(['part-00002.jsonl.gz', 'part-00003.jsonl.gz'])
  })

  test('an export of a record that was edited before reports the edit', async () => {
    const [first, ...others] = RECORDS
    const edited = { ...first, amount: '99' } as StoredRecord
    await writeExport(tableOf([edited, ...others]), exporting())
    const { findings } = await checkExport(dir)
    expect(findings).toEqual([
      { finding: 'BROKEN_CHAIN', about: 'I#000', message: expect.stringContaining('part-00001') },
    ])
  })
})

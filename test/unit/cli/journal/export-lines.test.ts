// Parts of a forged export, with a manifest that fits them: an endless line is refused at its bound, and a line that is not a
// record is reported.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { MANIFEST, manifestText, newProgress, sealed } from '../../../../operations/journal/export/manifest.ts'
import { checkExport, MOST_LINE_BYTES } from '../../../../operations/journal/export/read-export.ts'
import { folderOfFile } from '../../../helpers/folders.ts'

const AT = '2026-02-01T12:00:00.000Z'
const RECORD = Buffer.from('{"pk":"A#account","version":1,"stamp":"s"}')
const LINE_END = Buffer.from('\n')

const root = folderOfFile()
let folders = 0

function exportOf(part: Buffer, records = 1): string {
  folders += 1
  const dir = path.join(root, String(folders))
  mkdirSync(dir)
  const file = 'part-00001.jsonl.gz'
  writeFileSync(path.join(dir, file), part)
  const sha256 = createHash('sha256').update(part).digest('hex')
  const progress = newProgress({ startedAt: AT, table: { name: 't', tableId: 'i' } })
  const parts = [{ file, sha256, bytes: part.length, records }]
  writeFileSync(path.join(dir, MANIFEST), manifestText(sealed({ ...progress, parts }, AT)))
  return dir
}

/** A line beyond the bound whose compressed bytes break off soon after it: reading on would meet that end instead. */
function endless(): Buffer {
  const whole = gzipSync(Buffer.concat([RECORD, LINE_END, Buffer.alloc(8 * MOST_LINE_BYTES, 'x')]))
  return whole.subarray(0, Math.ceil(whole.length / 2))
}

const findingsOf = async (dir: string) =>
  (await checkExport(dir)).findings.map(({ message }) => message).filter((message) => !message.startsWith('in part'))

const TOO_LONG = `line 2 is longer than ${MOST_LINE_BYTES} bytes`

test('an endless line is refused at its bound, and the rest is not read', async () => {
  expect(await findingsOf(exportOf(endless()))).toEqual([TOO_LONG])
})

test('a line of the most bytes is read, and one byte more is refused', async () => {
  const padded = (bytes: number) => {
    const record = { pk: 'A#account', version: 1, stamp: 's', padding: '' }
    const padding = 'x'.repeat(bytes - JSON.stringify(record).length)
    return exportOf(gzipSync(`${JSON.stringify({ ...record, padding })}\n`))
  }
  expect(await findingsOf(padded(MOST_LINE_BYTES))).toEqual([])
  expect(await findingsOf(padded(MOST_LINE_BYTES + 1))).toEqual([`line 1 is longer than ${MOST_LINE_BYTES} bytes`])
})

test.each([
  ['that is no JSON', Buffer.concat([RECORD, LINE_END, Buffer.from('{\n')]), 'line 2 is no JSON'],
  ['that has no end', Buffer.concat([RECORD, LINE_END, RECORD]), 'line 2 has no end'],
])('a line %s is reported with its number', async (_what, lines, words) => {
  expect(await findingsOf(exportOf(gzipSync(lines), 2))).toEqual([words])
})

test('a manifest longer than any real manifest is not read', async () => {
  const dir = exportOf(gzipSync(Buffer.concat([RECORD, LINE_END])))
  writeFileSync(path.join(dir, MANIFEST), Buffer.alloc(9 * 1024 * 1024, ' '))
  expect(await checkExport(dir)).toMatchObject({
    manifest: undefined,
    findings: [{ message: expect.stringMatching(/longer than/) }],
  })
})

// Tests the check of LevelDB's log. LevelDB silently drops a damaged record, so without the check a sent order would
// look unsent.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createJournal } from '../../../../core/journal/journal.ts'
import { openKeptJournal } from '../../../../place/journal/kept-journal.ts'
import { armed, CONVERSION } from '../../../../test/helpers/intents.ts'
import { makeKeptJournal } from '../../../../test/helpers/kept-journal.ts'
import { findDamage } from '../../dynamodb/level-log.ts'

interface Level {
  open(): Promise<void>
  put(key: string, value: string): Promise<void>
  close(): Promise<void>
}
const { ClassicLevel } = createRequire(import.meta.url)('classic-level') as { ClassicLevel: new (dir: string) => Level }

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-level-log-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** The path of the only log in a directory. */
function logIn(directory: string): string {
  const logs = readdirSync(directory).filter((name) => name.endsWith('.log'))
  expect(logs).toHaveLength(1)
  return path.join(directory, String(logs[0]))
}

/**
 * A log by LevelDB with records of many lengths: one record spans two blocks, and a block ends in the middle of the
 * log.
 */
async function writtenLog(): Promise<Buffer> {
  const db = new ClassicLevel(dir)
  await db.open()
  for (let index = 0; index < 30; index += 1) await db.put(`key-${index}`, `{"${'x'.repeat(index * 9)}":${index}}`)
  await db.put('long', JSON.stringify('y'.repeat(33_000)))
  for (let index = 30; index < 36; index += 1) await db.put(`key-${index}`, `{"${'z'.repeat(index)}":${index}}`)
  await db.close()
  return readFileSync(logIn(dir))
}

test('a log by LevelDB is undamaged', async () => {
  const log = await writtenLog()
  expect(log.length).toBeGreaterThan(36_000)
  expect(findDamage(log)).toBeUndefined()
})

test('a changed byte anywhere is damage', async () => {
  const log = await writtenLog()
  const place = fc.oneof(fc.nat(log.length - 1), fc.integer({ min: log.length - 300, max: log.length - 1 }))
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(log)
      changed[at] = (log[at] ?? 0) ^ change
      const damagedAt = findDamage(changed)
      expect(damagedAt).toBeLessThanOrEqual(at)
    }),
    { numRuns: 1_000 },
  )
})

test('a lost sector between records is damage', async () => {
  const log = await writtenLog()
  const sectors = Math.floor(log.length / 512)
  for (let sector = 0; sector < sectors; sector += 1) {
    expect(findDamage(Buffer.from(log).fill(0, sector * 512, sector * 512 + 512))).toBeLessThan((sector + 1) * 512)
  }
})

test('a log that was cut off anywhere is undamaged', async () => {
  const log = await writtenLog()
  for (let length = 0; length < log.length; length += length < 32_000 ? 101 : 1) {
    if (findDamage(log.subarray(0, length)) !== undefined) expect.fail(`cut at ${length}`)
  }
})

test('a log whose last sectors were never written is undamaged', async () => {
  const log = await writtenLog()
  for (let length = 0; length < log.length; length += 512) {
    expect(findDamage(Buffer.from(log).fill(0, length))).toBeUndefined()
  }
})

describe('a journal of a state directory', () => {
  async function armedJournal(): Promise<string> {
    await makeKeptJournal(dir, async (store) => {
      const journal = createJournal(store, () => 'stamp')
      const times = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
      const opened = await journal.open({ intentId: 'i', ...CONVERSION, ...times })
      await journal.advance(opened, armed(opened, 'order-1'))
    })
    return logIn(path.join(dir, 'dynamodb'))
  }

  test('whose armed intent was damaged on disk needs a person at each opening', async () => {
    const file = await armedJournal()
    const log = readFileSync(file)
    const at = log.lastIndexOf('ARMED')
    expect(at).toBeGreaterThan(0)
    log[at] = (log[at] ?? 0) ^ 1
    writeFileSync(file, log)
    const refusal = {
      exitCode: 3,
      code: 'state_unusable',
      message: expect.stringContaining(`${file} is damaged at byte`),
    }
    await expect(openKeptJournal(dir)).rejects.toMatchObject(refusal)
    await expect(openKeptJournal(dir)).rejects.toMatchObject(refusal)
  })

  test('that is cut off in its last record can be opened', async () => {
    const file = await armedJournal()
    writeFileSync(file, readFileSync(file).subarray(0, -3))
    await (await openKeptJournal(dir))?.stop()
    expect(readdirSync(dir)).toContain('dynamodb')
  })
})

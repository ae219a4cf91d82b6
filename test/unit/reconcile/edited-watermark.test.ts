// Edits of the audit's own record, by somebody who can write the table and make a valid chain. The next audit reports
// the edit, and finds what it was to hide.
import { beforeEach, describe, expect, test } from 'vitest'
import { FindingType } from '../../../core/contract/reconcile.ts'
import { AUDIT_WALK, recordKey } from '../../../core/contract/records.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { foundKey, type Walked } from '../../../core/journal/watermarks.ts'
import { audit, startAnew, withdrawal, world } from './audited-world.ts'

const HOUR_S = 3_600
const THEIRS = { ...withdrawal, id: 'theirs', createdAt: '2026-02-01T11:50:00.000Z' }
const UNCLAIMED = { finding: FindingType.UnclaimedMovement, movementId: 'theirs' }
const CHANGED = {
  finding: FindingType.ChangedRecord,
  message: expect.stringMatching(/W#reconcile is not as an audit has written it.* after 2026-01-25/),
}
const KEY = recordKey.watermark(AUDIT_WALK)

const stored = async () => (await world.store.read(KEY)) as StoredRecord & Walked & { unfinished: object; seal: object }

/** Writes the next version, as an audit would, with what is in the record and `edit`. */
async function edit(change: (record: Awaited<ReturnType<typeof stored>>) => Record<string, unknown>) {
  const record = await stored()
  await world.store.replace({ ...record, ...change(record), version: record.version + 1 }, record.version)
}

beforeEach(startAnew)

describe('an hour in which somebody else withdraws', () => {
  beforeEach(async () => {
    await audit()
    world.nowS += HOUR_S
    world.withdrawals = [withdrawal, THEIRS]
  })

  test.each<[string, (record: Walked) => Record<string, unknown>]>([
    ['the end of what was judged', () => ({ through: '2026-02-01T12:30:00.000Z' })],
    ['an earlier end', () => ({ through: '2026-02-01T10:30:00.000Z' })],
    ['the findings that wait', () => ({ seenSince: { key: '2026-02-01T12:30:00.000Z' } })],
    ['the end of what was judged again', () => ({ againThrough: '2026-02-01T09:00:00.000Z' })],
    [
      'an audit of several calls that nobody began',
      () => ({
        unfinished: {
          ...{ since: '2026-02-01T12:00:00.000Z', begunAt: '2026-02-01T12:00:00.000Z' },
          ...{ againFrom: '2026-02-01T12:00:00.000Z', againTo: '2026-02-01T12:00:00.000Z' },
          ...{ counts: {}, told: [], seenSince: {} },
        },
      }),
    ],
    ['the code of the seal', () => ({ seal: { by: 'key', code: 'AAAA' } })],
    ['the key of the seal', () => ({ seal: { by: 'another', code: 'AAAA' } })],
    ['the whole seal', () => ({ seal: undefined })],
    ['nothing but the version', () => ({})],
  ])('is found although somebody changed %s, and the change is a finding', async (_what, change) => {
    await edit(change)
    expect((await audit()).findings).toEqual([CHANGED, expect.objectContaining(UNCLAIMED)])
    expect((await audit()).findings).toEqual([])
  })

  test('is found although somebody recorded its finding as reported', async () => {
    // A look back reports what the next audit would, and records nothing.
    const told = (await audit({ since: '2026-02-01T11:00:00Z' })).findings.map(foundKey)
    expect(told).toHaveLength(1)
    await edit(() => ({ told }))
    const { findings } = await audit()
    expect(findings).toEqual([CHANGED, expect.objectContaining(UNCLAIMED)])
  })

  test('is found although somebody put the last record of the audit before in the place of the newest', async () => {
    const before = await stored()
    world.nowS += HOUR_S
    await audit()
    await edit(() => ({ ...before }))
    expect((await audit()).findings).toContainEqual(CHANGED)
  })

  test('is found, and found again, although somebody put back the record from before it whole', async () => {
    const before = await stored()
    expect((await audit()).findings).toEqual([expect.objectContaining(UNCLAIMED)])
    await world.store.replace(before, (await stored()).version)
    expect((await audit()).findings).toEqual([expect.objectContaining(UNCLAIMED)])
  })
})

test('an edit between two calls of one audit is a finding, and hides nothing of it', async () => {
  world.nowS += HOUR_S
  world.withdrawals = [withdrawal, THEIRS]
  world.hasTime = () => false
  await world.watermarks.move(AUDIT_WALK, undefined, {
    ...{ through: '2026-02-01T11:00:00.000Z', told: [], seenSince: {} },
    unfinished: {
      ...{ since: '2026-02-01T11:00:00.000Z', begunAt: '2026-02-01T11:30:00.000Z' },
      ...{ againFrom: '2026-01-30T11:00:00.000Z', againTo: '2026-02-01T11:00:00.000Z' },
      ...{ counts: {}, told: [], seenSince: {} },
    },
  })
  await edit(({ unfinished }) => ({ through: '2026-02-01T12:40:00.000Z', unfinished }))
  expect((await audit({ continues: true })).findings).toEqual([CHANGED, expect.objectContaining(UNCLAIMED)])
})

describe('a record that somebody deleted', () => {
  const delta = 3 * 24 * HOUR_S

  test('leaves nothing out that moved since the keys were verified', async () => {
    world.verifiedAt = '2026-01-20T00:00:00.000Z'
    world.nowS += delta
    world.withdrawals = [withdrawal, THEIRS]
    const { findings, since } = await audit()
    expect(since).toBe('2026-01-28T12:00:00.000Z')
    expect(findings).toEqual([
      expect.objectContaining({
        finding: FindingType.ChangedRecord,
        message: expect.stringMatching(/no record W#reconcile.*verified at 2026-01-20.*after 2026-01-28/),
      }),
      expect.objectContaining(UNCLAIMED),
    ])
  })

  test('is no finding of a first audit: it judges a day, or everything since the keys were verified', async () => {
    expect(await audit()).toMatchObject({ since: '2026-01-31T12:00:00.000Z', outcome: 'TIES_OUT' })
    startAnew()
    world.verifiedAt = '2026-01-29T00:00:00.000Z'
    expect(await audit()).toMatchObject({ since: '2026-01-29T00:00:00.000Z', outcome: 'TIES_OUT' })
  })
})

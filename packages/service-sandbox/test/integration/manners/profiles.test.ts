// A profile of manners can be chosen, kept and repeated by its seed, and by default the service is tidy.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TIDY } from '../../../service/manners/manners.ts'
import { PROFILES, type Profile } from '../../../service/profiles.ts'
import { Caller } from '../caller.ts'
import { NOW_MS, startWith, withdraw } from './arranged.ts'

function stateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-manners-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'world')
}

test('by default the service is tidy, and its state file holds no manners', async () => {
  const file = stateFile()
  const caller = await Caller.start({ stateFile: file })
  await withdraw(caller)
  expect(await caller.control('GET', '/manners')).toEqual(TIDY)
  await caller.sandbox.stop()
  expect(readFileSync(file, 'utf8')).not.toContain('manners')
})

test('control calls change single manners, and refuse unknown ones', async () => {
  const caller = await startWith({})
  await caller.control('POST', '/manners', { ids: 'counter' })
  const slow = { leastMs: 1, mostMs: 2, percent: 100 }
  expect(await caller.control('POST', '/manners', { rows: ['coarse'], slow })).toEqual({
    ...TIDY,
    ids: 'counter',
    rows: ['coarse'],
    slow,
  })
  for (const wrong of [
    { ids: 'short' },
    { rows: ['odd'] },
    { slow: { leastMs: 2, mostMs: 1 } },
    { slow: 'yes' },
    { shoes: 1 },
  ]) {
    await expect(caller.control('POST', '/manners', wrong)).rejects.toThrow('validation_error')
  }
})

test('hostile has every manner, and the other profiles together have every manner too', () => {
  const { hostile, ...others } = PROFILES as Readonly<Record<string, Profile>>
  expect(Object.keys(hostile?.manners ?? {}).sort()).toEqual(Object.keys(TIDY).sort())
  const alone = Object.values(others).flatMap(({ manners = {} }) => Object.keys(manners))
  expect(new Set(alone)).toEqual(new Set(Object.keys(TIDY)))
})

test('a state file keeps its profile, faults and manners until another profile is requested', async () => {
  const file = stateFile()
  await (await Caller.start({ stateFile: file, profile: 'hostile' })).sandbox.stop()
  const again = await Caller.start({ stateFile: file })
  expect(await again.control('GET', '/manners')).toMatchObject(PROFILES.hostile.manners)
  expect((await again.control('GET', '/rules')).rules).toHaveLength(PROFILES.hostile.rules.length)
  await again.sandbox.stop()
  const tidy = await Caller.start({ stateFile: file, profile: 'prompt' })
  expect(await tidy.control('GET', '/manners')).toEqual(TIDY)
  expect((await tidy.control('GET', '/rules')).rules).toEqual([])
  await tidy.sandbox.stop()
})

test('the same seed is hostile in the same way', async () => {
  const record = async (seed: string) => {
    const caller = await Caller.start({ seed, profile: 'hostile', clock: { nowMs: () => NOW_MS } })
    await caller.control('POST', '/manners', { slow: { leastMs: 16_000, mostMs: 40_000, percent: 50, hangUpMs: 0 } })
    const answers: unknown[] = []
    for (let n = 0; n < 12; n += 1) {
      const answer = await withdraw(caller).catch(() => undefined)
      answers.push([answer?.status, answer?.body])
      answers.push(
        await caller.get('/v2/withdrawals?limit=5').then(({ status, body }) => [status, status === 200 && body]),
      )
      await caller.advance(7_000)
    }
    const { movements } = await caller.control('GET', '/oracle')
    await caller.sandbox.stop()
    return JSON.stringify([answers, movements]).replaceAll(/"nonce":"[^"]*"|"traceId":"[^"]*"/g, '')
  }
  const first = await record('a')
  expect(await record('a')).toBe(first)
  expect(await record('b')).not.toBe(first)
})

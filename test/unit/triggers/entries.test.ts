// The entries of an id are numbered without a gap, and there are at most 99.
import { expect, test } from 'vitest'
import { enterAgain, findLastEntry } from '../../../core/triggers/entries.ts'

const namesTo = (entries: number) => Array.from({ length: entries }, (_, at) => (at === 0 ? 'run' : `run_${at + 1}`))

test('the last entry is the one before the first free name', async () => {
  const kept = new Set(['run', 'run_2', 'run_4'])
  const find = (name: string) => (kept.has(name) ? name : undefined)
  expect(await findLastEntry('run', find)).toEqual({ first: 'run', kept: 'run_2', entry: 2 })
  expect(await findLastEntry('other', find)).toEqual({ first: undefined, kept: undefined, entry: 0 })
})

test('names are searched to the 99th and no further', async () => {
  const asked: string[] = []
  const find = (name: string) => {
    asked.push(name)
    return name
  }
  expect(await findLastEntry('run', find)).toEqual({ first: 'run', kept: 'run_99', entry: 99 })
  expect(asked).toEqual(namesTo(99))
})

test('a run is entered again under the first name that nobody took', async () => {
  const asked: string[] = []
  const start = async (name: string) => {
    asked.push(name)
    return name === 'run_5' ? name : ('taken' as const)
  }
  expect(await enterAgain('run', 2, start)).toBe('run_5')
  expect(asked).toEqual(['run_3', 'run_4', 'run_5'])
})

test('if all 99 names are taken nothing is started', async () => {
  const asked: string[] = []
  const start = async (name: string) => {
    asked.push(name)
    return 'taken' as const
  }
  expect(await enterAgain('run', 1, start)).toBeUndefined()
  expect(asked).toEqual(namesTo(99).slice(1))
})

test('a leg that first started in a later entry of its run is found, and so is the leg after an entry without it', async () => {
  const names = ['leg_2', 'leg_5']
  const find = (name: string) => names.find((known) => known === name)
  expect(await findLastEntry('leg', find, { isLeg: true })).toEqual({ first: 'leg_2', kept: 'leg_5', entry: 5 })
  expect(await findLastEntry('leg', find)).toEqual({ first: undefined, kept: undefined, entry: 0 })
  const asked: string[] = []
  await findLastEntry('nobody', (name) => void asked.push(name), { isLeg: true })
  expect(asked).toEqual(['nobody', 'nobody_2', 'nobody_3', 'nobody_4'])
})

// A fact happens only once it is recorded, and reads back with nothing changed.
import { expect, test } from 'vitest'
import { amount, formatAmount } from '../../service/amount.ts'
import { decodeFact, encodeFact, type Fact } from '../../service/facts.ts'
import { PROFILES } from '../../service/profiles.ts'
import { NOBODY, World } from '../../service/world.ts'

const origin = { seed: 'sluice', openedAtMs: 1_800_000_000_000 }
const clock = { nowMs: () => origin.openedAtMs }
const deposit: Fact = {
  kind: 'deposit.credited',
  deposit: { id: 'd', assetSymbol: 'USD', amount: amount('100'), multiplier: amount('1'), createdAtMs: 0 },
}

test('a fact that cannot be recorded does not happen', () => {
  const record = () => {
    throw new Error('disk full')
  }
  const world = new World(origin, clock, PROFILES.prompt.pace, { ...NOBODY, record })
  const before = world.ledger.position('USD')
  expect(() => world.commit(deposit)).toThrow('disk full')
  expect(world.ledger.position('USD')).toEqual(before)
  expect(world.factsApplied).toBe(0)
})

test('a fact is reported after it was applied', () => {
  const seen: [string, string][] = []
  const report = ({ kind }: Fact) => void seen.push([kind, formatAmount(world.ledger.position('USD').available)])
  const world: World = new World(origin, clock, PROFILES.prompt.pace, { ...NOBODY, report })
  const { available } = world.ledger.position('USD')
  world.commit(deposit)
  expect(seen).toEqual([['deposit.credited', formatAmount(available.plus(100))]])
})

test('a fact reads back unchanged, with amounts and texts', () => {
  const labelled: Fact = {
    kind: 'contact.labelled',
    contactId: 'c',
    reference: '{"units":"1"}',
    alias: 'units',
    atMs: 1,
  }
  for (const fact of [deposit, labelled]) expect(decodeFact(encodeFact(fact))).toEqual(fact)
  expect(encodeFact(deposit)).not.toContain('\n')
  // State files of every release hold amounts in this form.
  expect(encodeFact(deposit)).toContain('"amount":{"units":"100000000000000000000"}')
})

test('an id is the same for the same world and history, and changes with the next fact', () => {
  const [one, other] = [1, 2].map(() => new World(origin, clock, PROFILES.prompt.pace, NOBODY)) as [World, World]
  const first = one.newId('quote')
  expect(other.newId('quote')).toBe(first)
  one.commit(deposit)
  expect(one.newId('quote')).not.toBe(first)
})

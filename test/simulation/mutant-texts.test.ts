// Mutants change the product's source by exact text. A mutant whose text is gone tests nothing.
import { describe, expect, test } from 'vitest'
import { applyEdit, edit, editedSources } from '../mutants/source-edits.ts'
import { MUTANTS as DAYS_MUTANTS } from '../policies/days/mutants.ts'
import { WAY_MUTANTS } from '../unit/planning/way-mutants.ts'
import { HARMLESS, MUTANTS } from './mutants.ts'

const TABLES = { simulation: MUTANTS, harmless: HARMLESS, days: DAYS_MUTANTS, ways: WAY_MUTANTS }

describe.each(Object.entries(TABLES))('%s', (_, mutants) => {
  test.each(Object.entries(mutants))('%s: the product has each text that it changes, once', (__, { edits }) => {
    expect(editedSources(edits).size).toBeGreaterThan(0)
  })
})

test('a mutant is refused if the product does not have its text exactly once, or if it changes nothing', () => {
  const guess = edit('order.ts', 'the fence', 'a guess')
  expect(applyEdit('wait for the fence', guess)).toBe('wait for a guess')
  expect(() => applyEdit('wait', guess)).toThrow('0 times, not once')
  expect(() => applyEdit('the fence, the fence', guess)).toThrow('2 times, not once')
  expect(() => applyEdit('wait for the fence', edit('order.ts', 'the fence', 'the fence'))).toThrow('changes nothing')
})

// A mutant changes the modules that reach its edit, and leaves the others as they are.
import { beforeAll, expect, test } from 'vitest'
import type * as amounts from '../../../core/contract/amount.ts'
import type * as decimals from '../../../core/money/decimal.ts'
import { type ModuleGraph, readModules } from '../../mutants/module-graph.ts'
import { edit } from '../../mutants/source-edits.ts'

type Loaded = typeof amounts & typeof decimals

const AMOUNT = 'core/contract/amount.ts'
const DECIMAL = 'core/money/decimal.ts'

let modules: ModuleGraph<Loaded>
beforeAll(async () => {
  modules = await readModules([AMOUNT, DECIMAL])
})

test('a module that imports a changed module uses the change', async () => {
  const { parseDecimal } = await modules.load([edit(AMOUNT, '{0,29}', '{0,1}')])
  expect(() => parseDecimal('123', 'amount')).toThrow('expected')
  expect(parseDecimal('12', 'amount')).toBe(12n * 10n ** 18n)
})

test('without a change the modules are unchanged, whatever was changed before', async () => {
  const before = await modules.load([])
  await modules.load([edit(AMOUNT, '{0,29}', '{0,1}')])
  const after = await modules.load([])
  expect(after.parseDecimal('123', 'amount')).toBe(123n * 10n ** 18n)
  expect(after.parseDecimal).toBe(before.parseDecimal)
})

test('a module that no change reaches is evaluated once', async () => {
  const { AMOUNT_PATTERN, ONE_UNIT, parseDecimal } = await modules.load([])
  const changed = await modules.load([edit(DECIMAL, 'const SCALE_DIGITS = 18', 'const SCALE_DIGITS = 17')])
  expect(changed.ONE_UNIT).toBe(ONE_UNIT / 10n)
  expect(changed.parseDecimal).not.toBe(parseDecimal)
  expect(changed.AMOUNT_PATTERN).toBe(AMOUNT_PATTERN)
})

test('a change of a file outside the modules is refused', async () => {
  const clock = edit('core/clock.ts', 'export interface Clock', 'export interface Watch')
  await expect(modules.load([clock])).rejects.toThrow('not one of the modules: core/clock.ts')
})

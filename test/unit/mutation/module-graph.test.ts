// A mutant changes the modules that reach its edit, and leaves the others as they are.
import { beforeAll, expect, test } from 'vitest'
import type * as amounts from '../../../core/contract/amount.ts'
import type * as decimals from '../../../core/money/decimal.ts'
import { type ModuleGraph, readModules } from '../../mutation/module-graph.ts'

type Loaded = typeof amounts & typeof decimals

const AMOUNT = 'core/contract/amount.ts'
const DECIMAL = 'core/money/decimal.ts'

/** A module with one pattern, and without its other exports. */
const SHORT_AMOUNTS = new Map([[AMOUNT, 'export const AMOUNT_PATTERN = /^[0-9]{1,2}$/']])

let modules: ModuleGraph<Loaded>
beforeAll(async () => {
  modules = await readModules([AMOUNT, DECIMAL])
})

test('a module that imports a changed module uses the change', async () => {
  const { parseDecimal } = await modules.load(SHORT_AMOUNTS)
  expect(() => parseDecimal('123', 'amount')).toThrow('expected')
  expect(parseDecimal('12', 'amount')).toBe(12n * 10n ** 18n)
})

test('without a change the modules are unchanged, whatever was changed before', async () => {
  const before = await modules.load(new Map())
  await modules.load(SHORT_AMOUNTS)
  const after = await modules.load(new Map())
  expect(after.parseDecimal('123', 'amount')).toBe(123n * 10n ** 18n)
  expect(after.parseDecimal).toBe(before.parseDecimal)
})

test('a module that no change reaches is evaluated once', async () => {
  const { AMOUNT_PATTERN } = await modules.load(new Map())
  const changed = await modules.load(new Map([[DECIMAL, 'export const ONE_UNIT = 10n']]))
  expect(changed.ONE_UNIT).toBe(10n)
  expect(changed.AMOUNT_PATTERN).toBe(AMOUNT_PATTERN)
})

test('a change of a file outside the modules is refused', async () => {
  await expect(modules.load(new Map([['core/clock.ts', '']]))).rejects.toThrow('not one of the modules: core/clock.ts')
})

// Tests which executions of a movement are read for its page, its timeline and its proof.
import { expect, test } from 'vitest'
import { historiesOf } from '../../../../operations/movements/load-intent.ts'
import type { ExecutionHistory } from '../../../../place/executions/execution-history.ts'

const readOf = async (names: readonly string[], params: Readonly<Record<string, unknown>>) => {
  const findHistory = async (_machine: string, name: string) =>
    names.includes(name) ? ({ name } as unknown as ExecutionHistory) : undefined
  return (await historiesOf({ kind: 'withdraw', intentId: 'wd-1', params } as never, { findHistory })).histories
}

test('a leg whose run waited for approval has its first execution in the second entry, and it is read', async () => {
  expect(await readOf(['wd-1_2', 'wd-1_4'], { run: 'sw-1' })).toEqual([{ name: 'wd-1_2' }, { name: 'wd-1_4' }])
})

test('the executions of a movement without a run are read without gaps', async () => {
  expect(await readOf(['wd-1', 'wd-1_2', 'wd-1_4'], {})).toEqual([{ name: 'wd-1' }, { name: 'wd-1_2' }])
})

test('at most 20 executions are read, and the result says that there may be more', async () => {
  const findHistory = async () => ({}) as unknown as ExecutionHistory
  const { histories, unread } = await historiesOf({ kind: 'withdraw', intentId: 'wd-1', params: {} } as never, {
    findHistory,
  })
  expect(histories).toHaveLength(20)
  expect(unread).toContain('only the first 20')
})

// Tests how the results of several decisions are grouped on their page.
import { expect, test } from 'vitest'
import { decisionName, groupsOf } from '../../../views/decided-queue.ts'

const item = (id: string, exitCode?: number, isRecorded = exitCode !== undefined) => ({
  isRecorded,
  ...{ isRun: id.startsWith('run'), id, what: `the plan ${id}`, says: `said of ${id}` },
  ...(exitCode !== undefined && { exitCode: exitCode as never }),
})

test('several decisions are grouped by what became of them, the most urgent first, each failure with what to do', () => {
  const decisions = [
    item('run-1', 0),
    item('wd-2'),
    item('run-3', 4),
    item('run-4', 3),
    item('run-5', 1),
    item('run-6'),
    item('run-7', 0, false),
  ]
  const groups = groupsOf('approve', decisions)
  expect(groups.map(({ title, look, items }) => [title, look, items.map(({ href }) => href)])).toEqual([
    ['Not decided: 2', 'bad', ['/intents/wd-2', '/runs/run-6/decide']],
    ['Approved before, so nothing was recorded now: 1', 'wait', ['/runs/run-7']],
    ['Approved, and needs a person now: 1', 'bad', ['/runs/run-4']],
    ['Approved, and ended without its goal: 1', 'wait', ['/runs/run-5']],
    ['Approved, and still waits: 1', 'wait', ['/runs/run-3']],
    ['Approved: 1', 'good', ['/runs/run-1']],
  ])
  for (const { look, todo } of groups) expect(todo === undefined).toBe(look === 'good')
  expect(groups.flatMap(({ items }) => items)).toHaveLength(decisions.length)
})

test.each([
  [0, 'approve nothing'],
  [1, 'approve 1 waiting decision'],
  [3, 'approve 3 waiting decisions'],
])('the act of %i decisions is called "%s"', (count, name) => {
  expect(decisionName('approve', count)).toBe(name)
})

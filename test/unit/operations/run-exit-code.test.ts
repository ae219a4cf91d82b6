// The exit code of a run of a policy shows its end, and whether it ties out.
import { expect, test } from 'vitest'
import { RunEnd } from '../../../core/contract/runs.ts'
import { runExitCode } from '../../../operations/run-exit-code.ts'

test.each([
  [0, [RunEnd.Settled, RunEnd.NothingToDo, RunEnd.Shadowed]],
  [1, [RunEnd.PartlySettled, RunEnd.NothingMoved, RunEnd.Guarded, RunEnd.Halted]],
  [1, [RunEnd.AlreadyRunning, RunEnd.OffTarget]],
  [1, [RunEnd.Disapproved, RunEnd.ApprovalVoid, RunEnd.Failed]],
  [3, [RunEnd.NeedsAttention, 'SOMETHING_ELSE', 'RUNNING']],
  [4, [RunEnd.AwaitingApproval]],
])('exit code %i belongs to runs that ended %j', (code, outcomes) => {
  for (const outcome of outcomes) expect(runExitCode(outcome, true)).toBe(code)
})

test('a run that does not tie out exits 5, unless a person is needed first', () => {
  expect(runExitCode(RunEnd.Settled, false)).toBe(5)
  expect(runExitCode(RunEnd.NeedsAttention, false)).toBe(3)
})

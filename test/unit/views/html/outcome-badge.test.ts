// Every outcome is in words on a page, also one of a later version.
import { expect, test } from 'vitest'
import { ConvertEnd, WithdrawEnd } from '../../../../core/contract/outcomes.ts'
import { IntentState } from '../../../../core/contract/records.ts'
import { RunEnd } from '../../../../core/contract/runs.ts'
import { movementBadge, runBadge } from '../../../../views/html/outcome-badge.ts'

const runEnds = Object.values(RunEnd).map((code) => [code, runBadge(code)] as const)
const movementEnds = [ConvertEnd, WithdrawEnd, IntentState]
  .flatMap((codes) => Object.values(codes))
  .map((code) => [code, movementBadge(code)] as const)

test.each([...runEnds, ...movementEnds])(
  'the outcome %s is in words, and its code only where it says more',
  (code, { text }) => {
    const [, name = '', beside] =
      /^<span class="badge \w+">([a-z ,]+)<\/span>(?: <code class="code">(\w+)<\/code>)?$/.exec(text) ?? []
    expect([name.toUpperCase().replaceAll(' ', '_'), beside]).toContain(code)
    expect(name.toUpperCase().replaceAll(' ', '_')).not.toBe(beside)
  },
)

test('a plan that people decided on no longer waits for approval', () => {
  expect(runBadge('AWAITING_APPROVAL').text).toContain('>waits for approval<')
  expect(runBadge('AWAITING_APPROVAL', 'approved').text).toContain('>approved, continues<')
  expect(runBadge('AWAITING_APPROVAL', 'rejected').text).toContain('>rejected, ends<')
})

test('an outcome of a later version is shown by its code', () => {
  expect(movementBadge('__proto__').text).toBe('<span class="badge wait">__proto__</span>')
})

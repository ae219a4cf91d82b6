// Tests the words of a line of progress on the page of an act.
import { expect, test } from 'vitest'
import { actNote } from '../../../../views/pages/act-note.ts'

test.each([
  ['PlanSweep', 'HALTED: policy home is halted', 'plan: halted: policy home is halted'],
  ['SettleRun', 'PARTLY_SETTLED, legs: 2', 'result: partly settled, legs: 2'],
  ['again', 'sw-0f9_x  sweep, HALTED: entered as sw-0f9_x_3', 'again: sw-0f9_x sweep, halted: entered again, try 3'],
  ['again', 'sw-0f9  AWAITING_APPROVAL', 'again: sw-0f9 waits for approval'],
  // An asset keeps its code, and so does what is no code of an outcome.
  [
    'Quote',
    '[1] 5 DONE for 7 USDC on BTC-USDC, order AB-SETTLED',
    'quote: [1] 5 DONE for 7 USDC on BTC-USDC, order AB-SETTLED',
  ],
  ['leg', '[2] send 1 BTC to IBAN', 'leg: [2] send 1 BTC to IBAN'],
])('the line %s "%s" is said as "%s"', (label, text, says) => {
  expect(actNote({ label, text }, 400)).toBe(`after 0.4 s, ${says}`)
})

// Tests the lines about the plan for a person who watches a run.
import { expect, test } from 'vitest'
import { describeEvent } from '../../../../views/narration/event-lines.ts'
import { runNarration } from '../../../../views/narration/run-lines.ts'
import { withdraw } from '../runs/sample-run.ts'

function lineOf(output: object): string | undefined {
  const stateExitedEventDetails = { name: 'PlanSweep', output: JSON.stringify({ phase: 2, ...output }) }
  return describeEvent({ type: 'TaskStateExited', stateExitedEventDetails }, {}, runNarration)?.text
}
const COLD =
  '"Cold storage" (reference cold-usdc, crypto address on POLYGON, last changed 2025-12-01T08:00:00Z, id contact/1)'

test("the payee of a phase's legs is shown by more than an id", () => {
  const { payee } = withdraw
  expect(lineOf({ outcome: 'WITHDRAW', legs: [{}], payees: [payee] })).toBe(`phase 2: 1 leg, to ${COLD}`)
  const many = lineOf({ outcome: 'WITHDRAW', legs: Array(7).fill({}), payees: Array(5).fill(payee) })
  expect(many).toBe(`phase 2: 7 legs, to ${COLD}, ${COLD}, ${COLD}, 2 more`)
})

test('a phase that pays nobody is shown by its legs', () => {
  expect(lineOf({ outcome: 'CONVERT', legs: [{}, {}] })).toBe('phase 2: 2 legs')
})

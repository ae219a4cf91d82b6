// The page of state machines draws the synthesized machines.
import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { drawMachines, STATE_MACHINES_PAGE } from '../../infra/pages/draw-machines.ts'

test('docs/state-machines.md equals the output of `npm run docs:machines`', () => {
  expect(readFileSync(STATE_MACHINES_PAGE, 'utf8')).toBe(drawMachines(inject('assemblyDir')))
})

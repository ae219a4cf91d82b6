// Pages say what the code, the definitions and the types say now, where they are drawn from them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { PAGES_WITH_LOST_ANSWER, withLostAnswer } from './draw-lost-answer.ts'
import { drawMachines, STATE_MACHINES_PAGE } from './draw-machines.ts'
import { ROOT } from './pages.ts'
import { PAGES_WITH_API, withApi } from './write-api-tables.ts'

test.each(PAGES_WITH_LOST_ANSWER)('%s equals what test/docs/draw-lost-answer.ts writes', (file) => {
  const page = readFileSync(path.join(ROOT, file), 'utf8')
  expect(page).toBe(withLostAnswer(page))
})

test('docs/state-machines.md equals the output of `npm run docs:machines`', () => {
  expect(readFileSync(STATE_MACHINES_PAGE, 'utf8')).toBe(drawMachines(inject('assemblyDir')))
})

test.each(PAGES_WITH_API)('%s equals what test/docs/write-api-tables.ts writes', (file) => {
  expect(readFileSync(path.join(ROOT, file), 'utf8')).toBe(withApi(file))
})

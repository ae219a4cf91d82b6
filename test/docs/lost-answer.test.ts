// The time line of a lost answer has the moments that follow from the code's defaults.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PAGES_WITH_LOST_ANSWER, withLostAnswer } from './draw-lost-answer.ts'
import { ROOT } from './pages.ts'

test.each(PAGES_WITH_LOST_ANSWER)('%s equals what test/docs/draw-lost-answer.ts writes', (file) => {
  const page = readFileSync(path.join(ROOT, file), 'utf8')
  expect(withLostAnswer(page)).toBe(page)
})

// Tests how an error of a form is worded: by the labels of its fields, and with no option of a command.
import { expect, test } from 'vitest'
import { inFormWords } from '../../../../views/html/form-words.ts'

test.each([
  [
    '--to: expected a time after --from; got an earlier one',
    '"Until right before": expected a time after "From"; got an earlier one',
  ],
  ['correct --since or --before', 'correct "Since" or "Before"'],
  ['--time-limit: expected a duration', '--time-limit: expected a duration'],
  ['--toString: expected nothing', '--toString: expected nothing'],
])('%s', (text, words) => {
  expect(inFormWords(text)).toBe(words)
})

// Tests how an error of a form is worded: by the labels of its fields, and with no option of a command.
import { expect, test } from 'vitest'
import { advice, option } from '../../../../place/next-step.ts'
import { inFormWords } from '../../../../views/html/form-words.ts'
import { spell } from '../../../helpers/spell.ts'

test.each([
  [
    advice`${option('to')}: expected a time after ${option('from')}; got an earlier one`,
    '"Until right before": expected a time after "From"; got an earlier one',
  ],
  [advice`${option('time-limit')}: expected a duration`, '--time-limit: expected a duration'],
  [advice`correct ${option('toString')}`, 'correct --toString'],
  [{ do: 'list-runs', policy: 'core' } as const, 'npx sluice runs list --policy core'],
])('%o', (told, words) => {
  expect(inFormWords(spell)(told)).toBe(words)
})

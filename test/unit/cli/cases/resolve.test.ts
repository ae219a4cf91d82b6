// Tests the next steps that resolve and foreign suggest where the evidence contradicts a person's decision.
import { expect, test } from 'vitest'
import { Refused } from '../../../../core/errors.ts'
import { SAME_ACCOUNT_HINT } from '../../../../core/journal/own-key.ts'
import { evidenceFailure } from '../../../../place/journal/journal-failure.ts'
import { runInProcess } from '../run-in-process.ts'

const VOUCHED = { do: 'resolve', id: 'wd-1', finding: 'nothing moved', isSameAccount: true } as const

test('after a contradiction by the evidence a person looks at the cases', () => {
  expect(evidenceFailure(new Refused('no such order'))).toMatchObject({
    message: 'no such order; nothing was recorded',
    next: { do: 'list-cases' },
  })
})

test('where only a person knows the account of a key, the step for that is named', () => {
  const refused = new Refused(`nothing shows it; ${SAME_ACCOUNT_HINT}`)
  expect(evidenceFailure(refused, VOUCHED)).toMatchObject({ next: VOUCHED })
  expect(evidenceFailure(new Refused('no such order'), VOUCHED)).toMatchObject({ next: { do: 'list-cases' } })
})

test.each([
  ['cases', 'resolve', 'wd-1'],
  ['cases', 'resolve', 'wd-1', '--movement', ''],
])('%s without a movement and without --none names the place that it would have searched', async (...argv) => {
  const { exitCode, stderr } = await runInProcess([...argv, '--state', 'elsewhere'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('npx sluice cases list --state elsewhere')
})

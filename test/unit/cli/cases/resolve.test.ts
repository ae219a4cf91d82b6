// Tests the next steps that resolve and foreign suggest where the evidence contradicts a person's decision.
import { expect, test } from 'vitest'
import { Refused } from '../../../../core/errors.ts'
import { SAME_ACCOUNT_HINT } from '../../../../core/journal/own-key.ts'
import { evidenceFailure } from '../../../../place/journal/journal-failure.ts'
import { runInProcess } from '../run-in-process.ts'

const flags = { state: 'elsewhere', service: 'https://service.example', config: 'other.json', keys: 'keys.json' }
const PLACE = '--state elsewhere --service https://service.example'

test('a contradiction by the evidence names the place that the command has searched', () => {
  expect(evidenceFailure(new Refused('no such order'), flags)).toMatchObject({
    message: 'no such order; nothing was recorded',
    next: `npx sluice cases list ${PLACE} --config other.json   # what is known of it`,
  })
})

test('where only a person knows the account of a key, the whole command for that is named', () => {
  const withWord = 'resolve wd-1 --none --same-account --because TEXT'
  const refused = new Refused(`nothing shows it; ${SAME_ACCOUNT_HINT}`)
  expect(evidenceFailure(refused, flags, withWord)).toMatchObject({
    next: `npx sluice ${withWord} ${PLACE} --keys keys.json --config other.json`,
  })
  expect(evidenceFailure(new Refused('no such order'), flags, withWord)).toMatchObject({
    next: expect.stringContaining('cases list'),
  })
})

test.each([
  ['cases', 'resolve', 'wd-1'],
  ['cases', 'resolve', 'wd-1', '--movement', ''],
])('%s without a movement and without --none names the place that it would have searched', async (...argv) => {
  const { exitCode, stderr } = await runInProcess([...argv, '--state', 'elsewhere'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('npx sluice cases list --state elsewhere')
})

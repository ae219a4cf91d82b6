// What resolve and foreign say to do next where the evidence speaks against a person's word.
import { expect, test } from 'vitest'
import { Refused } from '../../../../core/errors.ts'
import { SAY_SAME_ACCOUNT } from '../../../../core/journal/own-key.ts'
import { evidenceFailure } from '../../../../operations/connection/journal/journal-failure.ts'
import { runInProcess } from '../run-in-process.ts'

const flags = { state: 'elsewhere', service: 'https://service.example', config: 'other.json', keys: 'keys.json' }
const PLACE = '--state elsewhere --service https://service.example'

test('a no of the evidence names the place in which its command has looked', () => {
  expect(evidenceFailure(new Refused('no such order'), flags)).toMatchObject({
    message: 'no such order; nothing was recorded',
    next: `npx sluice cases list ${PLACE} --config other.json   # what is known of it`,
  })
})

test('where only a person can say whose a key is, the whole command for that is named', () => {
  const withWord = 'resolve wd-1 --none --same-account --because TEXT'
  const refused = new Refused(`nothing shows it; ${SAY_SAME_ACCOUNT}`)
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
])('%s without a movement and without --none names the place in which it would have looked', async (...argv) => {
  const { exitCode, stderr } = await runInProcess([...argv, '--state', 'elsewhere'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('npx sluice cases list --state elsewhere')
})

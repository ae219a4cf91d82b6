// A dependency with a known fault of high severity stops the checks, by its name.
import { expect, test } from 'vitest'
import { judgeAdvisories } from './advisories.ts'

const answer = (told: object, status = 1) => judgeAdvisories({ status, stdout: JSON.stringify(told) })

test('an advisory of high severity fails with the name of the package, and one of low severity does not', () => {
  const low = { severity: 'low', range: '<2' }
  expect(answer({ vulnerabilities: { a: low } })).toEqual({ kind: 'passed' })
  expect(answer({ vulnerabilities: { a: low, '@x/b': { severity: 'high', range: '<1.2.3' } } })).toEqual({
    kind: 'failed',
    findings: ['@x/b <1.2.3 has an advisory (high)'],
  })
})

test('a registry without advisories is skipped, and one that should have answered is expected to', () => {
  expect(answer({ statusCode: 405, error: {} })).toEqual({
    kind: 'skipped',
    why: 'the registry has no advisories (405)',
  })
  for (const silent of [{ statusCode: 503, error: {} }, { error: { code: 'ENOTFOUND' } }])
    expect(answer(silent)).toMatchObject({ kind: 'skipped', isExpected: true })
  expect(answer({ error: { code: 'EOTHER' } })).toMatchObject({ kind: 'failed' })
})

import { expect, test } from 'vitest'
import { judgeSignatures } from '../../../infra/audit/signatures.ts'

const answer = (told: object, status = 1) => judgeSignatures({ status, stdout: JSON.stringify(told) })

test('it is signed where npm found no fault', () => {
  expect(answer({ invalid: [], missing: [] }, 0)).toEqual({ kind: 'signed' })
})

test('a wrong signature and a missing one fail, by the name of the package', () => {
  const invalid = [{ name: 'a', version: '1.0.0', code: 'EINTEGRITYSIGNATURE' }]
  expect(answer({ invalid, missing: [{ name: '@x/b', version: '2.0.0' }] })).toEqual({
    kind: 'failed',
    findings: [
      "a 1.0.0 has a signature that is not the registry's",
      '@x/b 2.0.0 has no signature, and the registry has keys',
    ],
  })
})

test.each(['ENOTFOUND', 'ECONNREFUSED', 'ETIMEDOUT', 'E404', 'E503'])(
  'with %s it is skipped, and the reason names the code and no host',
  (code) => {
    const error = { code, summary: 'request to https://keys.example.com/1.json failed' }
    expect(answer({ error })).toEqual({
      kind: 'skipped',
      why: `the keys of the registry cannot be fetched here (${code})`,
    })
  },
)

test('it is skipped where the registry has no keys, and where npm takes too long', () => {
  const summary = 'found no dependencies to audit that were installed from a supported registry'
  expect(answer({ error: { summary } })).toEqual({ kind: 'skipped', why: 'the registry has no keys' })
  const late = { status: null, stdout: '', errorCode: 'ETIMEDOUT' }
  expect(judgeSignatures(late)).toEqual({ kind: 'skipped', why: 'npm had no answer within 120 s' })
})

test('an npm that was killed, is not there, or says more than is read fails', () => {
  const faults = [undefined, 'ENOENT', 'ENOBUFS'].map((code) => (code === undefined ? {} : { errorCode: code }))
  const verdicts = faults.map((fault) => judgeSignatures({ status: null, stdout: '{', ...fault }))
  expect(verdicts).toEqual(
    ['killed', 'ENOENT', 'ENOBUFS'].map((code) => ({
      kind: 'failed',
      findings: [`npm did not come to its end (${code})`],
    })),
  )
})

test('any other error fails, and so does an answer that cannot be read', () => {
  expect(answer({ error: { code: 'EEXPIREDSIGNATUREKEY' } })).toEqual({
    kind: 'failed',
    findings: ['npm audit signatures failed (EEXPIREDSIGNATUREKEY)'],
  })
  expect(judgeSignatures({ status: 1, stdout: '' }).kind).toBe('failed')
  expect(answer({ invalid: [], missing: [] }, 7)).toEqual({ kind: 'failed', findings: ['npm exited with 7'] })
})

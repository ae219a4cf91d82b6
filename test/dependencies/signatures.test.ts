// A dependency whose registry signature is wrong or missing stops the checks; a registry without keys does not.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { hasNoKeys, judgeSignatures } from './signatures.ts'

const answer = (told: object, status = 1) => judgeSignatures({ status, stdout: JSON.stringify(told) })

test('the check passes if npm found no fault', () => {
  expect(answer({ invalid: [], missing: [] }, 0)).toEqual({ kind: 'passed' })
})

test('a wrong signature and a missing one fail with the name of the package', () => {
  const invalid = [{ name: 'a', version: '1.0.0', code: 'EINTEGRITYSIGNATURE' }]
  expect(answer({ invalid, missing: [{ name: '@x/b', version: '2.0.0' }] })).toEqual({
    kind: 'failed',
    findings: [
      "a 1.0.0 has a signature that is not the registry's",
      '@x/b 2.0.0 has no signature, and the registry has keys',
    ],
  })
})

test.each(['ENOTFOUND', 'ECONNREFUSED', 'ETIMEDOUT', 'E503'])(
  'with %s it is skipped, and the reason names the code and no host',
  (code) => {
    const error = { code, summary: 'request to https://keys.example.com/1.json failed' }
    expect(answer({ error })).toEqual({
      kind: 'skipped',
      why: `the keys of the registry cannot be fetched here (${code})`,
      isExpected: true,
    })
  },
)

test('the check is skipped if the registry has no keys, or if npm takes too long', () => {
  const summary = 'found no dependencies to audit that were installed from a supported registry'
  expect(answer({ error: { summary } })).toEqual({ kind: 'skipped', why: 'the registry has no keys' })
  const late = { status: null, stdout: '', errorCode: 'ETIMEDOUT' }
  expect(judgeSignatures(late)).toEqual({ kind: 'skipped', why: 'npm had no answer within 120 s', isExpected: true })
})

test('an npm that was killed, is missing, or prints too much fails', () => {
  const faults = [undefined, 'ENOENT', 'ENOBUFS'].map((code) => (code === undefined ? {} : { errorCode: code }))
  const verdicts = faults.map((fault) => judgeSignatures({ status: null, stdout: '{', ...fault }))
  expect(verdicts).toEqual(
    ['killed', 'ENOENT', 'ENOBUFS'].map((code) => ({
      kind: 'failed',
      findings: [`npm did not come to its end (${code})`],
    })),
  )
})

test('any other error fails, and so does an unreadable answer', () => {
  expect(answer({ error: { code: 'EEXPIREDSIGNATUREKEY' } })).toEqual({
    kind: 'failed',
    findings: ['npm audit signatures failed (EEXPIREDSIGNATUREKEY)'],
  })
  expect(answer({ error: { code: null, summary: "Cannot read properties of undefined (reading 'map')" } })).toEqual({
    kind: 'failed',
    findings: ['npm audit signatures failed (no code)'],
  })
  expect(judgeSignatures({ status: 1, stdout: '' }).kind).toBe('failed')
  expect(answer({ invalid: [], missing: [] }, 7)).toEqual({ kind: 'failed', findings: ['npm exited with 7'] })
})

test.each(['null', '{}', '[]', '{"invalid":[]}', '{"invalid":null,"missing":null}'])(
  'an answer without the two lists fails, and does not pass as signed: %s',
  (stdout) => {
    expect(judgeSignatures({ status: 0, stdout })).toEqual({
      kind: 'failed',
      findings: ['npm audit signatures did not say which signatures are wrong or missing'],
    })
  },
)

test.each([
  [404, '{"error":"not found"}', true],
  [400, '', true],
  [200, 'null', true],
  [200, '{}', true],
  [200, '{"keys":null}', true],
  [200, '{"keys":[]}', true],
  [200, '{"keys":[{"keyid":"SHA256:x","key":"y"}]}', false],
  [200, '<html>', false],
  [401, '', false],
  [503, '', false],
])('a registry that answers %i %s for its keys has no keys: %s', async (status, body, isWithout) => {
  const asked: unknown[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url)
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`
    expect([await hasNoKeys(address), await hasNoKeys(`${address}/`)]).toEqual([isWithout, isWithout])
    expect(asked).toEqual(['/npm/-/npm/v1/keys', '/npm/-/npm/v1/keys'])
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  }
})

test('an unreachable registry does not count as one without keys', async () => {
  expect(await hasNoKeys('http://127.0.0.1:1')).toBe(false)
})

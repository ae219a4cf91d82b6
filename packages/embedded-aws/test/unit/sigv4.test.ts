// Checks the computation of signatures against the example that AWS publishes (General Reference, "Signature Version
// 4").
import { expect, test } from 'vitest'
import { headerValues, parseAuthorization, sha256, signatureOf, signingKey } from '../../endpoint/sigv4.ts'

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const SCOPE = { date: '20150830', region: 'us-east-1', service: 'iam' }
const SIGNATURE = '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7'
const NAMES = ['content-type', 'host', 'x-amz-date']
const RAW = [
  ...['Content-Type', 'application/x-www-form-urlencoded;   charset=utf-8 '],
  ...['Host', 'iam.amazonaws.com', 'X-Amz-Date', '20150830T123600Z'],
]

test('the key of a date, region and service equals the published key', () => {
  const key = 'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9'
  expect(signingKey(SECRET, SCOPE).export().toString('hex')).toBe(key)
})

test('the signature of a request equals the published signature, for any order of its query', () => {
  for (const query of ['Action=ListUsers&Version=2010-05-08', 'Version=2010-05-08&Action=ListUsers']) {
    const signature = signatureOf(
      {
        request: { method: 'GET', target: `/?${query}`, rawHeaders: RAW },
        headers: headerValues(RAW),
        signedHeaders: NAMES,
        scope: SCOPE,
        timestamp: '20150830T123600Z',
        payloadHash: sha256(''),
      },
      signingKey(SECRET, SCOPE),
    )
    expect(signature.toString('hex')).toBe(SIGNATURE)
  }
})

const SCOPE_TEXT = 'AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request'
const HEADER = `AWS4-HMAC-SHA256 Credential=${SCOPE_TEXT}, SignedHeaders=${NAMES.join(';')}, Signature=${SIGNATURE}`

test('an Authorization header is parsed, with and without spaces between its parts', () => {
  const parsed = {
    ...{ accessKeyId: 'AKIDEXAMPLE', scope: SCOPE, terminator: 'aws4_request' },
    ...{ signedHeaders: NAMES, signature: SIGNATURE },
  }
  expect(parseAuthorization(HEADER)).toEqual(parsed)
  expect(parseAuthorization(HEADER.replaceAll(', ', ','))).toEqual(parsed)
})

test.each([
  ['nothing', ''],
  ['another algorithm', HEADER.replace('AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256')],
  ['another scheme', 'Bearer x'],
  ['no credential', HEADER.replace('Credential=', 'C=')],
  ['a scope that is too short', HEADER.replace('/iam', '')],
  ['a scope that is too long', HEADER.replace('/iam', '/iam/iam')],
  ['an empty key id', HEADER.replace('AKIDEXAMPLE', '')],
  ['no signed headers', HEADER.replace('SignedHeaders=', 'S=')],
  ['an empty name among the signed headers', HEADER.replace('host;', ';')],
  ['a name in capitals among the signed headers', HEADER.replace('host', 'Host')],
  ['a signature that is too short', HEADER.slice(0, -1)],
  ['a signature in capitals', HEADER.slice(0, -64) + SIGNATURE.toUpperCase()],
])('an Authorization header with %s is not accepted', (_name, header) => {
  expect(parseAuthorization(header)).toBeUndefined()
})

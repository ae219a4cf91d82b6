// A problem of the service is believed only as a document of problems, and its text stays short.
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../core/service/http.ts'
import { describe as inWords, problemFrom } from '../../../core/service/problem.ts'

function answered(status: number, contentType: string, body: string): Answer {
  return { kind: 'answered', status, contentType, date: '', body: Buffer.from(body), fault: undefined }
}

const DOCUMENT = {
  type: 'https://docs.test/errors/validation_error',
  title: 'Not valid',
  status: 400,
  code: 'validation_error',
  retryable: false,
  detail: 'unknown parameter "take"',
  instance: '/v2/orders',
  traceId: 'abc-123',
  extensions: { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX', multiplier: '1.02' },
}

const problemOfJson = (json: unknown, contentType = 'application/problem+json') =>
  problemFrom('GET /v2/orders', answered(400, contentType, JSON.stringify(json)))

describe('problemFrom', () => {
  it('reads the fields of a problem document', () => {
    expect(problemOfJson(DOCUMENT, 'application/problem+json; charset=utf-8')).toEqual({
      endpoint: 'GET /v2/orders',
      status: 400,
      code: 'validation_error',
      isDocument: true,
      retryable: false,
      detail: 'unknown parameter "take"',
      traceId: 'abc-123',
      extensions: { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX', multiplier: '1.02' },
    })
  })

  it('needs only a code, and takes no flag from a document without one', () => {
    expect(problemOfJson({ code: 'not_found', retryable: 'yes', detail: 7, traceId: {}, extensions: [] })).toEqual({
      endpoint: 'GET /v2/orders',
      status: 400,
      code: 'not_found',
      isDocument: true,
      extensions: {},
    })
  })

  it.each([
    ['plain JSON', answered(404, 'application/json', '{"code":"not_found"}')],
    ['a document labelled HTML', answered(404, 'text/html', '{"code":"not_found"}')],
    ['HTML', answered(404, 'text/html', '<h1>not_found</h1>')],
    ['no body', answered(404, 'application/problem+json', '')],
    ['JSON cut short', answered(404, 'application/problem+json', '{"code":"not_found"')],
    ['a list', answered(404, 'application/problem+json', '[]')],
    ['null', answered(404, 'application/problem+json', 'null')],
    ['no code', answered(404, 'application/problem+json', '{"title":"Not found"}')],
    [
      'a key secret for its code',
      answered(404, 'application/problem+json', `{"code":"svc_test_${'ab1'.repeat(12)}zz"}`),
    ],
    ['a code that is no code', answered(404, 'application/problem+json', '{"code":"<b>not found</b>"}')],
  ])('is not_a_problem for an error status with %s', (_what, answer) => {
    expect(problemFrom('GET /v2/x', answer)).toMatchObject({ code: 'not_a_problem', status: 404, isDocument: false })
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'application/vnd.gateway+json'])(
    'keeps the claims of a document labelled %s, and trusts none of them',
    (contentType) => {
      const kept = problemOfJson({ ...DOCUMENT, code: 'unprocessable', detail: 'below the minimum' }, contentType)
      expect(kept).toEqual({
        endpoint: 'GET /v2/orders',
        status: 400,
        code: 'not_a_problem',
        isDocument: false,
        claimed: 'unprocessable: below the minimum',
        extensions: {},
      })
      expect(inWords(kept)).toBe(
        'GET /v2/orders: a page that is not of the service, but of a gateway or a firewall before it (status 400) [not_a_problem]' +
          ', which claims, not proven: unprocessable: below the minimum',
      )
    },
  )

  it.each([
    [301, 'redirected'],
    [304, 'redirected'],
    [204, 'unexpected_status'],
    [200, 'unexpected_status'],
  ])('names status %s %s, whatever its body says', (status, code) => {
    const body = JSON.stringify({ code: 'not_found' })
    expect(problemFrom('GET /v2/x', answered(status, 'application/problem+json', body)).code).toBe(code)
  })
})

describe('text taken from an answer', () => {
  it.each([
    ['a key secret', `your key svc_test_${'aB3'.repeat(12)}zz is unknown`, 'your key [removed] is unknown'],
    ['a token', 'got eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln here', 'got [removed] here'],
    ['a token with - and _', 'got eyJ-bGci_iJ9.eyJz-WIi_iJ4In0.c2-n_w here', 'got [removed] here'],
    ['part of a token', 'got eyJhbGciOiJFZERTQSJ9 here', 'got [removed] here'],
    ['a bearer header', 'Authorization: Bearer abc.def', 'Authorization: [removed]'],
    ['a private key', 'x -----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----', 'x [removed]'],
    ['control characters', 'a\r\n\u001b[31mb', 'a [31mb'],
  ])('loses %s', (_what, detail, clean) => {
    const problem = problemOfJson({ code: 'unauthorized', detail, extensions: { echo: detail } })
    expect(problem.detail).toBe(clean)
    expect(problem.extensions).toEqual({ echo: clean })
    expect(problemOfJson({ code: 'unauthorized', detail }, 'application/json').claimed).toBe(`unauthorized: ${clean}`)
  })

  it('is cut to a bounded length', () => {
    const extensions = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'y'.repeat(10_000)]))
    const problem = problemOfJson({ code: 'unprocessable', detail: 'x'.repeat(100_000), extensions })
    expect(inWords(problem).length).toBeLessThan(400)
    expect(JSON.stringify(problem).length).toBeLessThan(6_000)
  })
})

// Tests which route of an HTTP API takes a request.
import { expect, test } from 'vitest'
import { findRoute, parseRouteKey } from '../../lambda/http-apis.ts'

const keys = ['GET /', 'GET /things', 'ANY /things', 'PUT /things/{id}', 'PUT /things/new', 'ANY /things/{rest+}']
const routes = keys.map((key) => ({ key, ...(parseRouteKey(key) ?? { method: '', segments: [] }) }))

test.each([
  ['GET', '/', 'GET /', {}],
  ['GET', '/things', 'GET /things', {}],
  ['POST', '/things', 'ANY /things', {}],
  ['PUT', '/things/a%2Fb', 'PUT /things/{id}', { id: 'a/b' }],
  ['PUT', '/things/new', 'PUT /things/new', {}],
  ['GET', '/things/1/2', 'ANY /things/{rest+}', { rest: '1/2' }],
  ['GET', '/things/', undefined, undefined],
  ['POST', '/', undefined, undefined],
  ['GET', '/other', undefined, undefined],
])('%s %s is taken by %s', (method, path, key, parameters) => {
  const found = findRoute(routes, method, path)
  expect({ key: found?.route.key, parameters: found?.parameters }).toEqual({ key, parameters })
})

test.each(['$default', 'GET things', 'FETCH /things', 'GET /{rest+}/things', 'GET //', 'GET /a b'])(
  'the key %s is refused',
  (key) => {
    expect(parseRouteKey(key)).toBeUndefined()
  },
)

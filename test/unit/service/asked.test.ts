// A refusal of the service names the request that it refused, and shows no secret.
import { expect, test } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import { errorOf, isNotFound, type ServiceProblem } from '../../../core/service/problem.ts'
import { namingParameters, parametersOf } from '../../../core/service/reader.ts'

const problem: ServiceProblem = {
  endpoint: 'GET /v2/assets/{assetSymbol}',
  ...{ status: 404, code: 'not_found', isDocument: true, retryable: false, extensions: {} },
}
const call = { endpoint: problem.endpoint, target: '/v2/assets/NO%20PE' }

test('the request has the names of path, query and body, without the paging of a list', () => {
  expect(
    parametersOf({
      endpoint: 'GET /v2/markets/{market}/price',
      target: '/v2/markets/A%2FB/price?side=BUY&page=2&limit=100&assetFormat=base',
      content: { amount: '1', assetFormat: 'base' },
    }),
  ).toEqual({ market: 'A/B', side: 'BUY', amount: '1' })
  expect(parametersOf({ endpoint: 'GET /v2/account', target: '/v2/account' })).toEqual({})
})

test('a refusal names the value, and stays the same refusal', () => {
  const named = namingParameters(call, errorOf('Refused', problem))
  expect(named).toBeInstanceOf(Refused)
  expect(isNotFound(named)).toBe(true)
  expect(named).toMatchObject({ message: expect.stringMatching(/ 404 not_found \(assetSymbol: NO PE\)$/) })
})

test('an error that is no refusal of the service stays unchanged', () => {
  const others = [errorOf('Transient', problem), errorOf('KeyFault', problem), new Transient('x'), new Refused('y')]
  for (const error of others) expect(namingParameters(call, error)).toBe(error)
})

test('no mistyped secret, and no endless value, passes into a message', () => {
  const secret = `svc_test_${'a'.repeat(40)}`
  const typed = namingParameters({ ...call, target: `/v2/assets/${secret}` }, errorOf('Refused', problem))
  expect(typed).toMatchObject({ message: expect.stringContaining('(assetSymbol: [removed])') })
  const long = namingParameters(
    { ...call, target: `/v2/assets/${'x'.repeat(250)}` },
    errorOf('Refused', problem),
  ) as Refused
  expect(long.message.length).toBeLessThan(200)
})

// Reads prove absence, so no cache on the way may answer one with an older answer.
import { expect, test } from 'vitest'
import { setUpClient, withTime } from '../../helpers/client-setup.ts'
import { answerProblem } from '../../helpers/local-server.ts'

test('service time and look-ups ask for an uncached answer', async () => {
  const { client, server } = await setUpClient(
    withTime((_request, response) => answerProblem(response, 404, 'not_found')),
  )
  await client.clock.measure()
  expect(await client.findOrder('order-1')).toBeUndefined()
  expect(await client.findWithdrawal('withdrawal-1')).toBeUndefined()
  expect(server.arrived.map(({ headers }) => headers['cache-control'])).toEqual(['no-cache', 'no-cache', 'no-cache'])
})

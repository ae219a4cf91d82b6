import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort, readPort } from '../../../../cli/serve/free-port.ts'

test('a port that is taken moves on to the next that is free', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const found = await findFreePort(port)
  expect(found).toBeGreaterThan(port)
  taken.close()
  await once(taken, 'close')
  expect(await findFreePort(port)).toBe(port)
})

test.each(['0', '65536', '-1', '80a', '1e3', ''])('%j is no port', (text) => {
  expect(() => readPort(text)).toThrow('--port: expected a whole number from 1 to 65535')
})

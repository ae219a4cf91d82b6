// A taken port is replaced, unless somebody outside relies on it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { assertFree, findFreePort, readPort } from '../../../../place/desk/free-port.ts'

test('a taken port is replaced by the next free one', async () => {
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
  expect(() => readPort(text, 'port')).toThrow('port: expected a whole number from 1 to 65535')
})

test('a port behind a tunnel is not replaced: if it is taken, it is refused by the name of its flag', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await expect(assertFree(port, 'function-url-port')).rejects.toThrow(`function-url-port: port ${port} is taken`)
  taken.close()
  await once(taken, 'close')
  await expect(assertFree(port, '--function-url-port')).resolves.toBeUndefined()
})

// A command that has moved money by an embedded AWS of its own, and then cannot read its own journal. Nothing else continues
// the run, and nothing else reports what moved.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { SERVICE, useCommands } from './commands.ts'

const REQUEST = 'http.server.request.start'

const { write, place } = useCommands({}, 'test')
let hasMoved: boolean
beforeEach(() => {
  hasMoved = false
  subscribe(REQUEST, cutAfterMove)
})
afterEach(() => {
  unsubscribe(REQUEST, cutAfterMove)
})

/** From the first order on, each read of the command itself fails. Clients of functions name their runtime. */
function cutAfterMove(message: unknown): void {
  const { request } = message as { readonly request: IncomingMessage }
  const { 'user-agent': client = '', 'x-amz-target': target = '' } = request.headers
  if (request.method === 'POST' && request.url?.endsWith('/v2/orders') === true) hasMoved = true
  if (hasMoved && String(target).endsWith('.GetItem') && !client.includes('AWS_Lambda')) request.socket.destroy()
}

test('a run that has moved, and whose record cannot be read, is in doubt, and continues under its id', async () => {
  const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }
  const treasury = { service: SERVICE, policies }
  write('treasury.json', treasury)
  const where = [...place(), '--json']
  const { exitCode, stderr } = await runInProcess(['run', 'rebalance', 'core', ...where])
  expect(hasMoved).toBe(true)
  expect({ exitCode, error: JSON.parse(stderr).error }).toMatchObject({
    exitCode: 3,
    error: {
      code: 'in_doubt',
      message: expect.stringContaining('(ECONNRESET); the run was begun\nwhat it has sent could not be read'),
      next: expect.stringMatching(/^do not start it under another id; .* --id run-[0-9a-f]{16}/),
    },
  })
})

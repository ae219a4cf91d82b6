// In maintenance every route but health answers 503: each command that fails because of it says so, and what to do.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerJson, startLocalServer } from '../../helpers/local-server.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

const CONVERT = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.01' }

let service: ArrangedService
let input: string
beforeAll(async () => {
  service = await startArrangedService('maintenance')
  input = path.join(service.dir, 'convert.json')
  writeFileSync(input, JSON.stringify(CONVERT))
  await service.control('/maintenance', { on: true })
})
afterAll(() => service?.stop())

const commands = () => [
  ['service', 'balances'],
  ['service', 'contacts'],
  ['journal', 'audit', '--state', path.join(service.dir, 'state')],
  ['run', 'convert', '--input', input, '--id', 'a', '--state', path.join(service.dir, 'state')],
]
const TOLD =
  /^error: the service is in maintenance: .*\nnext: {2}wait until the maintenance is over, then run the same/m

test.each([0, 1, 2, 3])('a command says so, with what to do (%i)', async (at) => {
  const { exitCode, stdout, stderr } = await runInProcess([...(commands()[at] ?? []), ...service.flags()])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(TOLD)
})

test.each([0, 2, 3])(
  'it is also reported where a gateway answers for the service, and health shows it (%i)',
  async (at) => {
    const gateway = await startLocalServer(({ target }, response) => {
      if (target === '/v2/health') return answerJson(response, 200, { status: 'MAINTENANCE' })
      response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Back soon</h1>')
    })
    try {
      const flags = service.flags().map((flag) => (flag === service.sandbox.baseUrl ? gateway.baseUrl : flag))
      const { exitCode, stderr } = await runInProcess([...(commands()[at] ?? []), ...flags])
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(TOLD) })
    } finally {
      await gateway.stop()
    }
  },
)

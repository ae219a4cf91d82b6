// Tests reading commands at a broken or malicious service. They give one line that says so, exit 1, nothing on standard
// output, no secret anywhere, and no control sequence for the terminal.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { folderOfFile } from '../../helpers/folders.ts'
import { answerJson, answerProblem, type Respond, startLocalServer } from '../../helpers/local-server.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const key = makeKey('HOSTILE')
const dir = folderOfFile()
beforeAll(() => {
  writeFileSync(path.join(dir, 'keys.json'), key.material, { mode: 0o600 })
})

async function sluiceAt(respond: Respond, ...argv: string[]) {
  const server = await startLocalServer(respond)
  onTestFinished(() => server.stop())
  const ended = await runInProcess([...argv, '--service', server.baseUrl, '--keys', path.join(dir, 'keys.json')])
  return { ...ended, arrived: server.arrived }
}

const contact = {
  id: 'c-1',
  reference: null,
  type: 'INTERNAL',
  alias: 'harmless',
  createdAt: '2026-01-31T09:00:00Z',
  updatedAt: '2026-01-31T09:00:00Z',
}
const pageOf = (...data: unknown[]) => ({
  data,
  pagination: { page: 1, limit: 100, totalItems: data.length, totalPages: 1 },
})

test.each<[string, Respond, RegExp]>([
  ['HTML', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hi</h1>'), /not_json/],
  ['JSON that ends too early', (_, response) => answerText(response, '{"data":[{"id":'), /not_json/],
  ['a list that is none', (_, response) => answerJson(response, 200, { data: 'none' }), /data is not as promised/],
  [
    'an id that is missing',
    (_, response) => answerJson(response, 200, pageOf({ ...contact, id: undefined })),
    /\.id is missing/,
  ],
  ['a redirect', (_, response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(), /redirect/],
  [
    'an echo of the key',
    ({ headers }, response) => answerProblem(response, 400, 'validation_error', { detail: headers.authorization }),
    /validation_error/,
  ],
])('%s is reported in one line', async (_what, respond, message) => {
  const { exitCode, stdout, stderr } = await sluiceAt(respond, 'service', 'contacts')
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(/^error: GET \/v2\/contacts: .*\nnext: {2}.+\n$/)
  expect(stderr).toMatch(message)
  expect(stderr).not.toContain(key.secret)
})

function answerText(response: Parameters<Respond>[1], text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

test.each(['1e9', '-5', 5, '1,5', '0x10', 'NaN'])('a price of %j is refused', async (rate) => {
  const market = {
    id: 'A-B',
    baseAsset: 'A',
    rebasedBaseAsset: 'A',
    quoteAsset: 'B',
    minBaseAmount: '1',
    minQuoteAmount: '1',
  }
  const respond: Respond = ({ target }, response) =>
    answerJson(response, 200, target.includes('/price') ? { baseAmount: '1', rate, assetFormat: 'base' } : market)
  const { exitCode, stdout, stderr } = await sluiceAt(respond, 'service', 'markets', 'A-B', '--price', 'BUY')
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(/rate is not as promised/)
})

const LABEL = 'pay me\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\nnext line'

test.each([
  ['service', 'contacts'],
  ['service', 'contacts', '--json'],
  ['service', 'contacts', '--jsonl'],
  ['service', 'contacts', 'c-1'],
])('a label with control characters cannot steer the terminal of %j', async (...argv) => {
  const labelled = { ...contact, alias: LABEL }
  const respond: Respond = ({ target }, response) =>
    answerJson(response, 200, target.includes('c-1') ? labelled : pageOf(labelled))
  const { exitCode, stdout } = await sluiceAt(respond, ...argv)
  expect(exitCode).toBe(0)
  expect(stdout).toContain('pay me\\u001b[2J')
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
})

test('ids are sent fully encoded, and the answered record must be the requested one', async () => {
  const odd = 'a/b c+d%e?f'
  const asked = await sluiceAt(
    (_, response) => answerJson(response, 200, { ...contact, id: odd }),
    'service',
    'contacts',
    odd,
    '--json',
  )
  expect(JSON.parse(asked.stdout).id).toBe(odd)
  expect(asked.arrived.map(({ target }) => target)).toEqual(['/v2/contacts/a%2Fb%20c%2Bd%25e%3Ff'])
  const other = await sluiceAt((_, response) => answerJson(response, 200, contact), 'service', 'contacts', odd)
  expect(other).toMatchObject({ exitCode: 1, stdout: '' })
})

test.each([[''], ['..'], ['a/%2e%2e/b'], ['a\u0000'], ['x'.repeat(257)]])(
  'the id %j never leaves the process',
  async (id) => {
    const { exitCode, stdout, arrived } = await sluiceAt(
      (_, response) => answerJson(response, 200, contact),
      'service',
      'contacts',
      id,
    )
    expect({ exitCode, stdout, arrived }).toEqual({ exitCode: 2, stdout: '', arrived: [] })
  },
)

// Every curl line of packages/service-sandbox/README.md succeeds when it is sent as curl would send it.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller } from './caller.ts'

const text = readFileSync('packages/service-sandbox/README.md', 'utf8')
const lines = text
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.startsWith('curl '))

let caller: Caller
beforeAll(async () => {
  caller = await Caller.start()
})
afterAll(() => caller.sandbox.stop())

test('the README shows the key of the default seed', () => {
  expect(text).toContain(`KEY='Authorization: Bearer ${caller.sandbox.keys.full.secret}'`)
})

test('the README has lines for the service and the control API', () => {
  expect(lines.filter((line) => line.includes('$API')).length).toBeGreaterThanOrEqual(1)
  expect(lines.filter((line) => line.includes('$CTL')).length).toBeGreaterThanOrEqual(10)
})

// Lines with a shortened signing key are skipped. Other tests cover their routes.
test.each(lines.filter((line) => !line.includes('…')))('%s', async (line) => {
  const withdrawal = { assetSymbol: 'BTC', amount: '0.01', contactReference: 'cold-btc' }
  const { id: contactId = '' } = caller.sandbox.contacts.find(({ assetSymbol }) => assetSymbol === 'USDC') ?? {}
  const id = line.includes('WITHDRAWAL_ID') ? (await caller.signed('/v2/withdrawals', withdrawal)).body.id : ''
  const { status, body } = await sendAsCurl(line.replace('WITHDRAWAL_ID', id).replace('CONTACT_ID', contactId))
  expect(body).not.toHaveProperty('code')
  expect([200, 201]).toContain(status)
})

async function sendAsCurl(line: string): Promise<{ status: number; body: unknown }> {
  const headers: Record<string, string> = {}
  let [target, method, data]: (string | undefined)[] = []
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare,
  )
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] as string
    if (word === '-s') continue
    if (word === '-X') method = words[++index]
    else if (word === '-d') data = words[++index]
    else if (word === '-H') Object.assign(headers, header(words[++index] as string))
    else target = word
  }
  const url = (target as string)
    .replace('$API', `${caller.sandbox.baseUrl}/v2`)
    .replace('$CTL', caller.sandbox.controlUrl)
  const answer = await fetch(url, {
    method: method ?? (data === undefined ? 'GET' : 'POST'),
    headers,
    ...(data !== undefined && { body: data }),
  })
  return { status: answer.status, body: await answer.json() }
}

function header(text: string): Record<string, string> {
  if (text === '$KEY') return { authorization: `Bearer ${caller.sandbox.keys.full.secret}` }
  const [name = '', value = ''] = text.split(': ')
  return { [name]: value }
}

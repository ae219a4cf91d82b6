// Measures the client of the service. Compares a signed POST with bare node:http and node:crypto, and measures the
// memory of a walk over 10,000 fills. The server runs in a separate process and answers with fixed bytes.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from '../core/clock.ts'
import { parseKeyMaterial } from '../core/keys/key-material.ts'
import { staticKeySource } from '../core/keys/key-source.ts'
import { createServiceClient, type ServiceClient } from '../core/service/service-client.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

/** Each pair times one send of each kind, so a disturbance of this machine affects few pairs. */
const PAIRS = 3_000
/** Number of sends before the measurement, so that both kinds are compiled. */
const WARM_UP_SENDS = 500
const FILLS = 10_000
const FILLS_A_PAGE = 100

export async function benchClient(report: Report): Promise<void> {
  const { child, baseUrl } = await launchServer()
  const { privateKey } = generateKeyPairSync('ed25519')
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const secret = `svc_test_${'B'.repeat(38)}`
  const key = parseKeyMaterial(JSON.stringify({ secret, privateKeyPem }), { stage: 'test', role: 'trade' })
  const client = createServiceClient({ baseUrl, key: staticKeySource(key), clock: systemClock, newId: randomUUID })
  try {
    await benchSends(report, client, baseUrl, key.prefix, privateKeyPem)
    await benchWalk(report, client)
  } finally {
    client.close()
    child.kill()
  }
}

async function benchSends(
  report: Report,
  client: ServiceClient,
  baseUrl: string,
  prefix: string,
  privateKeyPem: string,
): Promise<void> {
  await client.clock.measure()
  const throughClient = async (orderId: string) => {
    const answer = await (await client.prepareOrder(orderId, 30)).send()
    if (answer.kind !== 'accepted') throw new Error('a send of the benchmark was not accepted')
  }
  const bare = bareSender(baseUrl, prefix, privateKeyPem)
  for (let nth = 0; nth < WARM_UP_SENDS; nth++) {
    await throughClient('warm-up')
    await bare.send('warm-up')
  }
  const { leftMs, rightMs, ratios } = await timePaired(
    () => throughClient('order'),
    () => bare.send('order'),
    PAIRS,
  )
  bare.close()
  report.figure({
    name: 'a signed POST',
    unit: 'µs',
    value: leftMs * 1_000,
    baseline: { name: 'bare node:http and node:crypto', value: rightMs * 1_000 },
    ratio: ratios,
    goal: 1.25,
  })
}

/** The minimum with the same effect: JSON, digest, EdDSA token, one request on a kept connection. */
function bareSender(baseUrl: string, prefix: string, privateKeyPem: string) {
  const agent = new Agent({ keepAlive: true })
  const privateKey = createPrivateKey(privateKeyPem)
  const { hostname, port } = new URL(baseUrl)
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const send = (orderId: string) =>
    new Promise<void>((resolve, reject) => {
      const body = Buffer.from(JSON.stringify({ orderId }))
      const iat = Math.floor(Date.now() / 1000)
      const bodyHash = createHash('sha256').update(body).digest('hex')
      const claims = { sub: prefix, uri: 'POST /v2/orders', nonce: randomUUID(), iat, exp: iat + 30, bodyHash }
      const signed = `${encoded({ alg: 'EdDSA', typ: 'JWT' })}.${encoded(claims)}`
      const token = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
      const headers = {
        authorization: `Bearer ${token}`,
        'content-length': body.length,
        'content-type': 'application/json',
        'x-api-key': prefix,
      }
      const outgoing = request({ agent, hostname, port, method: 'POST', path: '/v2/orders', headers }, (answer) => {
        // The status alone confirms acceptance, as it does for the client.
        if (answer.statusCode === 201) resolve()
        else reject(new Error('not accepted'))
        answer.resume()
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** Live heap in the middle of each page, compared with the first page: a walk must not grow with its list. */
async function benchWalk(report: Report, client: ServiceClient): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const aliveBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const startedMs = performance.now()
  await walk(client, () => undefined)
  const tookMs = performance.now() - startedMs
  const beforeBytes = aliveBytes()
  const list = await client.fills({}, FILLS)
  const listBytes = aliveBytes() - beforeBytes
  const alive: number[] = []
  await walk(client, (count) => {
    if (count % FILLS_A_PAGE === FILLS_A_PAGE / 2) alive.push(aliveBytes())
  })
  const grownBytes = Math.max(...alive) - (alive[0] ?? 0)
  const kib = (bytes: number) => `${Math.round(bytes / 1024)} KiB`
  report.note(
    `walking ${list.length} fills: ${Math.round(tookMs)} ms; heap grows by ${kib(grownBytes)} from first page to peak`,
  )
  report.note(
    `for comparison, one page of ${FILLS_A_PAGE} is ${kib((listBytes / FILLS) * FILLS_A_PAGE)}, the whole list ${kib(listBytes)}`,
  )
}

async function walk(client: ServiceClient, onFill: (count: number) => void): Promise<void> {
  let count = 0
  for await (const { sequence } of client.walkFills()) {
    count++
    if (sequence < 1) throw new Error('a fill without its place')
    onFill(count)
  }
  if (count !== FILLS) throw new Error(`${count} fills arrived, not ${FILLS}`)
}

/** Accepts every POST, and answers with the time, and with 10,000 fills by cursor. */
const SERVER = `
const FILLS = ${FILLS}
const figures = { baseAsset: 'BTC', quoteAsset: 'USD', baseAmount: '0.12345678', quoteAmount: '6172.83', rate: '50000' }
const totals = { filledBaseAmount: '0.12345678', filledQuoteAmount: '6172.83' }
const fill = (nth) => ({
  id: 'fill-' + nth, orderId: 'order-' + nth, sequence: 1, side: 'BUY', market: 'BTC-USD', ...figures, multiplier: '1',
  assetFormat: 'base', onCredit: false, executedAt: '2026-01-31T09:00:00.000Z', order: { status: 'FILLED', ...totals },
  base: { ...figures, order: totals },
})
const answer = (request) => {
  if (request.method === 'POST') return { id: 'order', status: 'FILLED' }
  if (request.url === '/v2/time') return { now: new Date().toISOString() }
  const query = new URL(request.url, 'http://x').searchParams
  const from = Number(query.get('cursor') ?? 0)
  const data = Array.from({ length: Number(query.get('limit')) }, (_, nth) => fill(from + nth))
  const isLast = query.has('orderId') || from + data.length >= FILLS
  return { data, pagination: { count: data.length, nextCursor: isLast ? null : String(from + data.length) } }
}
const server = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(request)))
  })
})
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

function launchServer(): Promise<{ child: ChildProcess; baseUrl: string }> {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve({ child, baseUrl: line.toString().trim() }))
    child.once('exit', () => reject(new Error('the server of the benchmark did not start')))
  })
}

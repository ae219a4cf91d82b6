// Measures the sandbox of the service. Compares its reads with a bare node:http server that answers with the same
// bytes. Measures signed orders a second, memory an order, and start-up. Servers run in separate processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadParts, PROFILES, type Sandbox, type Service, type World } from '@sluice/service-sandbox'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

const parts = await loadParts()

const CONNECTIONS = 16
const READS_A_ROUND = 1_500
const ORDERS_A_ROUND = 1_000
/** A round takes a sixth of a second, and other work keeps the machine busy for longer. */
const PAIRS = 75
const ORDER_ROUNDS = 5
const ORDERS_FOR_MEMORY = 100_000
const STARTS = 5
const READS = ['/v2/account', '/v2/balances', '/v2/assets', '/v2/markets/BTC-USDC/price?side=BUY']

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

export async function benchSandbox(report: Report): Promise<void> {
  await benchStart(report)
  const { child, ready: sandbox } = await launch<Sandbox>(['packages/service-sandbox/main.ts'])
  try {
    for (const path of READS) await benchRead(report, sandbox, path)
    await benchOrders(report, sandbox)
  } finally {
    child.kill()
    agent.destroy()
  }
  benchMemory(report)
}

async function benchStart(report: Report): Promise<void> {
  const times: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const startedMs = performance.now()
    const { child } = await launch(['packages/service-sandbox/main.ts'])
    times.push(performance.now() - startedMs)
    child.kill()
  }
  report.note(`starts in ${Math.round(median(times))} ms (process and ready line, median of ${STARTS})`)
}

async function benchRead(report: Report, sandbox: Sandbox, path: string): Promise<void> {
  const authorization = `Bearer ${sandbox.keys.full.secret}`
  const sample = await call(sandbox.baseUrl, 'GET', path, { authorization })
  const { child, ready: bare } = await launch<{ baseUrl: string }>(['-e', BARE_SERVER], sample.body)
  const round = (baseUrl: string) => () =>
    inParallel(READS_A_ROUND, () => call(baseUrl, 'GET', path, { authorization }).then(({ status }) => status === 200))
  try {
    const { leftMs, rightMs, ratios } = await timePaired(round(sandbox.baseUrl), round(bare.baseUrl), PAIRS)
    report.figure({
      name: `${READS_A_ROUND} times GET ${path}`,
      unit: 'ms',
      value: leftMs,
      baseline: { name: 'bare node:http', value: rightMs },
      ratio: ratios,
    })
  } finally {
    child.kill()
  }
}

/** Answers every request with the bytes from its standard input. */
const BARE_SERVER = `
const chunks = []
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const body = Buffer.concat(chunks)
  const server = require('node:http').createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ baseUrl: 'http://127.0.0.1:' + server.address().port })))
})`

async function benchOrders(report: Report, sandbox: Sandbox): Promise<void> {
  const rates: number[] = []
  for (let round = 0; round < ORDER_ROUNDS; round += 1) {
    const orders = await quotedOrders(sandbox)
    const startedMs = performance.now()
    await inParallel(orders.length, async (index) => {
      const { body, headers } = orders[index] as SignedOrder
      return (await call(sandbox.baseUrl, 'POST', '/v2/orders', headers, body)).status === 201
    })
    rates.push(orders.length / ((performance.now() - startedMs) / 1000))
  }
  report.note(`POST /v2/orders, signed: ${Math.round(median(rates))} a second (median of ${ORDER_ROUNDS})`)
}

interface SignedOrder {
  readonly body: string
  readonly headers: Record<string, string>
}

/** Orders that are quoted and signed beforehand, so that only the service's work is timed. */
async function quotedOrders(sandbox: Sandbox): Promise<SignedOrder[]> {
  const { full } = sandbox.keys
  const headers = { authorization: `Bearer ${full.secret}`, 'content-type': 'application/json' }
  const quote = { baseAsset: 'BTC', quoteAsset: 'USDC', amountAsset: 'USDC', side: 'BUY', amount: '5' }
  const orders: SignedOrder[] = []
  const privateKey = createPrivateKey(full.privateKeyPem)
  await inParallel(ORDERS_A_ROUND, async () => {
    const quoted = await call(sandbox.baseUrl, 'POST', '/v2/quotes', headers, JSON.stringify(quote))
    const body = JSON.stringify({ orderId: JSON.parse(quoted.body).orderId })
    const iat = Math.floor(Date.now() / 1000)
    const claims = {
      sub: full.prefix,
      uri: 'POST /v2/orders',
      nonce: randomUUID(),
      iat,
      exp: iat + 30,
      bodyHash: createHash('sha256').update(body).digest('hex'),
    }
    const signed = `${encoded({ alg: 'EdDSA' })}.${encoded(claims)}`
    const token = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    const authorization = `Bearer ${token}`
    orders.push({ body, headers: { authorization, 'x-api-key': full.prefix, 'content-type': 'application/json' } })
    return quoted.status === 201
  })
  return orders
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Heap that each order leaves behind, early and late: equal if only records grow. */
function benchMemory(report: Report): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let nowMs = 1_800_000_000_000
  const clock = { nowMs: () => nowMs }
  const world = new parts.World({ seed: 'bench', openedAtMs: nowMs }, clock, PROFILES.prompt.pace, parts.NOBODY)
  const service = new parts.Service(world, (error) => {
    throw error
  })
  const { full } = world.keys.issued()
  const heap: number[] = []
  for (let placed = 0; placed <= ORDERS_FOR_MEMORY; placed += 1) {
    if (placed % (ORDERS_FOR_MEMORY / 4) === 0) {
      collect()
      heap.push(process.memoryUsage().heapUsed)
    }
    nowMs += 20
    place(world, service, full.secret, placed)
  }
  const grown = heap.slice(1).map((used, quarter) => (used - (heap[quarter] as number)) / (ORDERS_FOR_MEMORY / 4))
  const bytes = grown.map((each) => Math.round(each)).join(', ')
  report.note(`heap an order over ${ORDERS_FOR_MEMORY} orders, quarter by quarter: ${bytes} bytes`)
}

/** One conversion: the quote through the service, and its order as the fact that a signed request commits. */
function place(world: World, service: Service, secret: string, nth: number): void {
  const side = nth % 2 === 0 ? 'BUY' : 'SELL'
  const quote = { baseAsset: 'BTC', quoteAsset: 'USDC', amountAsset: 'BTC', side, amount: '0.001' }
  const headers = { authorization: `Bearer ${secret}` }
  const body = Buffer.from(JSON.stringify(quote))
  const target = '/v2/quotes'
  const reply = service.answer({ method: 'POST', target, headers, remoteAddress: '127.0.0.1', body }, {})
  const { orderId } = JSON.parse(reply.body)
  const { expiresAtMs: _expires, quotedAtMs: createdAtMs, ...terms } = world.book.findQuote(orderId) ?? fail()
  const asked = { kid: 'bench', nonce: String(nth) }
  world.commit({ kind: 'nonce.used', keyName: 'full', nonce: asked.nonce, keepUntilMs: createdAtMs + 60_000 })
  const order = { ...terms, onCredit: false, createdAtMs, visibleAtMs: createdAtMs, asked, steps: [] }
  world.commit({ kind: 'order.placed', order, fill: world.newFill(order, order, order.multiplier, createdAtMs) })
  world.settleDue(createdAtMs)
}

function fail(): never {
  throw new Error('the quote is not there')
}

/** Starts a process of Node; resolves with the first JSON line that it prints. */
function launch<T>(args: readonly string[], input = ''): Promise<{ child: ChildProcess; ready: T }> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes('\n')) resolve({ child, ready: JSON.parse(text) as T })
    })
    child.on('exit', () => reject(new Error('a server of the benchmark did not start')))
  })
}

/** Runs `count` requests, as many at a time as there are connections. Throws if one has an unexpected answer. */
async function inParallel(count: number, each: (index: number) => Promise<boolean>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next
      next += 1
      if (!(await each(index))) throw new Error('a request of the benchmark was refused')
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

function call(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request(baseUrl + path, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

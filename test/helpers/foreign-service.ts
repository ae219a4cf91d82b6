// Runs a small service that follows the description and differs from the sandbox. Where the description leaves
// something open, this service makes the unusual choice. It offers conversions only, checks signatures itself, and
// counts what it moved.
import { createHash, type KeyObject, verify } from 'node:crypto'
import {
  type Arrived,
  answerJson,
  answerProblem,
  type LocalServer,
  type Respond,
  startLocalServer,
} from './local-server.ts'

/** A base path of its own, as behind a gateway. */
const BASE_PATH = '/gateway/eu'

export interface ForeignService extends LocalServer {
  /** Ids of the orders that moved money, in order. */
  readonly moved: readonly string[]
}

export interface ForeignServiceOptions {
  readonly secret: string
  readonly publicKey: KeyObject
  readonly alg: 'EdDSA' | 'RS256'
}

/** Always buys 0.1 BTC for 5000 USDC. Its clock is three minutes behind. */
export async function startForeignService(options: ForeignServiceOptions): Promise<ForeignService> {
  const moved: string[] = []
  const looks = new Map<string, number>()
  let quotes = 0
  const nowMs = () => Date.now() - 180_000

  const respond: Respond = (request, response) => {
    response.setHeader('date', new Date(nowMs()).toUTCString())
    response.setHeader('x-unheard-of', 'yes')
    const path = request.target.replace(BASE_PATH, '').split('?', 1)[0] ?? ''
    const order = /^\/v2\/orders\/([^/]+)(\/fills)?$/.exec(path)
    const id = decodeURIComponent(order?.[1] ?? '')
    switch (`${request.method} ${order ? `/v2/orders/{id}${order[2] ?? ''}` : path}`) {
      // A body without a time, so the client must use the Date header.
      case 'GET /v2/time':
        return answerJson(response, 200, { zone: 'UTC' })
      // The key may trade and read orders. The description promises nothing more.
      case 'GET /v2/account':
        return answerProblem(response, 403, 'insufficient_scope')
      case 'GET /v2/assets/BTC':
        return answerJson(response, 200, assetOf('BTC'))
      case 'GET /v2/assets/USDC':
        return answerJson(response, 200, assetOf('USDC'))
      case 'GET /v2/withdrawals':
        return answerJson(response, 200, listOf([]))
      case 'GET /v2/orders':
        return answerJson(response, 200, listOf(moved.map((moved) => orderOf(moved, 'FILLED'))))
      case 'POST /v2/quotes':
        // An opaque id may hold any text, and a quote's life may be unknown.
        quotes += 1
        return answerJson(response, 201, quoteOf(`ORD/2026 11+${quotes}%?`))
      case 'POST /v2/orders': {
        const refusal = findRefusal(request, options, nowMs())
        if (refusal) return answerProblem(response, 401, refusal)
        const { orderId } = JSON.parse(request.body.toString()) as { orderId: string }
        moved.push(orderId)
        return answerJson(response, 202, { id: orderId, status: 'PROCESSING', eta: 'soon' })
      }
      case 'GET /v2/orders/{id}': {
        if (!moved.includes(id)) return answerProblem(response, 404, 'not_found')
        const look = (looks.get(id) ?? 0) + 1
        looks.set(id, look)
        return answerJson(response, 200, orderOf(id, look > 2 ? 'FILLED' : 'AWAITING_LIQUIDITY'))
      }
      case 'GET /v2/orders/{id}/fills':
        return answerJson(response, 200, { data: [fillOf(id)], pagination: { count: 1, nextCursor: null } })
      default:
        return answerProblem(response, 404, 'not_found')
    }
  }

  const server = await startLocalServer(respond)
  return { ...server, baseUrl: server.baseUrl + BASE_PATH, moved }
}

function findRefusal(
  request: Arrived,
  { secret, publicKey, alg }: ForeignServiceOptions,
  nowMs: number,
): string | undefined {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  const [header = '', payload = '', signature = ''] = token.split('.')
  const signed = Buffer.from(`${header}.${payload}`)
  const isSigned = verify(alg === 'RS256' ? 'sha256' : null, signed, publicKey, Buffer.from(signature, 'base64url'))
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const prefix = secret.slice(0, 21)
  const isRight =
    isSigned &&
    claims.sub === prefix &&
    request.headers['x-api-key'] === prefix &&
    claims.uri === `POST ${request.target}` &&
    claims.bodyHash === createHash('sha256').update(request.body).digest('hex')
  if (!isRight) return 'invalid_signature'
  return claims.iat * 1000 > nowMs + 5_000 ? 'clock_skew' : undefined
}

const SETTLED = { baseAsset: 'BTC', quoteAsset: 'USDC', baseAmount: '0.10', quoteAmount: '5000.00', rate: '50000' }
const COMMON = { market: 'BTC-USDC', side: 'BUY', multiplier: '1', assetFormat: 'base', ...SETTLED }

function quoteOf(orderId: string): object {
  const times = { quotedAt: null, expiresAt: null }
  return { orderId, clientOrderId: orderId, ...COMMON, ...times, base: SETTLED, promotion: { code: 'X' } }
}

function orderOf(id: string, status: string): object {
  const filled = { filledBaseAmount: '0.10', filledQuoteAmount: '5000.00' }
  const more = { onCredit: false, createdAt: '2026-11-20T10:00:00+00:00', base: { ...SETTLED, ...filled } }
  return { id, status, ...COMMON, ...filled, ...more }
}

function listOf(data: readonly object[]): object {
  return { data, pagination: { page: 1, limit: 100, totalItems: data.length, totalPages: 1 } }
}

function fillOf(orderId: string): object {
  const state = { filledBaseAmount: '0.10', filledQuoteAmount: '5000.00' }
  return {
    id: 'F 1/1',
    orderId,
    sequence: 1,
    ...COMMON,
    onCredit: false,
    executedAt: '2026-11-20T10:00:01+00:00',
    order: { status: 'FILLED', ...state },
    base: { ...SETTLED, order: state },
  }
}

function assetOf(assetSymbol: string): object {
  return {
    assetSymbol,
    rebasedSymbol: assetSymbol,
    assetName: 'Bitcoin',
    assetClass: 'CRYPTO',
    amountIncrement: '0.00000001',
    displayIncrement: '0.0001',
    minimumDeposit: '0',
    minimumWithdrawal: '0.0001',
    minimumInternalWithdrawal: '0.0001',
    withdrawalFee: '0.00005',
    maxIndicativeQuoteAmount: '10',
    rebaseMultiplier: '1',
    networks: [],
  }
}

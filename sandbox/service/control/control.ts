// The control API: how tests and people steer the sandbox. JSON over HTTP beside /v2, never under
// it, on the loopback interface only and without keys. Each route is documented in sandbox/README.md.
import { findAmount, formatAmount, truncateTo } from '../amount.ts'
import { findAsset } from '../assets.ts'
import { assetCode, integer, optional, positiveAmount, text } from '../fields.ts'
import { parseObject, readFields } from '../json-body.ts'
import { findMarket } from '../markets.ts'
import { invalid, notFound } from '../problem.ts'
import { showTime } from '../representation.ts'
import type { RequestLog } from '../request-log.ts'
import type { World } from '../world.ts'
import { consult } from './oracle.ts'
import type { Rules } from './rules.ts'

/** Where the control API lives. */
export const CONTROL_PATH = '/_control'

/** How far a clock may be set off: a hundred years. */
const FURTHEST_MS = 3_155_760_000_000

export interface Controlled {
  readonly world: World
  readonly rules: Rules
  readonly requests: RequestLog
}

type Control = (controlled: Controlled, body: Record<string, unknown>, rest: string) => unknown

const CONTROLS: Readonly<Record<string, Control>> = {
  'POST rules': ({ rules }, body) => rules.add(body),
  'GET rules': ({ rules }) => ({ rules: rules.list() }),
  'DELETE rules': ({ rules }, _body, id) => removeRules(rules, id),
  'GET clock': ({ world }) => showClock(world),
  'POST clock': ({ world }, body) => moveClock(world, body),
  'POST price': ({ world }, body) => fixPrice(world, body),
  'POST balance': ({ world }, body) => changeBalance(world, body),
  'GET oracle': ({ world, requests }) => consult(world, requests),
}

/** The JSON value to answer. Throws Problem; unknown routes are not_found. */
export function control(controlled: Controlled, method: string, path: string, bytes: Buffer): unknown {
  const [, , name = '', rest = ''] = path.split('/')
  const handle = Object.hasOwn(CONTROLS, `${method} ${name}`) ? CONTROLS[`${method} ${name}`] : undefined
  if (handle === undefined) throw notFound('control')
  return handle(controlled, bytes.length === 0 ? {} : parseObject(bytes), rest)
}

function removeRules(rules: Rules, id: string): unknown {
  if (id === '') rules.clear()
  else if (!rules.remove(id)) throw notFound('rule')
  return { rules: rules.list() }
}

function showClock(world: World): unknown {
  return { now: showTime(world.nowMs()), epochMs: world.nowMs(), offsetMs: world.clockOffsetMs }
}

const clockFields = {
  /** Added to the machine's clock, in place of what was added before. */
  offsetMs: optional(integer(-FURTHEST_MS, FURTHEST_MS)),
  /** Added on top. */
  advanceMs: optional(integer(0, FURTHEST_MS)),
}

function moveClock(world: World, body: Record<string, unknown>): unknown {
  const { offsetMs = world.clockOffsetMs, advanceMs = 0 } = readFields(clockFields, body)
  world.commit({ kind: 'clock.moved', offsetMs: offsetMs + advanceMs })
  world.settleDue(world.nowMs())
  return showClock(world)
}

function fixPrice(world: World, body: Record<string, unknown>): unknown {
  const { mid: rawMid, ...rest } = body
  const { market: marketId } = readFields({ market: text(65) }, rest)
  const market = findMarket(marketId)
  if (market === undefined) throw notFound('market')
  // null lets the seeded process move the price again.
  const mid = rawMid === null ? null : readFields({ mid: positiveAmount }, { mid: rawMid }).mid
  world.commit({ kind: 'price.fixed', marketId: market.id, mid })
  return { market: market.id, mid: formatAmount(world.prices.mid(market, world.nowMs())) }
}

const plainAmount = {
  ...positiveAmount,
  read: (raw: unknown) => (typeof raw === 'string' ? findAmount(raw) : undefined),
  expectation: 'a decimal string in plain notation, such as "12.5"',
}

/** `credit` adds; `balance` sets what is available, as a deposit or an adjustment of the difference. */
function changeBalance(world: World, body: Record<string, unknown>): unknown {
  const fields = { assetSymbol: assetCode, credit: optional(positiveAmount), balance: optional(plainAmount) }
  const { assetSymbol, credit, balance } = readFields(fields, body)
  const asset = findAsset(assetSymbol)
  if (asset === undefined) throw notFound('asset')
  if ((credit === undefined) === (balance === undefined)) throw invalid('Give either credit or balance.')
  const nowMs = world.nowMs()
  world.settleDue(nowMs)
  const { available } = world.ledger.position(asset.symbol)
  const target = truncateTo(balance ?? available + (credit ?? 0n), asset.increment)
  if (target > available) {
    const multiplier = world.multiplier(asset.symbol)
    const about = { assetSymbol: asset.symbol, multiplier, createdAtMs: nowMs }
    world.commit({
      kind: 'deposit.credited',
      deposit: { id: world.newId('deposit'), amount: target - available, ...about },
    })
  } else if (target < available) {
    const about = { assetSymbol: asset.symbol, atMs: nowMs }
    world.commit({ kind: 'balance.lowered', id: world.newId('adjustment'), amount: available - target, ...about })
  }
  return { assetSymbol: asset.symbol, available: formatAmount(world.ledger.position(asset.symbol).available) }
}

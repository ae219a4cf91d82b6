// Serves the control API, by which tests and people steer the sandbox. It speaks JSON over HTTP beside /v2, never under
// it, on the loopback interface only and without keys. packages/service-sandbox/README.md documents each route.

import * as z from 'zod/mini'
import { type Amount, amount, formatAmount } from '../amount.ts'
import { assetOf } from '../assets.ts'
import { assetCode, expecting, flag, integer, oneOf, optional, positiveAmount, text } from '../fields.ts'
import { changedManners } from '../manners/manners.ts'
import { findMarket } from '../markets.ts'
import { invalid, notFound } from '../problem.ts'
import { DEFAULT_LIMITS, WINDOW_SECONDS } from '../rate-limit.ts'
import { parseObject, readFields } from '../read-fields.ts'
import { showTime } from '../representation.ts'
import type { RequestLog } from '../request-log.ts'
import { showContact } from '../resources.ts'
import type { WebhookDeliveries } from '../webhooks/webhook-deliveries.ts'
import type { World } from '../world.ts'
import { changeKey, showKeys } from './key-controls.ts'
import { assetNamed, changeBalance, moveWithdrawal, setCapacity, setFee } from './money-controls.ts'
import { consult } from './oracle.ts'
import type { Rules } from './rules.ts'

const marketFields = z.strictObject({ market: text(65) })
const midFields = z.strictObject({ mid: between('0.000000001', '1000000000000') })
const multiplierFields = z.strictObject({ assetSymbol: assetCode, multiplier: between('0.000001', '1000000') })

/** Outside these bounds a price or multiplier would leave no digits for amounts. */
function between(least: string, most: string) {
  const isBetween = z.refine<Amount>((value) => value.gte(amount(least)) && value.lte(amount(most)))
  return expecting(`a decimal string from ${least} to ${most}`, positiveAmount.check(isBetween))
}

/** `mid`: quote units per settled base unit; null returns the price to the seeded process. */
function fixPrice(world: World, body: Record<string, unknown>): unknown {
  const { mid: rawMid, ...rest } = body
  const market = findMarket(readFields(marketFields, rest).market)
  if (market === undefined) throw notFound('market')
  const fixed = rawMid === null ? null : readFields(midFields, { mid: rawMid }).mid
  world.commit({ kind: 'price.fixed', marketId: market.id, mid: fixed })
  return { market: market.id, mid: formatAmount(world.prices.mid(market, world.nowMs())) }
}

/** A corporate action. Settled amounts stay; their value in shares changes from now on. */
function setMultiplier(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, multiplier: factor } = readFields(multiplierFields, body)
  const asset = assetNamed(assetSymbol)
  if (asset.assetClass !== 'STOCK') throw invalid('Field assetSymbol: expected a tokenised equity.')
  world.commit({ kind: 'multiplier.set', assetSymbol: asset.symbol, multiplier: factor })
  return { assetSymbol: asset.symbol, multiplier: formatAmount(world.multiplier(asset.symbol)) }
}

const listingFields = z.strictObject({ assetSymbol: assetCode, listing: oneOf('full', 'unpriced', 'unlisted') })

/**
 * `unpriced`: the asset's markets are listed but not quoted. `unlisted`: the asset is in no list, and balances of it
 * stay.
 */
function changeListing(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, listing } = readFields(listingFields, body)
  const asset = assetNamed(assetSymbol)
  world.commit({ kind: 'listing.set', assetSymbol: asset.symbol, listing })
  return { assetSymbol: asset.symbol, listing }
}

const contactFields = z.strictObject({
  destination: optional(text(128)),
  networkId: optional(text(64)),
  alias: optional(text(128)),
})

/** Sets another address, network or alias. Each counts as a change of the contact. */
function changeContact(world: World, id: string, body: Record<string, unknown>): unknown {
  const contact = world.contacts.get(id)
  if (contact === undefined) throw notFound('contact')
  const given = readFields(contactFields, body)
  const { destination = contact.destination, networkId = contact.networkId, alias = contact.alias } = given
  const { networks } = contact.assetSymbol === null ? { networks: [] } : assetOf(contact.assetSymbol)
  if (networkId !== contact.networkId && !networks.some((network) => network.networkId === networkId))
    throw invalid('Field networkId: expected a network of the asset of the contact.')
  world.commit({ kind: 'contact.moved', contactId: id, destination, networkId, alias, atMs: world.nowMs() })
  return showContact(world.contacts.get(id) ?? contact)
}

/** Maximum offset of service time: a hundred years. */
const FURTHEST_MS = 3_155_760_000_000

const fields = z.strictObject({
  /** Replaces the offset from the machine's clock. */
  offsetMs: optional(integer(-FURTHEST_MS, FURTHEST_MS)),
  /** Added to the offset. */
  advanceMs: optional(integer(0, FURTHEST_MS)),
})

function showClock(world: World): unknown {
  return { now: showTime(world.nowMs()), epochMs: world.nowMs(), offsetMs: world.clockOffsetMs }
}

/** Moves the clock, and applies everything that falls due. */
function moveClock(world: World, body: Record<string, unknown>): unknown {
  const { offsetMs = world.clockOffsetMs, advanceMs = 0 } = readFields(fields, body)
  const total = Math.max(-FURTHEST_MS, Math.min(FURTHEST_MS, offsetMs + advanceMs))
  world.commit({ kind: 'clock.moved', offsetMs: total })
  world.settleDue(world.nowMs())
  return showClock(world)
}

const MOST_PER_MINUTE = 1_000_000_000

const accountFields = z.strictObject({ apiAccess: optional(flag), twoFactor: optional(flag) })
const maintenanceFields = z.strictObject({ on: flag })
const perMinute = optional(integer(1, MOST_PER_MINUTE))
const limitFields = z.strictObject({
  perKey: perMinute,
  perAccount: perMinute,
  windowSeconds: optional(integer(1, 3600)),
})

/** Sets whether the account may use the API, and whether it has two-factor authentication. */
function changeAccount(world: World, body: Record<string, unknown>): unknown {
  const { apiAccess = world.apiAccess, twoFactor = world.twoFactor } = readFields(accountFields, body)
  world.commit({ kind: 'account.set', apiAccess, twoFactor })
  return { apiAccess, twoFactor }
}

function changeMaintenance(world: World, body: Record<string, unknown>): unknown {
  const { on } = readFields(maintenanceFields, body)
  world.commit({ kind: 'maintenance.set', on })
  return { on }
}

/** Sets the requests that a window allows, per key and for the whole account. */
function changeLimits(world: World, body: Record<string, unknown>): unknown {
  const given = readFields(limitFields, body)
  const limits = { ...DEFAULT_LIMITS, windowSeconds: WINDOW_SECONDS, ...given }
  world.commit({ kind: 'limits.set', limits })
  return limits
}

export const CONTROL_PATH = '/_control'

export interface Controlled {
  readonly world: World
  readonly rules: Rules
  readonly requests: RequestLog
  /** Absent when no webhook address was given. */
  readonly webhooks: WebhookDeliveries | undefined
}

type Body = Record<string, unknown>

const CONTROLS: Readonly<Record<string, (controlled: Controlled, body: Body, id: string) => unknown>> = {
  'POST rules': ({ rules }, body) => rules.add(body),
  'GET rules': ({ rules }) => ({ rules: rules.list() }),
  'DELETE rules': ({ rules }, _body, id) => removeRules(rules, id),
  'GET clock': ({ world }) => showClock(world),
  'POST clock': ({ world }, body) => moveClock(world, body),
  'POST price': ({ world }, body) => fixPrice(world, body),
  'POST listing': ({ world }, body) => changeListing(world, body),
  'POST contacts': ({ world }, body, id) => changeContact(world, id, body),
  'POST multiplier': ({ world }, body) => setMultiplier(world, body),
  'POST balance': ({ world }, body) => changeBalance(world, body),
  'POST capacity': ({ world }, body) => setCapacity(world, body),
  'POST fee': ({ world }, body) => setFee(world, body),
  'POST withdrawals': ({ world }, body, id) => moveWithdrawal(world, id, body),
  'GET keys': ({ world }) => showKeys(world),
  'POST keys': ({ world }, body, name) => changeKey(world, name, body),
  'POST account': ({ world }, body) => changeAccount(world, body),
  'POST maintenance': ({ world }, body) => changeMaintenance(world, body),
  'POST limits': ({ world }, body) => changeLimits(world, body),
  'GET manners': ({ world }) => world.manners,
  'POST manners': ({ world }, body) => changeManners(world, body),
  'GET webhooks': ({ webhooks }) => ({ deliveries: webhooks?.list() ?? [] }),
  'GET oracle': ({ world, requests }) => consult(world, requests),
}

/** Returns the JSON value of the answer. Throws Problem; unknown routes are not_found. */
export function control(controlled: Controlled, method: string, path: string, bytes: Buffer): unknown {
  const [name = '', id = '', ...rest] = path.slice(CONTROL_PATH.length + 1).split('/')
  const route = `${method} ${name}`
  const handle = Object.hasOwn(CONTROLS, route) && rest.length === 0 ? CONTROLS[route] : undefined
  if (handle === undefined) throw notFound('control')
  controlled.world.settleDue(controlled.world.nowMs())
  return handle(controlled, bytes.length === 0 ? {} : parseObject(bytes), decoded(id))
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw invalid('The path holds a percent sign that encodes nothing.')
  }
}

function removeRules(rules: Rules, id: string): unknown {
  if (id === '') rules.clear()
  else if (!rules.remove(id)) throw notFound('rule')
  return { rules: rules.list() }
}

/** Changes the given manners; the others stay. */
function changeManners(world: World, body: Record<string, unknown>): unknown {
  const manners = changedManners(world.manners, body)
  const { profile } = world
  world.commit({ kind: 'manners.set', manners, ...(profile !== undefined && { profile }) })
  return world.manners
}

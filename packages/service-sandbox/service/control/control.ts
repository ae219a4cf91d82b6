// Serves the control API, by which tests and people steer the sandbox. It speaks JSON over HTTP beside /v2, never under
// it, on the loopback interface only and without keys. packages/service-sandbox/README.md documents each route.
import { parseObject } from '../json-body.ts'
import { invalid, notFound } from '../problem.ts'
import type { RequestLog } from '../request-log.ts'
import type { WebhookDeliveries } from '../webhooks/webhook-deliveries.ts'
import type { World } from '../world.ts'
import { changeAccount, changeLimits, changeMaintenance } from './account-controls.ts'
import { moveClock, showClock } from './clock-controls.ts'
import { changeKey, showKeys } from './key-controls.ts'
import { changeContact, changeListing } from './listing-controls.ts'
import { changeManners, showManners } from './manner-controls.ts'
import { fixPrice, setMultiplier } from './market-controls.ts'
import { changeBalance, setCapacity, setFee } from './money-controls.ts'
import { consult } from './oracle.ts'
import type { Rules } from './rules.ts'
import { moveWithdrawal } from './withdrawal-controls.ts'

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
  'GET manners': ({ world }) => showManners(world),
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

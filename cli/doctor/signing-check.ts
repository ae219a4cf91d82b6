// Whether the service takes this key's signature, and whether two-factor authentication stands in
// its way: a signed order for a quote that was never given. It can move nothing: an order executes
// a quote, this one does not exist, and its id is made anew and sent once.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../functions/shared/clock.ts'
import { staticKeySource } from '../../functions/shared/keys/key-source.ts'
import type { Said, SendAnswer } from '../../functions/shared/service/ports.ts'
import { createServiceClient } from '../../functions/shared/service/service-client.ts'
import { remedyFor } from '../service-failure.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok, warn } from './check.ts'
import type { RoleKey } from './doctor-keys.ts'

const SIGNING = 'signing'
const TWO_FACTOR = 'two-factor'
const TOKEN_LIFE_SECONDS = 30

/** What a service says that verified the signature and then looked for the quote. */
const NO_SUCH_QUOTE: ReadonlySet<string> = new Set([
  'unprocessable',
  'not_found',
  'quotation_expired',
  'validation_error',
])
const NOT_PROBED = 'add --probe-signing: it signs an order for a quote that does not exist'

/** Without a probe: only a signed request shows it. */
export function signingUnknown(): Check[] {
  const detail = 'not looked at: only a signed request shows it'
  return [warn(SIGNING, detail, NOT_PROBED), warn(TWO_FACTOR, detail, NOT_PROBED)]
}

/** Asks with the key that trades. */
export async function signingChecks(url: string, { key }: RoleKey, clock: Clock): Promise<Check[]> {
  const client = createServiceClient({ baseUrl: url, key: staticKeySource(key), clock, newId: randomUUID })
  try {
    await client.clock.measure()
    const probe = await client.prepareOrder(`sluice-doctor-${randomUUID()}`, TOKEN_LIFE_SECONDS)
    return judged(await probe.send())
  } catch (error) {
    return [fail(SIGNING, messageOf(error), 'without it no money can be moved')]
  } finally {
    client.close()
  }
}

export function judged(answer: SendAnswer): Check[] {
  if (answer.kind === 'accepted') {
    const detail = `an order for a quote that does not exist was accepted (${answer.status})`
    return [fail(SIGNING, detail, 'do not use this address: what answers there is not the service')]
  }
  const { said } = answer
  if (NO_SUCH_QUOTE.has(said.code)) {
    const detail = `the signature was taken: an order for a quote that does not exist was refused with ${said.code}`
    return [ok(SIGNING, detail), ok(TWO_FACTOR, 'no objection')]
  }
  if (said.code === 'two_factor_required')
    return [ok(SIGNING, 'the signature was taken'), fail(TWO_FACTOR, said.text, remedyFor(said.code))]
  return [fail(SIGNING, said.text, remedyOf(said))]
}

function remedyOf({ code }: Said): string {
  return code === 'unauthorized' ? 'check the key: the service does not know its prefix' : remedyFor(code)
}

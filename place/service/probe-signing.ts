// Probes whether the service accepts a signing key, with a signed request that it must refuse for a business reason. It
// can move nothing:
//   trade      POST /v2/orders executes an existing quote. The orderId is a new random UUID made here,
//              so no quote was ever issued under it.
//   transfer   POST /v2/withdrawals sends to an existing contact. The contactId is a random UUID under
//              which no contact was ever made, and no asset has the requested code.
// Nothing is sent twice. Used by `keys verify` and `setup doctor`.
import { randomUUID } from 'node:crypto'
import { KeyRole } from '../../core/contract/service-settings.ts'
import { settledAmount } from '../../core/money/amount.ts'
import type { ServiceError } from '../../core/service/ports.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'

export type SigningVerdict =
  /** The signature was accepted and the request refused for a business reason: the key is registered. */
  | 'registered'
  /** invalid_signature: the public half is not there (yet), or was revoked. */
  | 'not_registered'
  /** Any other answer: nothing is known of the signing key. */
  | 'not_known'
  /** The service says that it did the impossible: a person must check. */
  | 'accepted'

export interface SigningProbe {
  readonly verdict: SigningVerdict
  /** The code of the refusal; absent where the service accepted. */
  readonly code?: string
  /** The service's answer: one sentence without secret, token or body. */
  readonly text: string
}

/** Codes of a refusal for a business reason. The service checks the signature before that. */
const BUSINESS_REFUSALS: ReadonlySet<string> = new Set([
  'unprocessable',
  'not_found',
  'quotation_expired',
  'validation_error',
])
const TOKEN_LIFE_SECONDS = 30
const NO_ASSET = 'SLUICEPROBE'

/** `client` must hold the key that is probed. Throws what preparing a send throws, before anything is sent. */
export async function probeSigning(
  client: Pick<ServiceClient, 'clock' | 'prepareOrder' | 'prepareWithdrawal'>,
  role: typeof KeyRole.Trade | typeof KeyRole.Transfer,
): Promise<SigningProbe> {
  await client.clock.measure()
  const prepared =
    role === KeyRole.Trade
      ? await client.prepareOrder(randomUUID(), TOKEN_LIFE_SECONDS)
      : await client.prepareWithdrawal(
          { amount: settledAmount(NO_ASSET, '1', 'amount'), feeMode: 'deduct', contactId: randomUUID() },
          TOKEN_LIFE_SECONDS,
        )
  const answer = await prepared.send()
  if (answer.kind === 'unproven') {
    const { code, text } = answer.said
    return { verdict: verdictOf(answer.said), code, text }
  }
  return { verdict: 'accepted', text: 'the service accepted a request that names nothing that exists' }
}

function verdictOf({ code }: ServiceError): SigningVerdict {
  if (BUSINESS_REFUSALS.has(code)) return 'registered'
  return code === 'invalid_signature' ? 'not_registered' : 'not_known'
}

// Reads a payout file of a command: a path, or `-` for standard input. It stops reading soon after the bound. Where rows name
// contacts by labels alone, it finds their ids at the service of a desk, once.
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Stage } from '../../core/contract/service-settings.ts'
import { printable } from '../../core/printable.ts'
import { needsId, payeesAmong } from '../../core/runs/payouts/find-payee.ts'
import { PAYOUT_FILE_BYTES, type PayoutFile, parsePayoutFile } from '../../core/runs/payouts/payout-file.ts'
import type { Contact } from '../../core/service/contacts.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { usageError } from '../../place/operation-error.ts'
import { withServiceClient } from '../../place/place-service.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { serviceFailure } from '../../place/service/service-failure.ts'
import type { PayingPolicy } from './payout-runs.ts'

/**
 * The file with the ids of its payees. At stage live it asks nothing: there a row needs the id of its contact.
 * @throws OperationError where the service does not list its contacts
 */
export async function parseForPolicy(bytes: Uint8Array, payingPolicy: PayingPolicy): Promise<PayoutFile> {
  let asksForIds = false
  const file = parsePayoutFile(bytes, (label) => {
    asksForIds = true
    return needsId(label)
  })
  if (!asksForIds || payingPolicy.treasury.service.stage === Stage.Live) return file
  return parsePayoutFile(bytes, payeesAmong(await readContacts(payingPolicy)))
}

/** The file where no service is asked: a label stands in the place of the id that it has none beside it. */
export function parseAsWritten(bytes: Uint8Array): PayoutFile {
  return parsePayoutFile(bytes, (label) => label)
}

/** Keys that came from standard input cannot be read again. */
function readContacts({ place: { context, flags }, service }: PayingPolicy): Promise<readonly Contact[]> {
  const list = (client: ServiceClient) => client.contacts()
  if (service === undefined) return withServiceClient(flags, context, list)
  const connection = { baseUrl: service.url, key: service.readKey, clock: context.clock }
  return withConnection(connection, list).catch((error: unknown) => Promise.reject(serviceFailure(error)))
}

/** @throws OperationError (exit 2) for a file that cannot be read */
export async function readPayoutBytes(file: string, stdin: Readable): Promise<Buffer> {
  if (file === '-') return readBounded(stdin)
  try {
    const handle = await open(file)
    try {
      return await readBounded(handle.createReadStream({ autoClose: false, end: PAYOUT_FILE_BYTES }))
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const message = `file: cannot read ${printable(file)} (${error.code})`
    throw usageError('input', message, 'give a file that can be read, or - for standard input')
  }
}

async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > PAYOUT_FILE_BYTES) break
  }
  return Buffer.concat(chunks)
}

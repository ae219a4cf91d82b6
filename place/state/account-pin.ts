// Owns the account pin, account.json: the one account whose movements a state directory records, at whatever address
// it is reached. The pin is safely on disk before anything is started. It holds no secret, because prefixes of keys
// are public. Finds the service whose records a command did not read, because it was about the built-in sandbox.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import * as z from 'zod/mini'
import { isoTime } from '../../core/contract/fields.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'
import { readOwn } from './private-directory.ts'
import { serviceFolder } from './state-layout.ts'

const accountPin = z.object({
  /** SHA-256 of the account's id, hex. Absent where no key that was used here may read it. */
  account: z.optional(z.string()),
  keys: z.array(z.string()),
  addresses: z.array(z.string()),
  /** Service time. Earlier movements may be in another journal. */
  newSince: isoTime,
  /** Keys and an address that a person has vouched for with `sluice keys adopt`. */
  vouched: z.optional(
    z.array(
      z.object({
        keys: z.array(z.string()),
        address: z.optional(z.string()),
        by: z.string(),
        because: z.string(),
        at: z.string(),
      }),
    ),
  ),
})
export type AccountPin = z.infer<typeof accountPin>

export function accountDigest(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex')
}

/** @throws OperationError (exit 3) for a damaged pin, because nobody knows then whose records these are */
export function findAccountPin(stateDir: string): AccountPin | undefined {
  const file = pinFile(stateDir)
  const text = readOwn(file)
  if (text === undefined) return undefined
  try {
    return accountPin.parse(JSON.parse(text))
  } catch (error) {
    throw new OperationError(
      {
        exitCode: ExitCode.NeedsPerson,
        code: 'state_unusable',
        message: `${file} is damaged, so whose records ${stateDir} keeps is not known; this command has sent nothing`,
        next: 'docs/runbook.md, "A damaged state directory", says what is safe',
      },
      { cause: error },
    )
  }
}

export function writeAccountPin(stateDir: string, pin: AccountPin): void {
  DURABLE.makeFolder(stateDir)
  DURABLE.replace(pinFile(stateDir), `${JSON.stringify(pin)}\n`)
}

export function pinFile(stateDir: string): string {
  return path.join(stateDir, 'account.json')
}

/** Stands for an unknown address. */
const SOME = 'URL'

/** The address of the service, where the built-in sandbox was meant (`serviceUrl` absent) and both have records. */
export function findOtherService(stateDir: string, serviceUrl: string | undefined): string | undefined {
  if (serviceUrl !== undefined || !existsSync(serviceFolder(stateDir).awsDir)) return undefined
  try {
    return findAccountPin(stateDir)?.addresses.at(-1) ?? SOME
  } catch {
    // A pin that cannot be read belongs to a service.
    return SOME
  }
}

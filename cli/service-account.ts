// One folder of state, one account. The journal of one account must never be read against
// another: an order of the first is not found there, and would be taken for one that never was.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../functions/shared/clock.ts'
import { Transient } from '../functions/shared/errors.ts'
import type { ServiceKey } from '../functions/shared/keys/key-source.ts'
import { CommandError, usageError } from './command-error.ts'
import { ExitCode } from './exit-code.ts'
import { assertReachable } from './service-address.ts'
import { withConnection } from './service-connection.ts'
import { withHealth } from './service-health.ts'
import type { ServiceFolder } from './state/state-layout.ts'

/** A service that is named, with the key that reads there. */
interface ReadableService {
  readonly url: string
  readonly readingKey: ServiceKey
}

/**
 * Before anything of a folder is started: the service answers, and its account is the one of the folder's runs.
 * Nothing to do for the built-in sandbox. @throws CommandError: exit 1 where it does not answer, exit 2 for another account
 */
export async function assertServiceOf(
  { accountFile }: ServiceFolder,
  service: ReadableService | undefined,
  clock: Clock,
): Promise<void> {
  if (service === undefined) return
  const { url: baseUrl, readingKey: key } = service
  await assertReachable(baseUrl).catch(async (error) => {
    throw await withHealth(error, { baseUrl, key, clock })
  })
  assertSameAccount(accountFile, await findAccountId(service.url, service.readingKey, clock))
}

/**
 * The account's id; `undefined` where the key may not read it (a key can trade without that scope).
 * @throws CommandError (exit 1) when the service does not answer.
 */
export async function findAccountId(baseUrl: string, key: ServiceKey, clock: Clock): Promise<string | undefined> {
  try {
    return await withConnection({ baseUrl, key, clock }, async (client) => (await client.account()).id)
  } catch (error) {
    if (!(error instanceof Transient)) return undefined
    throw new CommandError(
      {
        exitCode: ExitCode.Failed,
        code: 'unreachable',
        message: `${error.message}; nothing was sent that could move money`,
        next: 'run the same command again',
      },
      { cause: error },
    )
  }
}

/**
 * Remembers in `accountFile`, as a digest, the first account that a folder is used with.
 * @throws CommandError (exit 2) when it is another one now.
 */
export function assertSameAccount(accountFile: string, accountId: string | undefined): void {
  if (accountId === undefined) return
  const digest = createHash('sha256').update(accountId).digest('hex')
  const known = readIfThere(accountFile)
  if (known === digest) return
  if (known !== undefined) {
    throw usageError(
      'keys',
      `--keys: these are keys of another account than the runs kept in ${path.dirname(accountFile)}; nothing was sent`,
      'give each account a directory of its own with --state DIR',
    )
  }
  mkdirSync(path.dirname(accountFile), { recursive: true })
  writeFileSync(accountFile, digest)
}

function readIfThere(file: string): string | undefined {
  try {
    // Cut off while it was written for the first time: nothing had been started by then.
    return readFileSync(file, 'utf8') || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

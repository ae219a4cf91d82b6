// Opens the export that `verify` and `rebuild` are given. It must be undamaged and of the same account, or it is
// refused before anything is written.
import path from 'node:path'
import { findPin } from '../../../core/journal/pinned-account.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import type { RecordAccess } from '../../../place/journal/journal-parts.ts'
import { OperationError, unfit } from '../../../place/operation-error.ts'
import { type Finding, FindingKind } from '../judge.ts'
import { checkExport } from './read-export.ts'
import type { ReadExport } from './restore-export.ts'

export interface OpenExport extends ReadExport {
  /** Records that were edited before the export was made. */
  readonly edited: readonly Finding[]
}

/** @throws OperationError: exit 2 for a folder without an export, exit 3 for a damaged export */
export async function openExport(folder: string | undefined): Promise<OpenExport | undefined> {
  if (folder === undefined) return undefined
  const dir = folder.includes('://') ? folder : path.resolve(folder)
  const { findings, manifest } = await checkExport(dir)
  const damaged = findings.filter(({ finding }) => finding === FindingKind.Export)
  const [first] = damaged
  if (manifest !== undefined && first === undefined) return { dir, manifest, edited: findings }
  const named = damaged.slice(0, 20).map(({ about, message }) => `${about}: ${message}`)
  throw new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'does_not_tie_out',
    message: `the export in ${dir} is damaged (${named.join('; ')}); nothing was taken from it, and nothing was written`,
    next: 'copy it again from where it is kept, or name an older one',
  })
}

/** @throws OperationError (exit 2) for an export of another account */
export async function assertSameAccount(
  { store }: Pick<RecordAccess, 'store'>,
  client: Pick<ServiceClient, 'accountOfKey'>,
  { manifest }: OpenExport,
): Promise<void> {
  const ours = (await findPin(store))?.account ?? (await client.accountOfKey())
  const theirs = manifest.account?.account
  if (ours === undefined || theirs === undefined || ours === theirs) return
  const problem = `expected an export of account ${ours}; got one of account ${theirs}`
  throw unfit('export', problem, 'name an export of this journal')
}

/** The time from which movements are compared with the journal, in epoch ms. */
export function auditedFrom(sinceMs: number, exported: OpenExport | undefined): number {
  return exported === undefined ? sinceMs : Math.min(sinceMs, Date.parse(exported.manifest.startedAt))
}

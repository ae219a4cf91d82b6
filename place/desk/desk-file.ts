// Owns desk.json, by which every command finds the desk of a state directory and becomes its client. Writes the access
// key of a served directory too, in the format of the SDKs and the AWS CLI. Only the owner may read these files,
// because they hold the credentials of this boot. It decides nothing.

import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Credentials, DURABLE } from '@sluice/embedded-aws'
import * as z from 'zod/mini'
import { findJson } from '../../core/contract/find-json.ts'
import { ownRelease } from '../context.ts'
import { OperationError } from '../operation-error.ts'
import { readOwn } from '../state/private-directory.ts'
import { isAlive, thisProcess } from '../state/state-lock.ts'

const text = z.string()

const desk = z.object({
  holder: z.object({ pid: z.number(), started: text }),
  release: text,
  /** The command that the process was started with, such as `serve`. */
  command: text,
  endpointUrl: text,
  region: text,
  credentials: z.object({ accessKeyId: text, secretAccessKey: text }),
  /** Absent: it offers only the journal, and continues no execution. */
  machines: z.optional(
    z.object({
      /** Roles whose keys its functions have. */
      roles: z.array(text),
      /** Hash of the configuration that it runs with. */
      configuration: text,
      configFile: text,
    }),
  ),
  /**
   * Present for the tour, whose records are thrown away: the folder of its records, and its configuration. Only a
   * command that shows the tour may be its client.
   */
  tour: z.optional(z.object({ folder: text, configFile: text })),
  /** Address of the named service; absent for the built-in sandbox. */
  service: z.optional(text),
  sandbox: z.optional(z.object({ url: text, controlUrl: text, keys: text })),
})
export type Desk = z.infer<typeof desk>

export type DeskOffer = Omit<Desk, 'holder' | 'release'>

export function publishDesk(stateDir: string, offer: DeskOffer): void {
  const published: Desk = { holder: thisProcess(), release: ownRelease(), ...offer }
  DURABLE.replace(fileOf(stateDir), `${JSON.stringify(published)}\n`)
}

export function withdrawDesk(stateDir: string): void {
  if (findDesk(stateDir)?.holder.pid === process.pid) rmSync(fileOf(stateDir), { force: true })
}

/** The desk that runs now; undefined where its process has died, or where another user owns the file. */
export function findDesk(stateDir: string): Desk | undefined {
  const text = findText(stateDir)
  if (text === undefined) return undefined
  const found = desk.safeParse(findJson(text)).data
  return found !== undefined && isAlive(found.holder) ? found : undefined
}

/** Whether the same process still serves the directory. */
export function isServed(stateDir: string, { endpointUrl, holder }: Desk): boolean {
  const now = findDesk(stateDir)
  return now?.endpointUrl === endpointUrl && now.holder.pid === holder.pid
}

function findText(stateDir: string): string | undefined {
  try {
    return readOwn(fileOf(stateDir))
  } catch (error) {
    // Whoever opens the directory gets the error with its name (keepPrivate).
    if (error instanceof OperationError) return undefined
    throw error
  }
}

function fileOf(stateDir: string): string {
  return path.join(stateDir, 'desk.json')
}

const FILE = 'credentials'
const OWNER_ONLY = 0o600

/** @returns the file's path */
export function writeCredentialsFile(awsDir: string, { accessKeyId, secretAccessKey }: Credentials): string {
  const file = path.resolve(awsDir, FILE)
  // A new file gets its mode, and a process that has the former file open does not see the new key.
  rmSync(file, { force: true })
  const lines = ['[default]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`, '']
  writeFileSync(file, lines.join('\n'), { mode: OWNER_ONLY, flag: 'wx' })
  return file
}

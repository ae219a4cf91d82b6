// Finds the folders of records in a state directory of an older version, which had one for each spelling of a service's
// address; and the folder of today, where account.json was removed. It changes nothing in them except for a mark.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import { readOwn } from './private-directory.ts'

export interface FormerFolder {
  readonly name: string
  /** SHA-256 of the account's id, where a key that may read it was used with the folder. */
  readonly account?: string
  /** True where it was found beside another journal of its account. Ids may have moved under that one. */
  readonly isSplit: boolean
}

/** The name of the folder in a directory that is made today. */
export const NEW_FOLDER = 'service'
/** Names as `serviceFolderName` makes them. */
const FORMER_NAME = /_[0-9a-f]{8}$/

export function formerFolders(stateDir: string): FormerFolder[] {
  if (!existsSync(stateDir)) return []
  return readdirSync(stateDir)
    .filter((name) => name === NEW_FOLDER || FORMER_NAME.test(name))
    .filter((name) => existsSync(path.join(stateDir, name, 'aws')))
    .sort()
    .map((name) => {
      // The file is empty if its first write was cut off. Nothing had been started by then.
      const account = readOwn(path.join(stateDir, name, 'account')) || undefined
      return { name, ...(account !== undefined && { account }), isSplit: existsSync(markFile(stateDir, name)) }
    })
}

/** Marks a folder for good: wherever it is moved, ids that it does not know are first looked for at the service. */
export function markSplit(stateDir: string, name: string): void {
  DURABLE.replace(markFile(stateDir, name), 'found beside another journal of the same account\n')
}

function markFile(stateDir: string, name: string): string {
  return path.join(stateDir, name, 'split')
}

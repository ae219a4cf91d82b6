// Keeps the signing keys of an assembly between boots, in one file that only its owner can read. Makes each key once.
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { readOwnText } from '../own-file.ts'
import { parseStored } from '../stored-json.ts'
import { type KmsKey, type KmsPlace, kmsKey } from './kms-key.ts'

/** PEM by the alias of the key. */
type Kept = Readonly<Record<string, string>>

/** Returns the kept keys of Ed25519, with a new one for each alias that has none. Throws Refusal for a damaged file. */
export function keptKeys(
  stateDir: string,
  aliases: readonly string[],
  place: KmsPlace,
  disk: Disk = DURABLE,
): readonly KmsKey[] {
  const file = path.join(stateDir, 'kms.json')
  const known: Kept = existsSync(file) ? parseStored(readOwnText(file), file, isKept, REMEDY) : {}
  const missing = aliases.filter((alias) => !Object.hasOwn(known, alias))
  const kept = { ...known, ...Object.fromEntries(missing.map((alias) => [alias, newKey()])) }
  if (missing.length > 0) disk.replace(file, JSON.stringify(kept))
  return Object.entries(kept).map(([alias, pem]) => kmsKey(alias, pem, place))
}

const REMEDY =
  'restore it from a copy, or move it out of the directory: then new keys are made, and nothing fits old signatures'

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function isKept(value: unknown): value is Kept {
  return isObject(value) && Object.values(value).every((pem) => typeof pem === 'string')
}

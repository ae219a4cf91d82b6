// Reads and checks treasury.json: the same parser for the CDK app, the command line and the embedded run. Writes the copy
// that is deployed beside the bundle, from which functions read guards and policies. Reads no environment and no secret;
// what it refuses, it names without quoting what may be secret.
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { deployedName } from '../contract/deployed-names.ts'
import { type Treasury, treasury } from '../contract/treasury.ts'
import { hashParams } from '../params-hash.ts'
import { checkInput, describeFault } from './describe-issues.ts'
import { findEncryptionFaults } from './encryption-rules.ts'
import { JsonTextError, parseJsonText } from './json-text.ts'
import { findLiveFaults } from './live-rules.ts'
import { findNoticeFaults } from './notice-rules.ts'
import { findPolicyFaults } from './policy-rules.ts'

export const DEFAULT_TREASURY_FILE = 'treasury.json'

/** A configuration file is written by hand; more than this is a mistake. */
const MOST_BYTES = 1024 * 1024

/** treasury.json cannot be used. `findings` holds one line for each thing wrong, `message` all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly findings: readonly string[]

  constructor(findings: readonly string[]) {
    super(findings.join('\n'))
    this.findings = findings
  }
}

/** Reads and checks a treasury.json, with every default filled in. Throws ConfigError. */
export function loadTreasury(file: string = DEFAULT_TREASURY_FILE): Treasury {
  return parseTreasury(readText(file), basename(file))
}

/** Checks the text of a treasury.json; `root` is what findings call it. Throws ConfigError. */
export function parseTreasury(text: string, root: string = DEFAULT_TREASURY_FILE): Treasury {
  const input = parseJson(text, root)
  const parsed = checkInput(treasury, input, root)
  if ('findings' in parsed) throw new ConfigError(parsed.findings)
  const faults = [findLiveFaults, findPolicyFaults, findNoticeFaults, findEncryptionFaults].flatMap((find) =>
    find(parsed.data),
  )
  if (faults.length > 0) throw new ConfigError(faults.map(({ path, message }) => describeFault(path, message, root)))
  return withOwnSecret(parsed.data, input)
}

/** Two environments must not come to share a key because neither names its secret. */
function withOwnSecret(parsed: Treasury, input: unknown): Treasury {
  const { environment, service } = parsed
  const { service: written } = z.object({ service: z.object({ keySecret: z.optional(z.unknown()) }) }).parse(input)
  if (environment === undefined || written.keySecret !== undefined) return parsed
  return { ...parsed, service: { ...service, keySecret: deployedName(service.keySecret, environment) } }
}

/** SHA-256 of a configuration in its canonical form: the same however its file is written. */
export function hashConfiguration(treasury: Treasury): string {
  return hashParams(treasury)
}

/** The copy beside the bundle. As a variable of the functions it could be too long; in a table it could change under a run. */
export const TREASURY_FILE = 'treasury.json'

/** Writes treasury.json as it was parsed, every default filled in, into `folder`. It names secrets and holds none. */
export function writeTreasuryFile(folder: string, treasury: Treasury): void {
  writeFileSync(join(folder, TREASURY_FILE), `${JSON.stringify(treasury)}\n`)
}

function parseJson(text: string, root: string): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    if (error instanceof JsonTextError) throw new ConfigError([`${root}: ${error.message}`])
    throw error
  }
}

function readText(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new ConfigError([`${file}: ${missing ? 'no such file' : 'cannot be opened'}; name one with --config FILE`])
  }
  try {
    const facts = fstatSync(descriptor)
    if (!facts.isFile()) throw new ConfigError([`${file}: expected a file; name one with --config FILE`])
    if (facts.size > MOST_BYTES) {
      throw new ConfigError([`${file}: expected at most ${MOST_BYTES} bytes; got ${facts.size}`])
    }
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

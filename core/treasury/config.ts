// Reads and checks treasury.json, with one parser for the CDK app, the command line and the embedded run. Also writes
// the copy beside the deployed bundle, from which functions read guards and policies. Also says which policies a
// machine runs, and to which ports functions send. It reads no environment variable and no secret. Its errors never
// quote a text that may be secret.

import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { deployedName } from '../contract/deployed-names.ts'
import { AUTHORITIES_FILE } from '../contract/network-variables.ts'
import type { StateMachine } from '../contract/states.ts'
import { type Treasury, treasury } from '../contract/treasury.ts'
import { hashParams } from '../params-hash.ts'
import { machineOf } from '../policies/kinds.ts'
import { findAccountFaults, findEncryptionFaults, findNetworkFaults, findNoticeFaults } from './account-rules.ts'
import { decodeText, EncodingError } from './decode-text.ts'
import { checkInput, describeFault } from './describe-issues.ts'
import { JsonTextError, parseJsonText } from './json-text.ts'
import { findLiveFaults } from './live-rules.ts'
import { findPartitionFaults } from './partition.ts'
import { findPolicyFaults } from './policy-rules.ts'

/** Where people keep their treasury.json, if they name no other file. */
export const DEFAULT_TREASURY_FILE = 'treasury.json'

/** Maximum size. People write this file by hand, so a larger file is a mistake. */
const MOST_BYTES = 1024 * 1024

/** Reports that treasury.json cannot be used. `findings` has one line for each fault, and `message` has all lines. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly findings: readonly string[]

  constructor(findings: readonly string[]) {
    super(findings.join('\n'))
    this.findings = findings
  }
}

/** Reads and checks a treasury.json, and fills in every default. `remedy`: how to name another file. @throws ConfigError */
export function loadTreasury(file: string = DEFAULT_TREASURY_FILE, remedy = 'name one with --config FILE'): Treasury {
  return parseTreasury(readText(file, remedy), basename(file))
}

/** Checks the text of a treasury.json. `root`: the file's name in findings. @throws ConfigError */
export function parseTreasury(text: string, root: string = DEFAULT_TREASURY_FILE): Treasury {
  const input = parseJson(text, root)
  const parsed = checkInput(treasury, input, root)
  if ('findings' in parsed) throw new ConfigError(parsed.findings)
  const rules = [findLiveFaults, findPolicyFaults, findNoticeFaults, findEncryptionFaults]
  const ofPlace = [findNetworkFaults, findAccountFaults, findPartitionFaults]
  const faults = [...rules, ...ofPlace].flatMap((find) => find(parsed.data))
  if (faults.length > 0) throw new ConfigError(faults.map(({ path, message }) => describeFault(path, message, root)))
  return withOwnSecret(parsed.data, input)
}

/** Gives each environment its own default secret, so that two environments do not share a key by accident. */
function withOwnSecret(parsed: Treasury, input: unknown): Treasury {
  const { environment, service } = parsed
  const { service: written } = z.object({ service: z.object({ keySecret: z.optional(z.unknown()) }) }).parse(input)
  if (environment === undefined || written.keySecret !== undefined) return parsed
  return { ...parsed, service: { ...service, keySecret: deployedName(service.keySecret, environment) } }
}

/** SHA-256 of a configuration in canonical form. It does not depend on how the file is written. */
export function hashConfiguration(treasury: Treasury): string {
  return hashParams(treasury)
}

/**
 * Name of the copy beside the deployed bundle. Functions read this file, because an environment variable could be too
 * small, and a table could change during a run.
 */
export const BUNDLED_TREASURY_FILE = 'treasury.json'

/**
 * Writes the copy into `folder`, with every default filled in, and the certificates that functions trust. The copy names
 * secrets, and holds none of them.
 */
export function writeTreasuryFile(folder: string, treasury: Treasury): void {
  writeFileSync(join(folder, BUNDLED_TREASURY_FILE), `${JSON.stringify(treasury)}\n`)
  const certificates = treasury.aws?.certificateAuthorities
  if (certificates === undefined) return
  writeFileSync(join(folder, AUTHORITIES_FILE), certificates.map((pem) => `${pem.trim()}\n`).join(''))
}

function parseJson(text: string, root: string): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    if (error instanceof JsonTextError) throw new ConfigError([`${root}: ${error.message}`])
    throw error
  }
}

function readText(file: string, remedy: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new ConfigError([`${file}: ${missing ? 'no such file' : 'cannot be opened'}; ${remedy}`])
  }
  try {
    const facts = fstatSync(descriptor)
    if (!facts.isFile()) throw new ConfigError([`${file}: expected a file; ${remedy}`])
    if (facts.size > MOST_BYTES) {
      throw new ConfigError([`${file}: expected at most ${MOST_BYTES} bytes; got ${facts.size}`])
    }
    return decoded(readFileSync(descriptor), file)
  } finally {
    closeSync(descriptor)
  }
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return decodeText(bytes)
  } catch (error) {
    if (error instanceof EncodingError) throw new ConfigError([`${file}: ${error.message}`])
    throw error
  }
}

/** Names of the policies, in the order of the file. */
export function policiesOf({ policies }: Treasury, machine: StateMachine): readonly string[] {
  return Object.entries(policies).flatMap(([name, policy]) => (machineOf(policy) === machine ? [name] : []))
}

const HTTPS = 443
/** Default ports of an address. */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': HTTPS }

/** Ports of AWS, of the service and of the proxy. */
export function portsOf({ aws, service }: Treasury): readonly number[] {
  return [HTTPS, portOf(service.url), ...(aws?.proxy === undefined ? [] : [portOf(aws.proxy.url)])]
}

function portOf(address: string): number {
  const { port, protocol } = new URL(address)
  return port === '' ? (PORTS[protocol] ?? 0) : Number(port)
}

// Makes the proofs of a tour, and forges them in several ways. The command and the script for third parties check each
// proof; they share no code.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { chained } from '../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { openPack, type Part, type ProofSigner, publicJwkOf, sealPack } from '../../../operations/proof/pack-file.ts'
import { evidenceIn } from '../../../operations/proof/proof-parts.ts'
import { statementOf } from '../../../operations/proof/statement.ts'
import { sluice } from './command-line.ts'

export const SCRIPT = path.resolve(import.meta.dirname, '../../../docs/verify-proof.mjs')

export interface TouredProofs {
  readonly dir: string
  readonly files: readonly string[]
  /** The file of the run whose name begins with this text. */
  proofOf(name: string): string
  /** Writes a proof into a separate file. */
  written(bytes: Uint8Array | string): string
  remove(): void
}

/** Runs a tour, which takes about ten seconds on an idle machine. */
export async function touredProofs(): Promise<TouredProofs> {
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-proofs-'))
  const { exitCode, stdout, stderr } = await sluice(['start', '--state', dir, '--json'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const files: readonly string[] = JSON.parse(stdout).proofs
  return {
    dir,
    files,
    proofOf(name) {
      const file = files.find((each) => path.basename(each).startsWith(name))
      if (file === undefined) throw new TypeError(`the tour has no proof of ${name}`)
      return file
    },
    written(bytes) {
      const file = path.join(dir, 'altered.proof')
      writeFileSync(file, bytes)
      return file
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export function byScript(file: string, ...more: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, file, ...more], { encoding: 'utf8' })
  return { exitCode: status, stdout, stderr }
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
export const stranger: ProofSigner = {
  alg: 'EdDSA',
  jwk: publicJwkOf(publicKey.export({ format: 'jwk' }), 'EdDSA'),
  signBytes: async (bytes) => sign(null, bytes, privateKey),
}

// biome-ignore lint/suspicious/noExplicitAny: parts of JSON, changed freely.
export type Loose = any
export type Change = (parts: Map<string, Loose>) => void

/** A forgery by the holder of a key: changed parts, perhaps with the statement that follows from them. */
export async function forged(file: string, change: Change, isConsistent = true) {
  const parts: Map<string, Loose> = new Map(structuredClone([...(await openPack(readFileSync(file))).parts]))
  change(parts)
  if (isConsistent) parts.set('statement', { part: 'statement', statement: statementOf(evidenceIn(parts)) })
  return sealPack([...parts.values()] as Part[], stranger)
}

export function find(parts: Map<string, Loose>, prefix: string): Loose {
  const [, part] = [...parts].find(([name]) => name.startsWith(prefix)) ?? []
  if (part === undefined) throw new TypeError(`the proof has no ${prefix}`)
  return part
}

/** A forgery with a chain of its own, by somebody who can write the journal. */
export function rewrite(parts: Map<string, Loose>, prefix: string, change: (record: Loose) => void): void {
  const part = find(parts, prefix)
  change(part.record)
  const { before } = part.record
  part.record = chained(part.record as StoredRecord, before)
}

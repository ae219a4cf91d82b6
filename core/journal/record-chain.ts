// Chains the versions of a record. Each version has a hash of itself and of the version that it replaces. An edited
// record, a missing field or a skipped version shows at the next read. It protects against accidents, not against a
// writer who computes a valid chain. The store adds the chain on writing, and checks and removes it on reading. Pure.
import { createHash } from 'node:crypto'
import { BEFORE_KEY, CHAIN_KEY } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import type { StoredRecord } from './record-store.ts'

/** The version, a dot, and the hash. */
const SHAPE = /^([1-9]\d{0,15})\.[A-Za-z0-9_-]{43}$/

/** `before`: chain of the replaced version. Undefined for a first version. */
export function chained(record: StoredRecord, before: string | undefined): StoredRecord {
  const bare = withoutChain(record)
  return { ...bare, ...(before !== undefined && { [BEFORE_KEY]: before }), [CHAIN_KEY]: chainOf(bare, before) }
}

export function withoutChain({ [CHAIN_KEY]: _chain, [BEFORE_KEY]: _before, ...record }: StoredRecord): StoredRecord {
  // The removed fields are not the record's own.
  return record as StoredRecord
}

export function chainIn({ [CHAIN_KEY]: chain }: StoredRecord): string | undefined {
  return typeof chain === 'string' ? chain : undefined
}

function chainOf(bare: StoredRecord, before: string | undefined): string {
  const text = `${before ?? ''}\n${canonicalText(bare)}`
  return `${bare.version}.${createHash('sha256').update(text).digest('base64url')}`
}

/** JSON without undefined fields, with the keys of each object in order. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((entry) => canonicalText(entry ?? null)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalText(entry)}`).join(',')}}`
}

type ChainJudgement = { readonly is: 'whole' } | { readonly is: 'broken'; readonly because: string }

/** @param record as it is stored */
export function judgeChain(record: StoredRecord): ChainJudgement {
  const { [CHAIN_KEY]: chain, [BEFORE_KEY]: before, version } = record
  if (chain === undefined) return broken('its chain is missing')
  const [, chainVersion] = typeof chain === 'string' ? (SHAPE.exec(chain) ?? []) : []
  if (chainVersion === undefined) return broken('its chain has no valid form')
  if (Number(chainVersion) !== version)
    return broken(`it is at version ${version}, and its chain is of version ${chainVersion}`)
  const [, replacedVersion] = typeof before === 'string' ? (SHAPE.exec(before) ?? []) : []
  if (before !== undefined && Number(replacedVersion) !== version - 1) {
    return broken(`it is at version ${version}, and was written over version ${replacedVersion ?? '(unreadable)'}`)
  }
  const isOwn = chain === chainOf(withoutChain(record), before === undefined ? undefined : String(before))
  return isOwn ? { is: 'whole' } : broken('it is not as it was written: a field was changed, added or taken out')
}

/**
 * @param record as it is stored.
 * @returns the record without its chain.
 * @throws Defect for an edited record, with its name and the reason
 */
export function wholeRecord(record: StoredRecord): StoredRecord {
  const judged = judgeChain(record)
  if (judged.is === 'broken') throw new Defect(`the record ${record.pk} is broken: ${judged.because}`)
  return withoutChain(record)
}

function broken(because: string): ChainJudgement {
  return { is: 'broken', because }
}

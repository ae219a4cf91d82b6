// Randomness from a seed: bytes, text and noise that are the same for the same seed and label.
// Nothing here is secret or hard to guess: anyone with the seed can compute the sandbox's keys.
import { hash } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `length` bytes: SHA-256 in counter mode over seed and label. */
export function seededBytes(seed: string, label: string, length: number): Buffer {
  const blocks: Buffer[] = []
  for (let block = 0; block * 32 < length; block += 1) {
    blocks.push(hash('sha256', JSON.stringify([seed, label, block]), 'buffer'))
  }
  return Buffer.concat(blocks).subarray(0, length)
}

/** Returns `length` characters of 0-9A-Za-z, without bias. */
export function seededText(seed: string, label: string, length: number): string {
  let text = ''
  // A byte is discarded with a chance of 8 in 256, so four times the bytes suffice in practice.
  for (const byte of seededBytes(seed, label, length * 4)) {
    if (byte < 248) text += BASE62[byte % 62]
    if (text.length === length) return text
  }
  throw new Error('ran out of seeded bytes')
}

/** Returns a UUID in the shape of version 4. */
export function seededUuid(seed: string, label: string): string {
  const hex = hash('sha256', JSON.stringify([seed, label]), 'hex')
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns a 32-bit number for a seed and label, the start of a noise. */
export function seededNumber(seed: string, label: string): number {
  return seededBytes(seed, label, 4).readUInt32BE(0)
}

/**
 * Returns smooth noise: parts per million between -1,000,000 and 1,000,000 at `atMs`, on a straight line between the
 * seed's values at the multiples of `periodMs`.
 */
export function noisePpm(start: number, atMs: number, periodMs: number): number {
  const bucket = Math.floor(atMs / periodMs)
  const from = bucketPpm(start, bucket)
  const to = bucketPpm(start, bucket + 1)
  return Math.trunc(from + ((to - from) * (atMs - bucket * periodMs)) / periodMs)
}

function bucketPpm(start: number, bucket: number): number {
  return (mixed(start, bucket) % 2_000_001) - 1_000_000
}

/**
 * Returns a 32-bit number for a start and a count, by the finaliser of MurmurHash3, which makes neighbours unrelated.
 */
export function mixed(start: number, count: number): number {
  let bits = (start ^ Math.imul(count, 0x9e3779b1)) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

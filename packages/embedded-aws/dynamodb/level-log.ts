// Checks that a LevelDB log is whole. LevelDB silently drops a record with a wrong checksum. The journal's record of a
// send would be lost, and money could move twice. A last record that a crash cut off is accepted, because its write did
// not finish, and no caller relied on it. This file only reads. A log has blocks of 32 KiB. Each record in a block has a
// masked CRC-32C, a length, a type (whole, or first, middle or last part) and the data.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const BLOCK = 32_768
const HEADER = 7
/** A disk writes at least this many bytes as a whole. */
const SECTOR = 512
const Part = { Full: 1, First: 2, Middle: 3, Last: 4 } as const

/**
 * Runs before the database is opened, because opening rewrites the logs. Throws an error with the file and the offset.
 */
export function assertLogsWhole(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.log'))) {
    const file = path.join(directory, name)
    const damagedAt = findDamage(readFileSync(file))
    if (damagedAt !== undefined) throw new Error(`${file} is damaged at byte ${damagedAt}`)
  }
}

/** Returns the offset of the first damaged record. A record that was only cut off is not damaged. */
export function findDamage(log: Buffer): number | undefined {
  let at = 0
  let isInside = false
  while (at < log.length) {
    const left = BLOCK - (at % BLOCK)
    if (left < HEADER) {
      // Too little space for a header: zeros up to the next block.
      if (!isZero(log, at, at + left)) return at
      at += left
      continue
    }
    const end = endOf(log, at)
    if (end === undefined || end > at + left || computedChecksumAt(log, at, end) !== storedChecksumAt(log, at)) {
      return isCutOff(log, at) ? undefined : at
    }
    const part = log[at + 6]
    const continues = part === Part.Middle || part === Part.Last
    if (continues !== isInside) return at
    isInside = part === Part.First || part === Part.Middle
    at = end
  }
  return undefined
}

/** Returns the end of the record that begins here; undefined when the log ends earlier. */
function endOf(log: Buffer, at: number): number | undefined {
  if (at + HEADER > log.length) return undefined
  const end = at + HEADER + log.readUInt16LE(at + 4)
  return end > log.length ? undefined : end
}

/** Whether an incomplete record was cut off: its write did not finish, and nothing was written after it. */
function isCutOff(log: Buffer, at: number): boolean {
  if (isZero(log, at, log.length)) return true
  const end = endOf(log, at)
  if (end !== undefined) return isZero(log, end, log.length) && hasLostSector(log, at, end)
  if (at + HEADER > log.length) return true
  // No record extends beyond its block.
  if (HEADER + log.readUInt16LE(at + 4) > BLOCK - (at % BLOCK)) return false
  // The length points beyond the log's end. Either the write was cut off, or the length itself is damaged. It is damaged
  // if a whole record follows, or if the checksum fits the data up to the log's end.
  for (let to = at + HEADER; to < log.length; to += 1) if (isWhole(log, to)) return false
  return computedChecksumAt(log, at, log.length) !== storedChecksumAt(log, at)
}

function isWhole(log: Buffer, at: number): boolean {
  const end = endOf(log, at)
  const part = log[at + 6] ?? 0
  return (
    end !== undefined &&
    part >= Part.Full &&
    part <= Part.Last &&
    computedChecksumAt(log, at, end) === storedChecksumAt(log, at)
  )
}

/**
 * Whether the record is all zeros within one sector of the disk: the file had grown, but the data never arrived. The
 * data of a record is JSON text, which has no zero bytes.
 */
function hasLostSector(log: Buffer, at: number, end: number): boolean {
  for (let from = at; from < end; from += SECTOR - (from % SECTOR)) {
    if (isZero(log, from, Math.min(end, from + SECTOR - (from % SECTOR)))) return true
  }
  return false
}

function isZero(log: Buffer, from: number, to: number): boolean {
  return log.subarray(from, to).every((byte) => byte === 0)
}

function storedChecksumAt(log: Buffer, at: number): number {
  return log.readUInt32LE(at)
}

/** Computes the checksum in its stored form: over type and data, masked. */
function computedChecksumAt(log: Buffer, at: number, end: number): number {
  let crc = 0xffffffff
  for (let index = at + 6; index < end; index += 1) {
    crc = ((CRC_32C[(crc ^ (log[index] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8)) >>> 0
  }
  crc = ~crc >>> 0
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

const CRC_32C = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

// Orders a disk under a program to fail: losing-disk.c reads the orders from a file that both have open, so a test may
// change them while the program runs.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The disk needs Linux and a C compiler. */
export const isSystemAbsent = process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0

/** Which calls fail, counted from the moment of the order. */
export interface Order {
  /** Part of the path of a file. Calls for other files are not counted. */
  readonly named: string
  /** Number of the first call that fails, from 1. */
  readonly from: number
  /** How many calls fail. */
  readonly times: number
  /** The system's number of an error; 0 for `kill -9`. */
  readonly code: number
}

/** Five numbers of 8 bytes and a text that ends with a zero, as in losing-disk.c. */
const NUMBERS = 5
const BYTES = NUMBERS * 8 + 88
const [CALLS, HITS] = [3, 4]

export class FailingDisk {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
    // A file that is open as memory must keep its length.
    writeFileSync(file, '', { flag: 'a' })
    this.heal()
  }

  order({ code, from, named, times }: Order): void {
    const bytes = Buffer.alloc(BYTES)
    for (const [at, number] of [from, times, code].entries()) bytes.writeBigInt64LE(BigInt(number), at * 8)
    bytes.write(named, NUMBERS * 8)
    writeFileSync(this.#file, bytes, { flag: 'r+' })
  }

  heal(): void {
    writeFileSync(this.#file, Buffer.alloc(BYTES), { flag: 'r+' })
  }

  /** Calls that an order could have failed, and those that it did fail. */
  met(): { readonly calls: number; readonly hits: number } {
    const bytes = readFileSync(this.#file)
    return { calls: Number(bytes.readBigInt64LE(CALLS * 8)), hits: Number(bytes.readBigInt64LE(HITS * 8)) }
  }
}

/** Compiles the disk into the folder, and returns its library. */
export function compileDisk(directory: string): string {
  const library = path.join(directory, 'losing-disk.so')
  const source = path.join(import.meta.dirname, 'losing-disk.c')
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'])
  if (compiled.status !== 0) throw new Error(`the losing disk could not be compiled: ${compiled.stderr}`)
  return library
}

// The file that a world survives in: one line for its origin, then one line a fact, written through
// to the kernel before the request that caused it is answered, so that kill -9 loses nothing.
// Not a database: no fsync (a power cut may lose the end), no compaction.
import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'

const FORMAT = 'sluice-sandbox-1'

export interface Origin {
  readonly seed: string
  readonly openedAtMs: number
}

export interface Stored {
  readonly log: StateLog
  readonly origin: Origin
  /** What was appended after the origin. */
  readonly lines: readonly string[]
}

export class StateLog {
  readonly #file: number
  #failed = false

  private constructor(file: number) {
    this.#file = file
  }

  /** Starts or continues a file. Throws on one that is not ours. */
  static open(path: string, fresh: Origin): Stored {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined && !found.isFile()) throw new Error(`${path} is not a file`)
    const text = found === undefined ? '' : readFileSync(path, 'utf8')
    // A process killed in the middle of a write leaves a torn last line: that request was never answered.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const [first, ...lines] = whole.split('\n').slice(0, -1)
    const origin = first === undefined ? fresh : readOrigin(first, path)
    const log = new StateLog(openSync(path, 'a+', 0o600))
    ftruncateSync(log.#file, Buffer.byteLength(whole))
    if (first === undefined) log.append(JSON.stringify({ format: FORMAT, ...fresh }))
    return { log, origin, lines }
  }

  append(line: string): void {
    // A failed write may have left half a line: nothing may follow it.
    if (this.#failed) throw new Error('the state file could not be written')
    try {
      writeSync(this.#file, `${line}\n`)
    } catch (error) {
      this.#failed = true
      throw error
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

function readOrigin(line: string, path: string): Origin {
  const parsed: unknown = parseOrUndefined(line)
  if (typeof parsed === 'object' && parsed !== null && 'format' in parsed && parsed.format === FORMAT) {
    return parsed as Origin & { format: string }
  }
  throw new Error(`${path} is not a state file of this sandbox`)
}

function parseOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

// The file that a world survives in: one line for its origin, then one line a fact, written through
// to the kernel before the request that caused it is answered, so that kill -9 loses nothing.
// Not a database: no fsync (a power cut may lose the end), no compaction.
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

const FORMAT = 'sluice-sandbox-1'

export interface Origin {
  readonly seed: string
  readonly openedAtMs: number
}

export class StateLog {
  readonly #file: number
  #failed = false

  private constructor(file: number) {
    this.#file = file
  }

  /** Starts or continues a file; `replay` gets each line after the origin's. Throws on a file that is not ours. */
  static open(path: string, fresh: Origin, replay: (origin: Origin) => (line: string) => void): StateLog {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const lastNewline = text.lastIndexOf('\n')
    // A process killed in the middle of a write leaves a torn last line: that request was never answered.
    const whole = text.slice(0, lastNewline + 1)
    const log = new StateLog(openSync(path, 'a+', 0o600))
    ftruncateSync(log.#file, Buffer.byteLength(whole))
    if (whole === '') {
      log.append(JSON.stringify({ format: FORMAT, ...fresh }))
      replay(fresh)
      return log
    }
    const [first = '', ...lines] = whole.slice(0, -1).split('\n')
    const apply = replay(readOrigin(first, path))
    for (const line of lines) apply(line)
    return log
  }

  append(line: string): void {
    // After a failed write memory is ahead of the file: go no further.
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

// Streams the table of movements as CSV. Each download holds one part of the table, at the speed of the browser.
import type { Reader } from '../operations/connection/journal/reader.ts'
import { exportMovements } from '../operations/movements/export/export-movements.ts'
import type { MovementFilter } from '../operations/movements/export/filter.ts'
import { MOVEMENT_TEXTS } from '../views/movements/movement-texts.ts'

/** Characters that are sent together. */
const CHUNK = 32_768
/** Milliseconds that a browser may leave a chunk. Meanwhile the download holds the journal. */
const MOST_STALLED_MS = 60_000

/**
 * Resolves once the first chunk is there, or the whole table. If the journal or the service stops answering later, the
 * stream breaks off, so that the browser does not take the part for the whole. `signal` ends it too.
 * @throws OperationError where the first chunk cannot be read
 */
export async function openTable(
  reader: Reader,
  filter: MovementFilter,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { readable, writable } = new TextEncoderStream()
  const writer = writable.getWriter()
  const begun = Promise.withResolvers<void>()
  /** Fails where the stream has ended already, and then nobody waits for it. */
  const end = (why: unknown) => void writer.abort(why).catch(() => undefined)
  const onSignal = () => end(signal.reason)
  signal.addEventListener('abort', onSignal)
  /** Throws where the browser has gone. */
  const send = async (text: string) => {
    begun.resolve()
    const timer = setTimeout(() => end(new Error('the browser does not read on')), MOST_STALLED_MS)
    await writer.write(text).finally(() => clearTimeout(timer))
  }
  exportMovements(reader, filter, async (rows) => {
    let text = MOVEMENT_TEXTS.csv.title
    for await (const row of rows) {
      text += MOVEMENT_TEXTS.csv.line(row)
      if (text.length < CHUNK) continue
      await send(text)
      text = ''
    }
    await send(text)
    await writer.close()
  })
    .catch((error: unknown) => {
      begun.reject(error)
      end(error)
    })
    .finally(() => signal.removeEventListener('abort', onSignal))
  await begun.promise
  return readable
}

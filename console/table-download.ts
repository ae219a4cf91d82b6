// Streams tables as files: that of movements, the log of people, and the lists of the service. Each download holds one
// part of its table, at the speed of the browser.

import { exportMovements } from '../operations/movements/export/export-movements.ts'
import type { MovementFilter } from '../operations/movements/export/filter.ts'
import { exportService, type ShownQuery } from '../operations/overview/service.ts'
import type { ActFilter } from '../operations/people/filter.ts'
import { exportPeopleLog } from '../operations/people/people-log.ts'
import type { Reader } from '../place/reader.ts'
import { MOVEMENT_TEXTS } from '../views/movements/movement-texts.ts'
import { ACT_TEXTS, rowOfBroken } from '../views/people-texts.ts'
import { csvRow, csvTitles } from '../views/text/csv.ts'

/** Characters that are sent together. */
const CHUNK = 32_768
/** Milliseconds that a browser may leave a chunk. Meanwhile the download holds the journal. */
const MOST_STALLED_MS = 60_000

type Download = ReadableStream<Uint8Array>
/** Writes one text. Throws where the browser has gone. */
type Write = (text: string) => Promise<void>
/** Begins the table, or begins it again when its reading is repeated. Throws once a part has left for the browser. */
type Begin = () => Write

/** @throws OperationError where the first chunk cannot be read */
export function openTable(reader: Reader, filter: MovementFilter, signal: AbortSignal): Promise<Download> {
  return openDownload(async (begin) => {
    await exportMovements(reader, filter, async (rows) => {
      const write = begin()
      await write(MOVEMENT_TEXTS.csv.title)
      for await (const row of rows) await write(MOVEMENT_TEXTS.csv.line(row))
    })
  }, signal)
}

/** The log of people, with a row for each broken record. @throws OperationError where the first chunk cannot be read */
export function openPeopleLog(
  reader: Reader,
  filter: ActFilter,
  form: keyof typeof ACT_TEXTS,
  signal: AbortSignal,
): Promise<Download> {
  const { title, line } = ACT_TEXTS[form]
  return openDownload(async (begin) => {
    let write = begin()
    const { broken } = await exportPeopleLog(reader, filter, async (rows) => {
      write = begin()
      await write(title)
      for await (const row of rows) await write(line(row))
    })
    for (const each of broken) await write(line(rowOfBroken(each)))
  }, signal)
}

/** @throws OperationError where the first chunk cannot be read */
export function openServiceList(reader: Reader, query: ShownQuery, signal: AbortSignal): Promise<Download> {
  return openDownload(async (begin) => {
    await exportService(reader, query, async (columns, records) => {
      const write = begin()
      await write(`${csvTitles(columns)}\r\n`)
      for await (const record of records) await write(`${csvRow(columns, record)}\r\n`)
    })
  }, signal)
}

/**
 * Resolves once the first chunk is there, or everything. If the journal or the service stops answering later, the stream
 * breaks off, so that the browser does not take the part for the whole. `signal` ends it too.
 */
async function openDownload(work: (begin: Begin) => Promise<void>, signal: AbortSignal): Promise<Download> {
  const { readable, writable } = new TextEncoderStream()
  const writer = writable.getWriter()
  const begun = Promise.withResolvers<void>()
  // An abort of a stream that has ended is refused, which harms nothing.
  const end = (why: unknown) => void writer.abort(why).catch(() => undefined)
  const onSignal = () => end(signal.reason)
  signal.addEventListener('abort', onSignal)
  let chunk = ''
  let hasLeft = false
  const send = async () => {
    hasLeft = true
    begun.resolve()
    const timer = setTimeout(() => end(new Error('the browser does not read on')), MOST_STALLED_MS)
    await writer.write(chunk).finally(() => clearTimeout(timer))
    chunk = ''
  }
  const write = async (text: string) => {
    chunk += text
    if (chunk.length >= CHUNK) await send()
  }
  const begin = () => {
    if (hasLeft) throw new Error('the process that served the journal ended during the download')
    chunk = ''
    return write
  }
  work(begin)
    .then(async () => {
      await send()
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

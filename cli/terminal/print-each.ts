// Prints a long list while it is read, at the speed of whoever reads standard output.
import type { TextStream } from '../../views/text/text-stream.ts'

/** Waits for the reader, so that a million records do not fill the memory. `print` returns false while the stream is full. */
export async function printEach<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  print: (row: Row) => boolean,
  most: number,
  stdout: TextStream,
): Promise<void> {
  let count = 0
  for await (const row of rows) {
    const isFull = !print(row)
    count += 1
    if (count === most) return
    if (isFull) await moved(stdout)
    // A reader such as `head` has closed the pipe and needs no more.
    if (!stdout.writable) return
  }
}

/** Resolves when the stream can be written again, or is closed. */
async function moved(stdout: TextStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const signs = ['drain', 'close', 'error']
  for (const sign of signs) stdout.once(sign, resolve)
  await promise
  for (const sign of signs) stdout.off(sign, resolve)
}

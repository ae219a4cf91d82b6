// Writes the rows of an export as CSV or as one JSON object a line, to standard output or to a file that is replaced
// whole. Prints a long list while it is read, at the speed of whoever reads standard output. A command names its
// columns and its summary only.
import path from 'node:path'
import { appending, writeWhole } from '../../operations/files/whole-file.ts'
import { failedWith, type OperationError, unfit } from '../../place/operation-error.ts'
import type { RowTexts } from '../../views/text/csv.ts'
import type { TextStream } from '../../views/text/width.ts'
import type { CommandContext } from './context.ts'

export interface ExportFlags {
  readonly format?: string
  readonly out?: string
}

type TextForm = 'csv' | 'jsonl'
/** Takes rows until the last, or until it needs no more. */
export type TakeRows<Row> = (rows: AsyncIterable<Row>) => Promise<void>
export type Texts<Row> = Readonly<Record<TextForm, RowTexts<Row>>>

/** The form of --format. @throws OperationError (exit 2) */
export function readForm<Form extends string>(text: string | undefined, forms: readonly [Form, ...Form[]]): Form {
  if (text === undefined) return forms[0]
  const form = forms.find((each) => each === text)
  if (form !== undefined) return form
  const expected = `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`
  throw unfit('format', `expected ${expected}; got something else`)
}

/** The file of --out. @throws OperationError (exit 2) where the rows have no place to go */
export function readPlace(out: string | undefined, { output }: Pick<CommandContext, 'output'>): string | undefined {
  if (out === '') throw unfit('out', 'expected a file; got an empty text', 'give --out a file')
  if (out !== undefined) return path.resolve(out)
  if (!output.json) return undefined
  throw unfit(
    'json',
    'expected --out beside it, as it prints a summary in place of the rows; got none',
    'add --out FILE, or take --format jsonl without --json',
  )
}

/** Exports CSV or JSON Lines: `exportTo` reads the rows and hands them to what it is given. */
export function exportTexts<Row, Result>(
  { title, line }: RowTexts<Row>,
  file: string | undefined,
  { stdout }: Pick<CommandContext, 'stdout'>,
  exportTo: (take: TakeRows<Row>) => Promise<Result>,
): Promise<Result> {
  if (file !== undefined) return writeWhole(file, (part) => exportTo((rows) => fill(part, rows)))
  let isPrinted = false
  const print = (text: string): boolean => {
    const whole = isPrinted ? text : title + text
    isPrinted = true
    return stdout.write(whole)
  }
  return exportTo(async (rows) => {
    if (isPrinted) throw brokenOff()
    await printEach(rows, (row) => print(line(row)), Number.POSITIVE_INFINITY, stdout)
    if (!isPrinted && title !== '') print('')
  })

  function fill(part: string, rows: AsyncIterable<Row>): Promise<void> {
    return appending(part, async (append) => {
      append(title)
      for await (const row of rows) append(line(row))
    })
  }
}

/** The rows are read again where the process that served them has ended. What is printed cannot be taken back. */
function brokenOff(): OperationError {
  return failedWith(
    'interrupted',
    'the process that served the journal ended while rows were printed: what was printed is a part of them',
    'run the command again, or write to a file with --out, which is replaced whole',
  )
}

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

// `sluice books`: writes double-entry journal entries to standard output or a file. It changes no record.
import path from 'node:path'
import type { AccountBooks } from '../../operations/books/entries/book-entry.ts'
import { type BooksRequest, booksExitCode, readBooks } from '../../operations/books/entries/make-books.ts'
import { appending, writeWhole } from '../../operations/files/whole-file.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { beancountLines } from '../../views/books/beancount.ts'
import { hledgerLines } from '../../views/books/hledger.ts'
import { postingLines } from '../../views/books/posting-csv.ts'
import { counted } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { noteFirst } from '../terminal/listing.ts'
import { printEach } from '../terminal/row-export.ts'

interface BooksFlags extends ConnectionFlags, BooksRequest {
  readonly format?: string
  readonly out?: string
}

interface Form {
  readonly lines: (books: AccountBooks) => Iterable<string>
  readonly lineEnd: string
}
const FORMS: Readonly<Record<string, Form>> = {
  hledger: { lines: hledgerLines, lineEnd: '\n' },
  beancount: { lines: beancountLines, lineEnd: '\n' },
  csv: { lines: postingLines, lineEnd: '\r\n' },
}

/** @throws OperationError */
export async function writeBooks(flags: BooksFlags, context: CommandContext): Promise<ExitCode> {
  const { format, out, from, to, zone, continues, ...connectionFlags } = flags
  const { lines, lineEnd } = readForm(format)
  if (out === '') throw unfit('out', 'expected a file; got an empty text', 'give --out a file')
  if (context.output.json && out === undefined) {
    const problem = 'expected --out beside it, as it prints a summary in place of the books; got none'
    throw unfit('json', problem, 'add --out FILE')
  }
  const given = Object.entries({ from, to, zone, continues }).filter(([, value]) => value !== undefined)
  const books = await readBooks({ flags: connectionFlags, context }, Object.fromEntries(given))
  try {
    const file = out === undefined ? undefined : path.resolve(out)
    if (file === undefined) await print(lines(books), lineEnd, context)
    else {
      await writeWhole(file, (part) =>
        appending(part, async (append) => {
          for (const line of lines(books)) append(line + lineEnd)
        }),
      )
    }
    printSummary(books, file, context)
    if (!books.isProven) context.output.next([{ do: 'audit' }])
    return booksExitCode(books)
  } finally {
    books.close()
  }
}

function print(lines: Iterable<string>, lineEnd: string, { stdout }: CommandContext): Promise<void> {
  return printEach(lines, (line) => stdout.write(line + lineEnd), Number.POSITIVE_INFINITY, stdout)
}

function readForm(text = 'hledger'): Form {
  const form = Object.hasOwn(FORMS, text) ? FORMS[text] : undefined
  if (form !== undefined) return form
  throw unfit('format', 'expected hledger, beancount or csv; got something else')
}

function printSummary(books: AccountBooks, file: string | undefined, { output }: CommandContext): void {
  const { areBalancesProven, entriesTotal, faults, faultsTotal, isProven } = books
  if (output.json) {
    output.facts({ file, entries: entriesTotal, isProven, faultsTotal, faults })
    return
  }
  noteFirst(faults, faultsTotal, output, '--json --out FILE')
  const place = file === undefined ? '' : ` in ${file}`
  const proof = areBalancesProven ? 'every balance is proven' : 'NOT every balance is proven'
  const fit = areBalancesProven && !isProven ? ', and something does not fit' : ''
  output.note(`${counted(entriesTotal, 'transaction')}${place}, in settled units; ${proof}${fit}`)
}

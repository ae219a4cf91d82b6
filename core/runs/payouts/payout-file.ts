// Parses a payout file: CSV with a line of titles, as spreadsheets write it, or JSON Lines. It reports the wrong lines, of as
// many as a file may have, and knows neither the policy nor the service. Texts stay texts: a cell that a spreadsheet would run
// as a formula is data here.
import { CsvError, parse } from 'csv-parse/sync'
import { foldId, MOST_ROWS_OF_FILE, type PayoutRow, payoutRow } from '../../contract/payouts.ts'
import { checkInput } from '../../treasury/describe-issues.ts'
import { JsonTextError, parseJsonText } from '../../treasury/json-text.ts'
import { type FindPayee, needsId } from './find-payee.ts'
import { termsOfRow } from './row-terms.ts'

/** Far more than a file of so many rows needs. */
export const PAYOUT_FILE_BYTES = 1024 * 1024
/** Maximum characters of a line: the longest fields with their quotes, twice. */
const LONGEST_LINE = 2_048

export interface FiledRow extends PayoutRow {
  /** Its line in the file, from 1. */
  readonly line: number
}

/** The row as a run takes it. */
export function rowOf({ line: _line, ...row }: FiledRow): PayoutRow {
  return row
}

interface LineFinding {
  readonly line: number
  /** `expected …; got …`, with the field before it. */
  readonly says: string
}

export interface PayoutFile {
  readonly rows: readonly FiledRow[]
  /** Faults: with any of them nothing of the file is paid. */
  readonly findings: readonly LineFinding[]
  /** Rows that look as if they had been entered twice. People decide. */
  readonly alike: readonly LineFinding[]
}

const COLUMNS = {
  ...{ id: 'id', contactid: 'contactId', asset: 'asset', amount: 'amount' },
  ...{ reference: 'reference', contactreference: 'contactReference' },
} as const
type Column = (typeof COLUMNS)[keyof typeof COLUMNS]
const OPTIONAL: ReadonlySet<string> = new Set(['contactId', 'reference', 'contactReference'])

interface RawRow {
  readonly line: number
  readonly value: unknown
  /** Another number that its amount may have meant. The row is then no row. */
  readonly ambiguity?: string
}

interface Raw {
  readonly rows: readonly RawRow[]
  readonly findings: readonly LineFinding[]
  /** Lines that are not blank, without the titles. Absent: nothing is known of them. */
  readonly lines?: number
}

/** Lines that are read: one more than a file has. So a file of many wrong lines has few findings. */
const MOST_LINES = MOST_ROWS_OF_FILE + 1

/** `findPayee`: of a row that names its contact by a label alone. */
export function parsePayoutFile(bytes: Uint8Array, findPayee: FindPayee = needsId): PayoutFile {
  if (bytes.length > PAYOUT_FILE_BYTES)
    return faulty(1, `expected a file of at most ${PAYOUT_FILE_BYTES} bytes; got more`)
  const text = decode(bytes)
  const unreadable = text.indexOf(REPLACEMENT)
  if (unreadable >= 0) return faulty(text.slice(0, unreadable).split('\n').length, NO_TEXT)
  const [first = ''] = text.trimStart()
  if (first === '[') return faulty(1, NO_LINES)
  const raw = first === '{' ? readJsonLines(text) : readCsv(text)
  const findings = [...raw.findings]
  const rows: FiledRow[] = []
  for (const { line, value, ambiguity } of raw.rows) {
    const payee = payeeOf(value, findPayee)
    const checked = checkInput(payoutRow, payee.value, '')
    const wrong = [
      ...('says' in payee ? [payee.says] : []),
      ...('findings' in checked ? checked.findings.map((finding) => finding.replace(/^: /, '')) : []),
    ]
    if (ambiguity !== undefined) findings.push({ line, says: ambiguity })
    else if ('data' in checked && wrong.length === 0) rows.push({ line, ...checked.data })
    else for (const says of wrong) findings.push({ line, says })
  }
  if (raw.rows.length === 0 && findings.length === 0) return faulty(1, 'expected at least one row; got none')
  const { lines = 0 } = raw
  if (lines > MOST_ROWS_OF_FILE) {
    const last = Math.max(...[...raw.rows, ...raw.findings].map(({ line }) => line))
    findings.push({ line: last, says: `expected at most ${MOST_ROWS_OF_FILE} rows; got ${lines}: split the file` })
  }
  findings.push(
    ...repeatedBy(
      rows,
      ({ id }) => foldId(id),
      (first) => `id: expected each id once; line ${first} has it too`,
    ),
  )
  findings.sort((left, right) => left.line - right.line)
  const alike = repeatedBy(rows, termsOfRow, (first) => `pays what line ${first} pays, with the same reference`)
  return { rows, findings, alike }
}

/** The row with the id of its contact. An unknown contact gets a stand-in, so that the other faults of the row are found too. */
function payeeOf(value: unknown, findPayee: FindPayee): { readonly value: unknown; readonly says?: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value }
  const { contactId, contactReference } = value as Readonly<Record<string, unknown>>
  const label = payoutRow.shape.contactReference.safeParse(contactReference).data
  if (contactId !== undefined || label === undefined) return { value }
  const found = findPayee(label)
  if (typeof found === 'string') return { value: { ...value, contactId: found } }
  return { value: { ...value, contactId: label }, says: found.says }
}

function faulty(line: number, says: string): PayoutFile {
  return { rows: [], findings: [{ line, says }], alike: [] }
}

/** The place of bytes that are no text. The console's page sends it in the text of a file that it could not read. */
const REPLACEMENT = '\uFFFD'
const NO_TEXT =
  'expected text in UTF-8 or UTF-16; got other bytes, such as a letter of Windows-1252: save the file as "CSV UTF-8"'
const NO_LINES =
  'expected JSON Lines: one object a line, without brackets around them and commas between them; got a JSON list'

/** By the byte order mark; UTF-8 without one. A file may mix the three line ends: each is a line feed here. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes).replaceAll(/\r\n?/g, '\n')
}

function readJsonLines(text: string): Raw {
  const rows: RawRow[] = []
  const findings: LineFinding[] = []
  const all = text.split('\n').map((written, index) => ({ written, line: index + 1 }))
  const filled = all.filter(({ written }) => written.trim() !== '')
  for (const { written, line } of filled.slice(0, MOST_LINES)) {
    if (written.length > LONGEST_LINE) {
      findings.push({ line, says: `expected at most ${LONGEST_LINE} characters; got ${written.length}` })
      continue
    }
    try {
      rows.push({ line, value: parseJsonText(written) })
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error
      findings.push({ line, says: error.message })
    }
  }
  return { rows, findings, lines: filled.length }
}

/** The first line with which a file tells Excel its delimiter. */
const DELIMITER_LINE = /^\s*"?sep=([,;\t])"?[,;\t]*\n/i

function readCsv(whole: string): Raw {
  const told = DELIMITER_LINE.exec(whole)
  const text = whole.replace(DELIMITER_LINE, '\n')
  const titleLine = /[^\s].*/.exec(text)?.[0] ?? ''
  // Spreadsheets write semicolons where the comma is the decimal mark, and tabs as "Unicode Text".
  const delimiter = told?.[1] ?? ['\t', ','].find((mark) => titleLine.includes(mark)) ?? ';'
  try {
    const records = parse(text, {
      ...{ delimiter, record_delimiter: '\n', info: true, trim: true },
      ...{ relax_column_count: true, skip_empty_lines: true, max_record_size: LONGEST_LINE },
      cast: (cellText, { quoting }): Cell => ({ text: cellText, isQuoted: quoting }),
    }) as unknown as readonly CsvRecord[]
    const [titles, ...rest] = records
    if (titles === undefined) return { rows: [], findings: [] }
    const named = namesOf(titles.record.map((title) => title.text))
    if ('says' in named) return { rows: [], findings: [{ line: titles.info.lines, says: named.says }] }
    return rowsOf(rest, named.columns, delimiter)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = 'lines' in error && typeof error.lines === 'number' ? error.lines : 1
    return { rows: [], findings: [{ line, says: csvFault(error.code) }] }
  }
}

const MANDATORY = Object.values(COLUMNS).filter((column) => !OPTIONAL.has(column))

/** An untitled column, as spreadsheets write beside a list, has nothing in any row. */
type Columns = readonly (Column | '')[]

function namesOf(titles: readonly string[]): { readonly columns: Columns } | { readonly says: string } {
  const known: Readonly<Record<string, Column>> = COLUMNS
  const names = titles.map((title) => {
    const name = title.toLowerCase()
    return Object.hasOwn(known, name) ? known[name] : name === '' ? '' : undefined
  })
  const columns = names.filter((name) => name !== undefined && name !== '')
  const payee = columns.includes('contactReference') ? [] : (['contactId'] as const)
  const missing = [...MANDATORY, ...payee].filter((column) => !columns.includes(column))
  const wanted =
    'expected a line of the titles id, contactId, asset, amount and reference, with contactReference beside or in place of contactId'
  if (missing.length > 0) return { says: `${wanted}; it lacks ${missing.join(', ')}` }
  if (names.includes(undefined)) return { says: `${wanted}; column ${names.indexOf(undefined) + 1} has another` }
  if (new Set(columns).size < columns.length) return { says: `${wanted}; one of them stands there twice` }
  return { columns: names.map((name) => name ?? '') }
}

interface Cell {
  readonly text: string
  readonly isQuoted: boolean
}

interface CsvRecord {
  readonly record: readonly Cell[]
  readonly info: { readonly lines: number }
}

function rowsOf(records: readonly CsvRecord[], columns: Columns, delimiter: string): Raw {
  const rows: RawRow[] = []
  const findings: LineFinding[] = []
  const filled = records.filter(({ record }) => record.some(({ text }) => text !== '') && !isRemark(record))
  for (const { record, info } of filled.slice(0, MOST_LINES)) {
    const { lines: line } = info
    const isTitled = (index: number) => (columns[index] ?? '') !== ''
    const stray = record.findIndex(({ text }, index) => text !== '' && !isTitled(index))
    const filledTo = stray < 0 ? Math.min(record.length, columns.length) : record.length
    if (filledTo !== columns.length) {
      findings.push({ line, says: `expected ${columns.length} cells, as the titles; got ${record.length}` })
      continue
    }
    if (stray >= 0) {
      findings.push({ line, says: `expected nothing in column ${stray + 1}, which has no title; got a text` })
      continue
    }
    const cells = columns.flatMap((column, index) =>
      column === '' ? [] : [[column, record[index]?.text ?? ''] as const],
    )
    if (cells.some(([column, cell]) => column === 'amount' && cell === '')) {
      findings.push({ line, says: NO_AMOUNT })
      continue
    }
    const value = Object.fromEntries(cells.filter(([column, cell]) => cell !== '' || !OPTIONAL.has(column)))
    const ambiguity = ambiguityOf(record, columns, delimiter)
    rows.push({ line, value, ...(ambiguity !== undefined && { ambiguity }) })
  }
  return { rows, findings, lines: filled.length }
}

const NO_AMOUNT = 'amount: expected the amount to pay; got none: fill it in, or take the row out'

/** A line for people, as in a template: one cell, which no id can be. */
function isRemark([first, ...others]: readonly Cell[]): boolean {
  return first?.text.startsWith('#') === true && others.every(({ text }) => text === '')
}

const DIGITS = /^[0-9]+$/
const DIGITS_AND_POINT = /^[0-9]+(\.[0-9]+)?$/
/** Where the comma may be the decimal mark, a point may stand between thousands. */
const THOUSANDS_OR_DECIMALS = /^[1-9][0-9]{0,2}\.[0-9]{3}$/

/**
 * One sentence where an amount could mean another number. A comma in a number also separates cells, and in a row without its
 * reference their number still fits. A point may stand between thousands.
 */
function ambiguityOf(record: readonly Cell[], columns: Columns, delimiter: string): string | undefined {
  const at = columns.indexOf('amount')
  const amount = record[at]
  if (amount === undefined) return undefined
  if (delimiter !== ',') {
    if (!THOUSANDS_OR_DECIMALS.test(amount.text)) return undefined
    const whole = amount.text.replace('.', '')
    return `amount: expected an amount that is read in one way only; got ${amount.text}: write ${whole}, or ${amount.text}0 for the smaller amount`
  }
  const reference = columns.indexOf('reference')
  if (Math.abs(reference - at) !== 1) return undefined
  const [left, right] = [record[Math.min(at, reference)], record[Math.max(at, reference)]]
  if (left === undefined || right === undefined || left.isQuoted || right.isQuoted) return undefined
  if (!(DIGITS.test(left.text) && DIGITS_AND_POINT.test(right.text))) return undefined
  return 'amount: expected an amount that is read in one way only; beside a reference of digits, a comma may belong to a number: put the reference in quotes, or add decimals to the amount'
}

function csvFault(code: string): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'expected a closing quote; got the end of the file'
  if (code === 'CSV_MAX_RECORD_SIZE') return `expected at most ${LONGEST_LINE} characters in a row; got more`
  return 'expected a quote only around a whole cell, with a quote inside it doubled'
}

/** The rows whose key an earlier row has. */
function repeatedBy(
  rows: readonly FiledRow[],
  keyOf: (row: FiledRow) => string,
  says: (first: number) => string,
): LineFinding[] {
  const lines = new Map<string, number>()
  return rows.flatMap((row) => {
    const key = keyOf(row)
    const first = lines.get(key)
    if (first !== undefined) return [{ line: row.line, says: says(first) }]
    lines.set(key, row.line)
    return []
  })
}

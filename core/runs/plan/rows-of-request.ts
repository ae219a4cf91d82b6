// Reads the rows that a request asks to pay: from the request itself, or for a longer file from the journal's pages. A page is
// what its hash says, so the request alone determines every row. Reads only.
import { payoutRowsOfFile } from '../../contract/payouts.ts'
import type { RunRequest } from '../../contract/runs.ts'
import { Defect, Refused } from '../../errors.ts'
import { parseWith } from '../../parse.ts'
import type { RunPorts } from '../ports.ts'

/** @returns the request with all its rows, or a sentence for pages that are no rows. @throws Transient */
export async function withRowsOfPages(
  request: RunRequest,
  { pages }: Pick<RunPorts, 'pages'>,
): Promise<{ readonly request: RunRequest } | { readonly wrong: string }> {
  const { pages: hashes, ...rest } = request
  if (hashes === undefined) return { request }
  if (request.rows !== undefined) return { wrong: 'input.pages: expected no rows beside them; leave out input.rows' }
  try {
    return { request: { ...rest, rows: parseWith(payoutRowsOfFile, await pages.read(hashes), 'input.pages') } }
  } catch (error) {
    if (error instanceof Refused) return { wrong: error.message }
    if (error instanceof Defect) return { wrong: `input.pages: ${error.message}` }
    throw error
  }
}

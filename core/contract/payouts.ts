// Defines the rows of a payout file, how the request of a run has them, and where files come from. Amounts are settled decimal
// strings. Also folds an id, so that spellings of one id are found. core/runs/payouts reads files, and core/policies/payouts
// plans what a run pays.
import * as z from 'zod/mini'
import { amountText, assetCode, contactId } from './fields.ts'
import { askedLabel } from './payee.ts'

/** Maximum rows of a file, and of the run that pays it. */
export const MOST_ROWS_OF_FILE = 2_000
/** Maximum rows in a request itself: the input of an execution holds 256 KB. */
export const MOST_ROWS_IN_REQUEST = 100

/** Characters of a reference: as many as a SEPA transfer carries. */
const LONGEST_REFERENCE = 140

/** No line breaks or other controls, so that a text stays within its line of every list. */
const lineText = z
  .string()
  .check(
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'text without line breaks and other control characters'),
    z.maxLength(LONGEST_REFERENCE, `at most ${LONGEST_REFERENCE} characters`),
  )

/** The file's own name for a payment. The intent's id is made from it, so one id is paid once. */
export const payoutId = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/,
      'at most 48 letters, digits, dots, dashes and underscores, with a letter or digit first',
    ),
  )

/** The form that all spellings of one id share: lists differ in the case of letters, and spreadsheets drop leading zeros. */
export function foldId(id: string): string {
  return id.toLowerCase().replace(/^0+(?=[0-9]+$)/, '')
}

export const payoutRow = z.strictObject({
  id: payoutId,
  contactId,
  /** With it the contact must have this text as its reference or alias, or no row of the run goes. */
  contactReference: z.optional(askedLabel),
  asset: assetCode,
  /** Under `feeMode: "add"`, which is the policy's default, the contact receives exactly this. */
  amount: amountText.check(z.refine((amount) => /[1-9]/.test(amount), 'more than zero')),
  reference: z.optional(lineText),
})
export type PayoutRow = z.infer<typeof payoutRow>

export const payoutRows = z.array(payoutRow).check(z.minLength(1), z.maxLength(MOST_ROWS_IN_REQUEST))
export const payoutRowsOfFile = z.array(payoutRow).check(z.minLength(1), z.maxLength(MOST_ROWS_OF_FILE))

/** The rows of a longer file: the hashes of the journal's pages that hold them (core/journal/pages.ts). */
export const payoutPages = z
  .array(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 as hex')))
  .check(z.minLength(1), z.maxLength(MOST_ROWS_OF_FILE / MOST_ROWS_IN_REQUEST))

/** Maximum policies with files in S3: one pattern of EventBridge, of 2,048 characters, names all their buckets and prefixes. */
export const MOST_POLICIES_WITH_FILES = 5
const LONGEST_PREFIX = 100

/**
 * A bucket of the company, whose new objects are payout files. A prefix has no character that IAM or EventBridge reads as a
 * wildcard.
 */
export const payoutFiles = z.strictObject({
  bucket: z
    .string()
    .check(
      z.regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'the name of a bucket: 3 to 63 small letters, digits, dots and dashes',
      ),
    ),
  /** Only objects whose key begins with it. Absent: every object of the bucket. */
  prefix: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[A-Za-z0-9][A-Za-z0-9/_.=-]*\/$/,
          'letters, digits, dashes, dots and slashes, with a slash at its end',
        ),
        z.maxLength(LONGEST_PREFIX, `at most ${LONGEST_PREFIX} characters`),
      ),
  ),
})
export type PayoutFiles = z.infer<typeof payoutFiles>

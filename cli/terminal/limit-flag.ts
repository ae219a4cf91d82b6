// Reads `--limit N` of a command that lists.
import { usageError } from '../../place/operation-error.ts'

/**
 * `text` is undefined without the flag.
 * @throws OperationError (exit 2) unless it is a whole number from 1 to `most`
 */
export function readLimit(
  text: string | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  if (text === undefined) return usual
  const limit = /^[1-9][0-9]*$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= most) return limit
  throw usageError('usage', `--limit: expected a whole number from 1 to ${most}; got something else`, 'correct --limit')
}

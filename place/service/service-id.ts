// Checks ids of the service: every id that is safe in the path of a request is accepted.
import { Refused } from '../../core/errors.ts'
import { checkId } from '../../core/service/request-path.ts'

export const ID_EXPECTATION =
  '1 to 256 characters, without control characters and without "." or ".." between slashes, plain or encoded'

export function isId(text: string): boolean {
  try {
    checkId(text)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

// Finds a notice of treasury.json by its name.
import type { Notice } from '../../core/contract/notices.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { printable } from '../../core/printable.ts'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { usageError } from '../../place/operation-error.ts'

/** @throws OperationError (exit 2) for an unknown name */
export function noticeNamed(name: string, { notices = [] }: Pick<Treasury, 'notices'>): Notice {
  const found = notices.find((notice) => notice.name === name)
  if (found !== undefined) return found
  const names = notices.map((notice) => notice.name)
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  const message = `treasury.json has no notice ${printable(name)}${nearestHint(name, names)}; ${known}`
  throw usageError('configuration', message, 'name one of "notices" in treasury.json: docs/notices.md')
}

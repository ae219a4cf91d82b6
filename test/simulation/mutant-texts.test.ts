import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyEdit } from './bundle.ts'
import { HARMLESS, MUTANTS } from './mutants.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each(Object.entries({ ...MUTANTS, ...HARMLESS }))(
  '%s: the product has each text that it changes, once',
  (_, { edits }) => {
    const changed = new Map<string, string>()
    for (const edit of edits) {
      const before = changed.get(edit.file) ?? readFileSync(join(ROOT, edit.file), 'utf8')
      changed.set(edit.file, applyEdit(before, edit))
      expect(changed.get(edit.file)).not.toBe(before)
    }
  },
)

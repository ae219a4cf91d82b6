// Each variant of the days edits the product's source by exact text: the text is there, once, or the variant is of a
// product that is no more.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyEdit } from '../../simulation/bundle.ts'
import { VARIANTS } from './variants.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

test.each(Object.entries(VARIANTS))('%s: the product has each text that it changes, once', (_, { edits }) => {
  const changed = new Map<string, string>()
  for (const edit of edits) {
    const before = changed.get(edit.file) ?? readFileSync(path.join(ROOT, edit.file), 'utf8')
    changed.set(edit.file, applyEdit(before, edit))
    expect(changed.get(edit.file)).not.toBe(before)
  }
})

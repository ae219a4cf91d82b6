// The list of who notices an edited record has an entry for each kind of record, and says truly which the audit reads.
import { expect, test } from 'vitest'
import { recordKey } from '../../core/contract/records.ts'
import { PREFIXES } from '../../operations/journal/survey.ts'
import { pages } from './pages.ts'

const page = pages.find(({ file }) => file === 'docs/movement-protocol.md')?.text ?? ''
const section = page.slice(page.indexOf('## Who notices an edited record'), page.indexOf('\n## The fence'))
const named = [...section.matchAll(/^- ((?:`[^`]+`(?:, )?)+): /gm)].flatMap(([, keys = '']) =>
  [...keys.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
)

test('who notices an edit is written for each kind of record, and for no other', () => {
  expect(named.filter((key) => !PREFIXES.some((prefix) => key.startsWith(prefix)))).toEqual([])
  expect(PREFIXES.filter((prefix) => !named.some((key) => key.startsWith(prefix)))).toEqual([])
})

test('who notices an edit is written for each record of which there is one', () => {
  const single = Object.values(recordKey).filter((key) => typeof key === 'string' && /^[AS]#/.test(key))
  expect(named).toEqual(expect.arrayContaining(single))
})

// An account that makes its own table copies the policy of the runbook, so it must be the deployed one.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { journalPolicy } from '../../core/contract/journal-policy.ts'
import { ROOT } from './pages.ts'

test("the runbook's policy of the journal equals the deployed one", () => {
  const runbook = readFileSync(path.join(ROOT, 'docs', 'runbook.md'), 'utf8')
  const [, document = ''] = /## Deleting from the journal.*```json\n(.*?)```/s.exec(runbook) ?? []
  const place = { partition: 'aws', region: 'REGION', account: 'ACCOUNT', rolePath: undefined }
  expect(JSON.parse(document)).toEqual(journalPolicy({ ...place, table: 'sluice-journal', named: (name) => name }))
})

// The same as lost-journal.test.ts shows, of as many ids as a busy account asks for in days.
import { test, vi } from 'vitest'
import { loseAndRebuild } from './lost-journal.ts'

vi.setConfig({ testTimeout: 1_800_000 })

test('a restored journal is rebuilt, and 1,000 ids that are entered again move nothing', () =>
  loseAndRebuild('restored', 1_000))

test('a lost journal is rebuilt, and 1,000 ids that are entered again move nothing', () =>
  loseAndRebuild('lost', 1_000))

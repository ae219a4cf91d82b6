import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawPermissions, PERMISSIONS_PAGE } from '../../infra/draw-permissions.ts'

test('docs/permissions.md is what `npm run docs:permissions` draws', async () => {
  expect(readFileSync(PERMISSIONS_PAGE, 'utf8')).toBe(await drawPermissions())
})

// The page of permissions lists what the synthesized roles may do.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawPermissions, PERMISSIONS_PAGE } from './draw-permissions.ts'

test('docs/permissions.md equals the output of `npm run docs:permissions`', async () => {
  expect(readFileSync(PERMISSIONS_PAGE, 'utf8')).toBe(await drawPermissions())
})

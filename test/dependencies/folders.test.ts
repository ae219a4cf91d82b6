// No folders of a room import each other in a circle, so that each room reads as a ladder.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findCircles } from './folders.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The rooms, and folders of theirs with folders of their own. In core/runs, folders still import each other. */
const ROOMS = globSync(
  [
    '{bench,cli,console,core,functions,infra,operations,place,views}',
    '{cli/*,core/{movements,planning,policies},operations/*,packages/{*,*/service}}',
  ],
  { cwd: ROOT, exclude: ['**/*.ts'] },
).sort()
const files = globSync(
  ROOMS.map((room) => `${room}/**/*.ts`),
  { cwd: ROOT, exclude: ['**/node_modules/**', '**/test/**'] },
)
const sources = new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]))

test.each(ROOMS)('no folders of %s import each other in a circle', (room) => {
  expect(findCircles(room, sources)).toEqual([])
})

test('a circle is found over several folders, by imports of types and dynamic imports too, and is shown arrow by arrow', () => {
  const circle = new Map([
    ['room/a/one.ts', "import type { Two } from '../b/two.ts'\nimport { own } from './own.ts'"],
    ['room/b/two.ts', "const three = await import('../c/deep/three.ts')"],
    ['room/c/deep/three.ts', "export * from '../../a/one.ts'\nimport { four } from '../../d/four.ts'"],
    ['room/d/four.ts', "import { five } from '../five.ts'\nimport { six } from '../../other/d/six.ts'"],
  ])
  expect(findCircles('room', circle)).toEqual([
    'room: a and b import each other: room/a/one.ts imports room/b/two.ts',
    'room: b and c import each other: room/b/two.ts imports room/c/deep/three.ts',
    'room: c and a import each other: room/c/deep/three.ts imports room/a/one.ts',
  ])
})

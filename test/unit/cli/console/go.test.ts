// The script behind the link of a notice goes to pages of its own console only.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const SCRIPT = readFileSync('console/assets/go.js', 'utf8')
const ORIGIN = 'http://127.0.0.1:8700'

/** Where a browser goes in which this home is kept at the console's address. */
function placeFor(home: string | null): string | undefined {
  const places: string[] = []
  const location = { origin: ORIGIN, replace: (to: string) => places.push(to) }
  const document = { getElementById: () => ({ dataset: { to: 'runs/r-1' } }) }
  runInNewContext(SCRIPT, { localStorage: { getItem: () => home }, document, location, URL })
  return places[0]
}

test('the console that the browser knows is opened at the page', () => {
  expect(placeFor(`${ORIGIN}/c-secret/`)).toBe(`${ORIGIN}/c-secret/runs/r-1`)
})

test.each([null, 'https://example.com/', '//example.com/', 'javascript:alert(1)//', 'http://127.0.0.1:8701/'])(
  'a home that another program has kept there leads nowhere: %s',
  (home) => {
    expect(placeFor(home)).toBeUndefined()
  },
)

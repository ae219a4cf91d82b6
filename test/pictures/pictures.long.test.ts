// The pictures of the README show what the pages show today. The test compares their data, not their pixels.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { factsOf } from './page-facts.ts'
import { startPicturedDesk } from './pictured-desk.ts'
import { readPages } from './read-pages.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../docs/pictures')
const MOST_BYTES = 150_000

// A page names what it cannot read within its time. A busy machine then gets another try.
test('the pictures show the content of the pages; otherwise run `npm run docs:pictures`', { retry: 2 }, async () => {
  const dir = temporaryFolder()
  const desk = await startPicturedDesk(dir)
  onTestFinished(() => desk.stop())
  const pages = await readPages(desk)
  const facts = { console: factsOf(pages.console), run: factsOf(pages.run) }
  expect(facts).toEqual(JSON.parse(readFileSync(path.join(FOLDER, 'pictures.json'), 'utf8')))
  expect(facts.run.states.length).toBeGreaterThan(5)
  expect(facts.run.badges).toContain('settled')
})

test('each picture exists, is small, and is shown by the README or by the page of the console', () => {
  const readme = readFileSync(path.resolve(FOLDER, '../../README.md'), 'utf8')
  const page = readFileSync(path.resolve(FOLDER, '../console.md'), 'utf8')
  const files = readdirSync(FOLDER).filter((file) => !file.endsWith('.json'))
  expect(files.sort()).toEqual(['console.png', 'run.png', 'state-machine.svg'])
  for (const file of files) {
    expect(statSync(path.join(FOLDER, file)).size).toBeLessThan(MOST_BYTES)
    expect(`${readme}${page}`).toContain(`pictures/${file})`)
  }
})

// The blocks that a page marks with the word session do what they say, in order, on a desk of their page. Each command ends
// with the code of its remark, or with 0, and prints the outcomes that the remark names.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderOfFile } from '../helpers/folders.ts'
import { runInProcess } from '../unit/cli/run-in-process.ts'
import { pages } from './pages.ts'

const root = folderOfFile()

/** Answers of a person to the questions of these commands, as flags. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  init: ['--no-input', '--kind', 'rebalance', '--weights', 'BTC=0.6,USDC=0.4'],
  approve: ['--by', 'ada', '--yes'],
}
/** Lines of other programs, and `serve`, which a person ends. */
const OTHERS = /^(npm|export|sluice serve) /

const sessions = pages.flatMap(({ file, text }) => {
  const blocks = [...text.matchAll(/^```sh session\n(.*?)^```/gms)].map(([, lines = '']) => lines)
  return blocks.length === 0 ? [] : [{ file, lines: blocks.join('').trim().split('\n') }]
})

test('the first page and the pages of a beginner have sessions', () => {
  expect(sessions.map(({ file }) => file).sort()).toEqual([
    'README.md',
    'docs/books.md',
    'docs/commands.md',
    'docs/policies.md',
  ])
})

test.each(sessions)('the session of $file does what its remarks say', async ({ lines }) => {
  const dir = mkdtempSync(path.join(root, 'desk-'))
  const inDir = (word: string) => word.replace(/^[\w-]+\.(json|csv|journal)$/, (name) => path.join(dir, name))
  const config = path.join(dir, 'policies.json')
  let run = ''
  for (const line of lines.filter((each) => !OTHERS.test(each))) {
    const [, command = '', remark = ''] = /^(.*?)(?:\s+# (.*))?$/.exec(line) ?? []
    const [, text, written = ''] = /^echo '(.*)' > (\S+)$/.exec(command) ?? []
    const [, from = '', to = '', changed = ''] = /^sed -i 's\/(.*)\/(.*)\/' (\S+)$/.exec(command) ?? []
    if (text !== undefined) writeFileSync(inDir(written), text)
    else if (changed !== '') writeFileSync(inDir(changed), readFileSync(inDir(changed), 'utf8').replace(from, to))
    else {
      const [own = '', output] = command.replace(/^(npx )?sluice /, '').split(' > ')
      const words = [...own.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? inDir(word))
      const argv = [
        ...words.map((word) => (word === 'RUN' ? run : word)),
        ...words.flatMap((word) => ANSWERS[word] ?? []),
      ]
      const ended = await runInProcess(
        [...argv, '--state', path.join(dir, 'state')],
        existsSync(config) && !words.includes('--config') ? { SLUICE_CONFIG: config } : {},
      )
      const [, code = '0'] = /exit (?:code )?(\d+)/.exec(remark) ?? []
      expect({ line, code: ended.exitCode, stderr: ended.stderr }).toMatchObject({ line, code: Number(code) })
      for (const [outcome] of remark.matchAll(/\b[A-Z]{6,}\b/g)) expect(ended.stdout, line).toContain(outcome)
      if (output !== undefined) writeFileSync(inDir(output), ended.stdout)
      run = /"runId":"([^"]+)"/.exec(ended.stdout)?.[1] ?? run
    }
  }
})

// `npm run lint` holds the prose of this repository against the rules in rules.ts, and prints each place and its rule.
// `--counts` prints how much prose there is, and how it reads.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findGlossaryFaults } from './glossary.ts'
import { findPageFaults } from './page-limits.ts'
import { type Passage, passagesOf } from './passages.ts'
import { findingsIn, sentencesOf } from './rules.ts'

const PROSE = ['*.ts', '*.js', '*.cjs', '*.mjs', '*.md']

function main(args: readonly string[]): number {
  const [unknown] = args.filter((arg) => arg !== '--counts')
  if (unknown !== undefined) {
    console.error(`${unknown}: expected --counts or nothing`)
    return 2
  }
  const files = execFileSync('git', ['ls-files', ...PROSE], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const read = (file: string) => readFileSync(file, 'utf8')
  const passages = files.flatMap((file) => passagesOf(file, read(file)))
  if (args.includes('--counts')) {
    for (const line of countsOf(passages)) console.log(line)
    return 0
  }
  const findings = [...passages.flatMap(findingsIn), ...findPageFaults(files, read), ...findGlossaryFaults(files, read)]
  for (const { file, line, rule, words } of findings) console.error(`${file}:${line}  ${rule}: ${words}`)
  if (findings.length > 0)
    console.error(`${findings.length} passages are not plain; CONTRIBUTING.md says how to write them`)
  return findings.length === 0 ? 0 : 1
}

function countsOf(passages: readonly Passage[]): readonly string[] {
  const comments = passages.filter(({ file }) => !file.endsWith('.md'))
  const beginning = (word: string) => comments.filter(({ text }) => text.startsWith(`${word} `)).length
  const mean = (of: readonly Passage[]) => {
    const sentences = of.flatMap(({ text }) => sentencesOf(text))
    return (sentences.reduce((sum, sentence) => sum + sentence.split(' ').length, 0) / sentences.length).toFixed(1)
  }
  return [
    `comments: ${comments.length}, lines of them: ${comments.reduce((sum, { lines }) => sum + lines, 0)}`,
    `that begin with "Of": ${beginning('Of')}, with "What": ${beginning('What')}`,
    `words a sentence, mean: ${mean(comments)} in comments, ${mean(passages.filter(({ file }) => file.endsWith('.md')))} in pages`,
    `findings: ${passages.flatMap(findingsIn).length}`,
  ]
}

process.exitCode = main(process.argv.slice(2))

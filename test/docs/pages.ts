// Reads the repository's Markdown, and the parts of its pages that can be checked: links, paths and commands.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

export interface Page {
  /** Path from the repository root. */
  readonly file: string
  readonly text: string
}

/** Folders without files of ours. */
const NOT_OURS = ['node_modules', '.git', '.sluice', 'cdk.out', 'coverage', 'dist']

export const repoFiles: readonly string[] = globSync('**/*', {
  cwd: ROOT,
  exclude: (file) => NOT_OURS.includes(path.basename(file)),
}).map((file) => file.replaceAll(path.sep, '/'))

export const pages: readonly Page[] = [...repoFiles, ...globSync('.github/**/*.md', { cwd: ROOT })]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))

/** Targets of the page's links, without addresses on the web. */
export function linksOf({ text }: Page): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
}

/** Anchors of the headings, as GitHub makes them. */
export function anchorsOf({ text }: Page): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Words in backticks, without code blocks. */
export function codeWordsOf({ text }: Page): string[] {
  return [...text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '))
}

function withoutCode(text: string): string {
  return text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '')
}

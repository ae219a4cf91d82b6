// The repo's own Markdown, and what its pages say that can be checked: links, paths, commands.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

export interface Page {
  /** From the root of the repo. */
  readonly file: string
  readonly text: string
}

/** Folders that hold nothing of ours. */
const NOT_OURS = ['node_modules', '.git', '.sluice', 'cdk.out', 'coverage', 'dist']

export const repoFiles: readonly string[] = globSync('**/*', {
  cwd: ROOT,
  exclude: (file) => NOT_OURS.includes(path.basename(file)),
}).map((file) => file.replaceAll(path.sep, '/'))

export const pages: readonly Page[] = [...repoFiles, ...globSync('.github/**/*.md', { cwd: ROOT })]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))

/** Targets of the page's links, but for addresses on the web. */
export function linksOf({ text }: Page): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
}

/** As GitHub makes them of headings. */
export function anchorsOf({ text }: Page): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Words in backticks, without those in blocks. */
export function codeWordsOf({ text }: Page): string[] {
  return [...text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '))
}

function withoutCode(text: string): string {
  return text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '')
}

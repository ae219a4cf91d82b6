// Owns where an alarm says that its section of the runbook is: an address that opens, where package.json names a page of the
// project, and else the file and the heading. Pure but for reading package.json once.
import { readFileSync } from 'node:fs'

const RUNBOOK = 'docs/runbook.md'

export interface ProjectPages {
  readonly homepage?: string
  readonly repository?: string | { readonly url?: string }
}

/** `section`: a heading of the runbook. */
export function runbookLink(section: string, { homepage, repository }: ProjectPages = PROJECT): string {
  const named = typeof repository === 'string' ? repository : repository?.url
  const base = browsable(named)
  // Repositories show a file of their default branch under this path.
  if (base !== undefined) return `${base}/blob/HEAD/${RUNBOOK}#${section}`
  const page = browsable(homepage)
  return page === undefined ? `${RUNBOOK}#${section}` : `${page}/${RUNBOOK}#${section}`
}

/** `git+https://host/a/b.git` is `https://host/a/b` to a browser. Undefined for what none can open. */
function browsable(url: string | undefined): string | undefined {
  const text = url?.replace(/^git\+/, '').replace(/(\.git)?(#.*)?\/*$/, '')
  return text?.startsWith('https://') ? text : undefined
}

const PROJECT: ProjectPages = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

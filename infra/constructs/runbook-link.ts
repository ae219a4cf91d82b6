// Builds the link from an alarm to its section of the runbook: a web address if package.json names a page of the
// project, otherwise the file and the heading. Pure, except for reading package.json once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../package-root.cjs'

const RUNBOOK = 'docs/runbook.md'

export interface ProjectPages {
  readonly homepage?: string
  readonly repository?: string | { readonly url?: string }
}

/** `section`: a heading of the runbook. */
export function runbookLink(section: string, { homepage, repository }: ProjectPages = PROJECT): string {
  const url = typeof repository === 'string' ? repository : repository?.url
  const base = browsable(url)
  // Repositories show a file of their default branch at this path.
  if (base !== undefined) return `${base}/blob/HEAD/${RUNBOOK}#${section}`
  const page = browsable(homepage)
  return page === undefined ? `${RUNBOOK}#${section}` : `${page}/${RUNBOOK}#${section}`
}

/**
 * The browser's form of an address: `https://host/a/b` for `git+https://host/a/b.git`; `undefined` when no browser can
 * open it.
 */
function browsable(url: string | undefined): string | undefined {
  const text = url?.replace(/^git\+/, '').replace(/(\.git)?(#.*)?\/*$/, '')
  return text?.startsWith('https://') ? text : undefined
}

const PROJECT: ProjectPages = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'))

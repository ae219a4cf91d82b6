// Makes a page fit to be read outside of the repository: a package does not hold all the pages that are beside it here.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './compile.ts'

const LINK = /\[([^\]]+)\]\(([\w./-]+)(?:#[^)]*)?\)/g

/**
 * Says the name of each page that the package lacks, in the place of a link to it. Everything else is in the package already.
 */
export function copyPage(from: string, to: string): void {
  const page = readFileSync(from, 'utf8').replace(LINK, (link: string, text: string, linked: string) => {
    if (existsSync(path.join(path.dirname(to), linked))) return link
    const name = path.relative(ROOT, path.join(path.dirname(from), linked))
    return text === name ? `${name} of the repository` : `${text} (${name} of the repository)`
  })
  writeFileSync(to, page)
}

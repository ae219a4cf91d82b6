// `sluice setup repository`: writes a repository for a deployment, from the files of examples/repository, the answers to the
// questions of `sluice setup init`, and the packages. It writes into an empty directory only, and moves nothing.

import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ownRelease, rootDir } from '../../../place/context.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { unfit, usageError } from '../../../place/operation-error.ts'
import { quoted } from '../../terminal/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { draftTreasury, type InitFlags, writeTreasury } from '../init/init.ts'

interface RepositoryFlags extends InitFlags {
  /** Folder of tarballs. */
  readonly packages?: string
}

const PACK = 'write them in a checkout of this version: npm run packages -- FOLDER'
const TEMPLATE = path.join(rootDir, 'examples/repository')
/** From the repository, where the package is installed. */
const SCHEMA = './node_modules/sluice/treasury.schema.json'

/** @throws OperationError as init, and exit 2 for a directory that has files, or a folder without the packages */
export async function makeRepository(dir: string, flags: RepositoryFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  if (flags.packages === undefined) throw unfit('packages', 'expected the folder of the packages; it is missing', PACK)
  const from = path.resolve(flags.packages)
  const home = path.resolve(dir)
  if (existsSync(home) && readdirSync(home).length > 0)
    throw usageError('usage', `expected a new or empty directory; ${home} has files`, 'name another directory')
  const version = ownRelease()
  const own = nameOfTarball()
  const tarballs = [own, `${own}-infra`].map((name) => path.join(from, `${name}-${version}.tgz`))
  const missing = tarballs.find((file) => !existsSync(file))
  if (missing !== undefined) throw unfit('packages', `expected ${missing}`, PACK)
  const { notes, text } = await draftTreasury(flags, SCHEMA, context)
  cpSync(TEMPLATE, home, { recursive: true })
  // npm packs no .gitignore, so these names begin with another word.
  for (const file of readdirSync(home).filter((each) => each.startsWith('dot-')))
    renameSync(path.join(home, file), path.join(home, file.replace('dot-', '.')))
  for (const file of tarballs) cpSync(file, path.join(home, 'packages', path.basename(file)))
  const manifest = path.join(home, 'package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll('TARBALL', own).replaceAll('VERSION', version))
  writeTreasury(text, path.join(home, 'treasury.json'))
  if (output.json) output.facts({ directory: home, treasury: JSON.parse(text) })
  else output.data(home)
  for (const note of notes) output.note(note)
  output.next([`cd ${quoted(home)} && npm install && npm start   # carries out its policies with play money`])
  return ExitCode.Done
}

/** Without a version. A package may be published under a scope, which npm puts before the name. */
function nameOfTarball(): string {
  const { name }: { readonly name: string } = JSON.parse(readFileSync(path.join(rootDir, 'package.json'), 'utf8'))
  return name.replace('@', '').replace('/', '-')
}

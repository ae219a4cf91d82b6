// Makes the texts of the notices and the bill of materials for third-party packages in the bundles. Refuses a licence that
// nobody has examined. Bundles and writes nothing itself.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Metafile } from 'esbuild'

export interface ThirdParty {
  readonly name: string
  readonly version: string
  /** An SPDX identifier. */
  readonly license: string
  /** Texts of its licence and, if it has a NOTICE, of that too. */
  readonly notices: readonly string[]
}

/** Licences that only ask for their text beside the code, which the bundles have. */
export const ALLOWED_LICENSES: readonly string[] = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'],
]

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const NOTICE_FILE = /^(licen[cs]e|notice|copying)([.-]|$)/i

/**
 * Every package with a part in an output. `root`: folder that the metafile's paths start from.
 * @throws Error for a licence
 */
export function thirdPartiesIn({ outputs }: Pick<Metafile, 'outputs'>, root: string): readonly ThirdParty[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const folders = inputs.flatMap(([file, { bytesInOutput }]) => {
    const [folder] = PACKAGE_FOLDER.exec(file) ?? []
    return folder === undefined || bytesInOutput === 0 ? [] : [folder]
  })
  const parties = [...new Set(folders)].map((folder) => readThirdParty(join(root, folder)))
  // A package may be installed in several folders.
  const once = [...new Map(parties.map((party) => [purlOf(party), party])).values()]
  return once.sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1))
}

function readThirdParty(folder: string): ThirdParty {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!ALLOWED_LICENSES.includes(license)) {
    const allowed = ALLOWED_LICENSES.join(', ')
    throw new Error(
      `${name} ${version} is in the bundle under the licence ${JSON.stringify(license)}: do without it, or allow its licence in infra/bundle/third-parties.ts (now ${allowed})`,
    )
  }
  const files = noticeFilesOf(folder, name, license)
  if (files.length === 0) throw new Error(`${name} ${version} is in the bundle and has no licence file to go with it`)
  return {
    name,
    version,
    license,
    notices: files.sort().map((file) => readFileSync(file, 'utf8').trim()),
  }
}

/** Some packages of a scope have no text of their licence. Others of the same publisher and licence do. */
function noticeFilesOf(folder: string, name: string, license: string): string[] {
  const own = noticeFilesIn(folder)
  if (own.length > 0 || !name.startsWith('@')) return own
  const scope = dirname(folder)
  const others = readdirSync(scope).map((other) => join(scope, other))
  const same = others.find((other) => licenseOf(other) === license && noticeFilesIn(other).length > 0)
  return same === undefined ? [] : noticeFilesIn(same)
}

function noticeFilesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => (NOTICE_FILE.test(file) ? [join(folder, file)] : []))
}

function licenseOf(folder: string): string {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license
}

/** Each text once, under the names of its packages. */
export function noticesOf(parties: readonly ThirdParty[]): string {
  const owners = new Map<string, string[]>()
  for (const party of parties) {
    for (const text of party.notices) owners.set(text, [...(owners.get(text) ?? []), idOf(party)])
  }
  const parts = [...owners].map(([text, ids]) => `${ids.join('\n')}\n\n${text}\n`)
  return ['The bundles beside this file contain these packages.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * The bill of materials in CycloneDX 1.6, without date and serial number, so that the same packages give the same
 * bytes.
 */
export function billOfMaterials(parties: readonly ThirdParty[], version: string): string {
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'sluice', name: 'sluice', version } },
    components: parties.map(componentOf),
    dependencies: [{ ref: 'sluice', dependsOn: parties.map(purlOf) }],
  }
  return `${JSON.stringify(bill, undefined, 2)}\n`
}

function componentOf(party: ThirdParty): object {
  const { license, name, version } = party
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': purlOf(party),
    ...(group !== undefined && { group }),
    name: own,
    version,
    licenses: [{ license: { id: license } }],
    purl: purlOf(party),
  }
}

function purlOf({ name, version }: ThirdParty): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function idOf({ license, name, version }: ThirdParty): string {
  return `${name} ${version} (${license})`
}

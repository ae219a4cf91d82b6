// The package names each third party in the bundle, with the text of its licence.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { billOfMaterials, noticesOf, thirdPartiesIn } from '../../infra/bundle/third-parties.ts'
import { temporaryFolder } from '../helpers/folders.ts'

interface Package {
  readonly license?: unknown
  readonly files?: Readonly<Record<string, string>>
}

/** Packages on disk, and a bundle with a part of each. */
function bundled(packages: Readonly<Record<string, Package>>, bytesInOutput = 1) {
  const root = temporaryFolder()
  const inputs: Record<string, { readonly bytesInOutput: number }> = { 'functions/order.ts': { bytesInOutput: 1 } }
  for (const [name, { files = { LICENSE: `text of ${name}` }, license = 'MIT' }] of Object.entries(packages)) {
    const folder = join(root, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    const own = name.split('node_modules/').at(-1)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: own, version: '1.2.3', license }))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    inputs[`node_modules/${name}/dist/index.js`] = { bytesInOutput }
  }
  const output = { bytes: 1, inputs, imports: [], exports: [] }
  return thirdPartiesIn({ outputs: { 'movements.js': output } }, root)
}

test('packages are identified by name, scope and place within another', () => {
  const parties = bundled({ b: {}, '@x/a': {}, 'b/node_modules/c': { license: 'ISC' } })
  expect(parties.map(({ license, name }) => `${name} ${license}`)).toEqual(['@x/a MIT', 'b MIT', 'c ISC'])
})

test('a package that left nothing in the bundle is left out', () => {
  expect(bundled({ b: { license: 'GPL-3.0' } }, 0)).toEqual([])
})

test.each(['GPL-3.0-only', 'SEE LICENSE IN x', '(MIT OR GPL-3.0)', null, { type: 'MIT' }])(
  '%j is refused',
  (license) => {
    expect(() => bundled({ b: { license } })).toThrow(
      `b 1.2.3 is in the bundle under the licence ${JSON.stringify(license)}: do without it, or allow its licence in`,
    )
  },
)

test('a package without the text of its licence is refused', () => {
  expect(() => bundled({ b: { files: {} } })).toThrow('b 1.2.3 is in the bundle and has no licence file')
})

test('a text that several packages share is shown once, under their names, and a NOTICE beside the licence', () => {
  const parties = bundled({
    a: { files: { 'LICENSE.md': 'shared' } },
    b: { files: { license: 'shared', NOTICE: 'by b' } },
    c: { files: { COPYING: 'own', 'licenses.json': 'no notice' } },
  })
  expect(noticesOf(parties).split(`\n${'-'.repeat(80)}\n\n`)).toEqual([
    'The bundles beside this file contain these packages.\n',
    'a 1.2.3 (MIT)\nb 1.2.3 (MIT)\n\nshared\n',
    'b 1.2.3 (MIT)\n\nby b\n',
    'c 1.2.3 (MIT)\n\nown\n',
  ])
})

test('the bill of materials names each package by its purl', () => {
  const bill = JSON.parse(billOfMaterials(bundled({ '@x/a': { license: 'Apache-2.0' } }), '0.3.0'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(bill.components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40x/a@1.2.3',
      group: '@x',
      name: 'a',
      version: '1.2.3',
      licenses: [{ license: { id: 'Apache-2.0' } }],
      purl: 'pkg:npm/%40x/a@1.2.3',
    },
  ])
  expect(bill.dependencies).toEqual([{ ref: 'sluice', dependsOn: ['pkg:npm/%40x/a@1.2.3'] }])
})

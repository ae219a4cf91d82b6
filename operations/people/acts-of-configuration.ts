// Makes the acts of one version of the configuration: that it was deployed, and each bound that it changed. Pure.

import type { StoredRecord } from '../../core/journal/record-store.ts'
import { type ConfigurationVersion, configurationIn } from '../../core/people/configurations.ts'
import { counted } from '../../core/printable.ts'
import { type Act, Did } from './act.ts'

/** In place of a name, where nobody claims to have deployed it. */
const NOT_RECORDED = 'not recorded'

/** @throws Defect */
export function configured(record: StoredRecord): readonly Act[] {
  const version = configurationIn(record)
  const { at, by = NOT_RECORDED, changes = [] } = version
  const common = { at, by, because: null, what: null, record: record.pk }
  const file = `version ${record.version} of treasury.json`
  return [
    {
      ...{ ...common, did: Did.Configured, kind: 'configuration', about: String(record.version), policy: null },
      detail: `${changesText(version, record.version)}; ${placeText(version)}; SHA-256 ${version.configuration}`,
    },
    ...changes.map(
      ({ kind, path, text }): Act => ({
        ...{ ...common, did: kind, kind: 'bound', about: path, policy: policyIn(path), detail: `${text} (${file})` },
      }),
    ),
  ]
}

function changesText({ changes, changesTotal = 0, previous }: ConfigurationVersion, version: number): string {
  if (previous === undefined) {
    return version === 1
      ? 'the first version that was recorded'
      : 'recorded anew after the version before was deleted, so its changes are not known'
  }
  if (changes === undefined) return 'the version before is too large to be compared'
  const shown = changesTotal > changes.length ? `, of which ${changes.length} are in the log` : ''
  return `${counted(changesTotal, 'change')} of bounds and settings${shown}`
}

/** The deployment, and where to look up who really deployed it. */
function placeText({ commit, release, stack }: ConfigurationVersion): string {
  const source = commit === undefined ? '' : `, commit ${commit}`
  const proof =
    stack === undefined
      ? 'at a desk'
      : `by stack ${stack}: CloudTrail has who deployed it, as ExecuteChangeSet, CreateStack or UpdateStack of this stack before then`
  return `release ${release}${source}, ${proof}`
}

function policyIn(path: string): string | null {
  const [root, policy] = path.split('.')
  return root === 'policies' && policy !== undefined ? policy : null
}

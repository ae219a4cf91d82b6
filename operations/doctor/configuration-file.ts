// Checks who else could write the configuration of a desk, because it holds guards, policies and approvers.
import { Stage } from '../../core/contract/service-settings.ts'
import { findOtherWriter } from '../../place/other-writer.ts'
import { type Check, fail, ok, warn } from './check.ts'

const CHECK = 'configuration'

/** At the stage live a desk refuses the file. */
export function configurationFileCheck(file: string, stage: Stage): Check {
  const detail = `${file}, stage ${stage}`
  const found = findOtherWriter(file)
  if (found === undefined) return ok(CHECK, detail)
  const report = stage === Stage.Live ? fail : warn
  const { place, writer } = found
  return report(CHECK, `${detail}; ${place} can be changed by ${writer}`, `chmod go-w ${place}, and read ${file} again`)
}

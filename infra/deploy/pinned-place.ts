// Refuses to write an assembly for another account or region than treasury.json pins. The cdk command passes the
// account of its credentials and its region in two variables. Without them nothing is deployed, so nothing is refused.
import type { Treasury } from '../../core/contract/treasury.ts'
import { ConfigError } from '../../core/treasury/config.ts'

/** @throws ConfigError */
export function assertMayDeployTo(
  pinned: Treasury['aws'],
  { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region }: Readonly<Record<string, string | undefined>>,
): void {
  if (pinned === undefined) return
  const findings = [
    ...(account === undefined || account === pinned.account
      ? []
      : [
          `treasury.json: aws.account: expected the account of the credentials, ${account}; got ${pinned.account}: set AWS_PROFILE`,
        ]),
    ...(region === undefined || region === pinned.region
      ? []
      : [
          `treasury.json: aws.region: expected the region of the deployment, ${region}; got ${pinned.region}: set AWS_REGION`,
        ]),
  ]
  if (findings.length > 0) throw new ConfigError(findings)
}

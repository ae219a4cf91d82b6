// Owns the conditions under which an AWS service may assume a role of ours: on behalf of one resource of this account,
// and no other. Roles of functions have no such condition, because AWS documents none that Lambda sends when it assumes
// an execution role. Their own policies restrict them to one function instead (verb-function.ts, docs/decisions/0062).
import { Stack } from 'aws-cdk-lib'
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

/** `sourceArn`: built from the name, because the resource itself needs the role first. */
export function onBehalfOf(scope: Construct, service: string, sourceArn: string): ServicePrincipal {
  return new ServicePrincipal(service, {
    conditions: {
      StringEquals: { 'aws:SourceAccount': Stack.of(scope).account },
      ArnEquals: { 'aws:SourceArn': sourceArn },
    },
  })
}

/** EventBridge Scheduler sends the group of a schedule. `group`: its deployed name. */
export function onBehalfOfSchedules(scope: Construct, group: string): ServicePrincipal {
  const sourceArn = Stack.of(scope).formatArn({ service: 'scheduler', resource: 'schedule-group', resourceName: group })
  return onBehalfOf(scope, 'scheduler.amazonaws.com', sourceArn)
}

// Asks a deployment of Sluice for movements and runs, and waits for their ends. Other code imports this file only.
export { type ClientOptions, createClient, type RunOptions, type SluiceClient } from './client.ts'
export {
  ClientError,
  ErrorCode,
  IdTaken,
  InvalidRequest,
  MovedInPart,
  MovedNothing,
  NeedsPerson,
  NoDeployment,
  NotAllowed,
  NotYet,
  OwnFault,
  StartUnknown,
} from './errors.ts'
export type { Handle, WaitOptions } from './handle.ts'
export type { ConvertReport, Fill, Report, RunLeg, RunReport, WithdrawReport } from './reports.ts'
export type { ConvertRequest, PayoutRow, Policies, WithdrawRequest } from './requests.ts'

// Exports single parts of the embedded AWS for benchmarks, and for tests of an assembly. This is not a stable
// interface.
export { planDeployment } from './assembly/plan-deployment.ts'
export { readAssembly } from './assembly/read-assembly.ts'
export { readSchedule } from './assembly/read-schedule.ts'
export { openStore } from './dynamodb/dynalite-store.ts'
export { DynamoDb } from './dynamodb/dynamodb.ts'
export { secretsFile } from './embedded-secrets.ts'
export { Access } from './endpoint/access.ts'
export { parsePolicy, parseResourcePolicy } from './endpoint/access-policy.ts'
export { Fields } from './fields.ts'
export { functionEnvironment } from './lambda/function-definition.ts'
export { ExecutionFiles } from './states/execution-files.ts'
export { createLog } from './states/execution-log.ts'

// Lists the allowed and the forbidden imports of each room, by docs/architecture.md.

export const boundaries: Record<string, { may: string[]; mayNot: string[] }> = {
  'core/contract/offender.ts': {
    may: ['zod/mini', './states.ts'],
    mayNot: ['zod', 'jose', 'node:fs', '../errors.ts', '../treasury/policy-rules.ts', '../../functions/quote/quote.ts'],
  },
  'core/offender.ts': {
    may: ['./errors.ts', './contract/errors.ts', 'zod/mini', 'node:crypto'],
    mayNot: ['@aws-sdk/client-dynamodb', 'node:http', '../functions/order/order.ts'],
  },
  'core/treasury/offender.ts': {
    may: [
      './policy-rules.ts',
      '../policies/kinds.ts',
      '../policies/policy-fault.ts',
      '../contract/treasury.ts',
      '@sluice/schedules',
      'zod/mini',
      'node:fs',
    ],
    mayNot: [
      '../policies/planners.ts',
      '../policies/setups.ts',
      '../errors.ts',
      '../planning/planner.ts',
      '../journal/journal.ts',
      '@aws-sdk/client-dynamodb',
    ],
  },
  'core/policies/sweep/offender.ts': {
    may: ['./rules.ts', '../kind.ts', '../../contract/policies.ts'],
    mayNot: [
      './planner.ts',
      '../setups.ts',
      '../planners.ts',
      '../fund/kind.ts',
      '../../treasury/policy-rules.ts',
      '../../planning/planner.ts',
      '../../money/decimal.ts',
      'zod/mini',
    ],
  },
  'core/policies/sweep/planner.ts': {
    may: ['../../planning/planner.ts', '../kinds.ts', '../../money/decimal.ts', './planning/x.ts'],
    mayNot: ['../setups.ts', '../../runs/ports.ts', '../../journal/journal.ts', '../fund/planner.ts'],
  },
  'core/policies/setups.ts': {
    may: ['./questions.ts', '../contract/policies.ts'],
    mayNot: ['./sweep/planner.ts', './planners.ts', '../money/decimal.ts', '../../operations/setup/questions.ts'],
  },
  'core/money/offender.ts': {
    may: ['./decimal.ts', '../contract/amount.ts'],
    mayNot: ['../errors.ts', '../service/ports.ts', 'jose', 'node:crypto', '@aws-sdk/client-dynamodb'],
  },
  'core/service/offender.ts': {
    may: ['./ports.ts', '../money/amount.ts', '../errors.ts', '../clock.ts', 'jose', 'zod/mini', 'node:https'],
    mayNot: [
      '@aws-sdk/client-secrets-manager',
      '../keys/secrets-manager-key-source.ts',
      '../journal/journal.ts',
      '../../functions/order/order.ts',
    ],
  },
  'core/journal/offender.ts': {
    may: ['@aws-sdk/client-dynamodb', '../errors.ts', '../contract/records.ts', '../service/ports.ts'],
    mayNot: ['../service/http.ts', '../keys/key-source.ts', 'jose', '../../functions/quote/quote.ts'],
  },
  'core/keys/offender.ts': {
    may: ['@aws-sdk/client-secrets-manager', '../errors.ts', 'node:crypto'],
    mayNot: ['../service/http.ts', '../journal/journal.ts', '@sluice/service-sandbox'],
  },
  'core/movements/conversion/offender.ts': {
    may: ['../../money/decimal.ts', '../../journal/intent.ts', '../../service/ports.ts', '../../contract/convert.ts'],
    mayNot: [
      '../../journal/dynamo-store.ts',
      '../../service/http.ts',
      '../../runs/ports.ts',
      '@aws-sdk/client-dynamodb',
      '../../../functions/order/order.ts',
    ],
  },
  'core/audit/offender.ts': {
    may: [
      '../money/decimal.ts',
      '../journal/entering.ts',
      '../movements/follows.ts',
      '../movements/withdrawal/match.ts',
      '../service/ports.ts',
      '../contract/records.ts',
      '../printable.ts',
    ],
    mayNot: [
      '../journal/dynamo-store.ts',
      '../runs/ports.ts',
      '../service/http.ts',
      '../../functions/reconcile/reconcile.ts',
      '@aws-sdk/client-dynamodb',
    ],
  },
  'core/guards/offender.ts': {
    may: ['../money/decimal.ts', '../journal/budgets.ts', '../service/ports.ts', '../contract/guards.ts', 'zod/mini'],
    mayNot: [
      '../journal/dynamo-store.ts',
      '../service/http.ts',
      '../movements/conversion/convert-intent.ts',
      '@aws-sdk/client-dynamodb',
    ],
  },
  'core/planning/sweep/offender.ts': {
    may: [
      './sweep.ts',
      '../planner.ts',
      '../market/rates.ts',
      '../../money/decimal.ts',
      '../../contract/plan.ts',
      '../../params-hash.ts',
    ],
    mayNot: [
      '../../policies/kinds.ts',
      '../../treasury/config.ts',
      '../../journal/journal.ts',
      '../../journal/budgets.ts',
      '../../service/ports.ts',
      '../../runs/ports.ts',
      '@aws-sdk/client-dynamodb',
    ],
  },
  'core/runs/plan/offender.ts': {
    may: ['../ports.ts', '../record/runs.ts', '../../planning/planner.ts', '../../service/ports.ts', '../../errors.ts'],
    mayNot: ['../../service/http.ts', '../../journal/dynamo-store.ts', '../../keys/signer.ts', '@aws-sdk/client-sfn'],
  },
  'core/notices/offender.ts': {
    may: ['../errors.ts', '../contract/notices.ts', './shapes.ts', 'node:crypto', 'node:net'],
    mayNot: [
      '@aws-sdk/client-sns',
      '../journal/halts.ts',
      '../runs/ports.ts',
      'node:http',
      '../../functions/notify/notify.ts',
    ],
  },
  'core/triggers/offender.ts': {
    may: [
      '@aws-sdk/client-sfn',
      '../errors.ts',
      '../keys/aws-limits.ts',
      '../contract/runs.ts',
      'node:crypto',
      '../treasury/nearest-name.ts',
    ],
    mayNot: [
      '../journal/journal.ts',
      '../keys/key-source.ts',
      '../service/http.ts',
      '../../functions/start-run/start-run.ts',
    ],
  },
  'functions/start-run/offender.ts': {
    may: ['../../core/triggers/starter.ts', '../../core/triggers/names.ts', '../../core/contract/triggers.ts'],
    mayNot: [
      '../../core/triggers/step-functions.ts',
      '../announce/announce.ts',
      '@aws-sdk/client-sfn',
      'node:crypto',
      '../runtime/environment.ts',
    ],
  },
  'functions/order/offender.ts': {
    may: [
      './order.ts',
      '../../core/contract/convert.ts',
      '../../core/money/decimal.ts',
      '../../core/journal/journal.ts',
      '../../core/policies/kinds.ts',
      '../../core/service/ports.ts',
    ],
    mayNot: [
      '../../core/policies/planners.ts',
      '../../core/policies/setups.ts',
      '@aws-sdk/client-dynamodb',
      'jose',
      'node:crypto',
      './handler.ts',
      '../quote/quote.ts',
      '../../core/service/service-client.ts',
      '../../core/journal/dynamo-store.ts',
      '../../core/keys/key-source.ts',
      '@sluice/service-sandbox',
    ],
  },
  'functions/plan-sweep/plan-sweep.ts': {
    may: ['../../core/policies/kinds.ts', '../../core/policies/planners.ts', '../../core/runs/plan/plan-run.ts'],
    mayNot: ['../../core/policies/setups.ts', '../plan-rebalance/plan-rebalance.ts', '@aws-sdk/client-dynamodb'],
  },
  'functions/order/handler.ts': {
    may: ['./order.ts', '../../core/service/service-client.ts', '../runtime/log.ts', '@aws-sdk/client-dynamodb'],
    mayNot: ['../quote/quote.ts', '../quote/handler.ts', '../../infra/app.ts', 'aws-cdk-lib'],
  },
  'functions/movements.ts': {
    may: ['./order/handler.ts', '../core/contract/states.ts', './runtime/initialise.ts'],
    mayNot: ['./order/order.ts', '@aws-sdk/client-dynamodb'],
  },
  'functions/runtime/offender.ts': {
    may: ['./log.ts', '../../core/keys/key-source.ts', '@aws-sdk/client-dynamodb'],
    mayNot: ['../order/order.ts', '../order/handler.ts', '../../cli/main.ts'],
  },
  'infra/constructs/offender.ts': {
    may: [
      'aws-cdk-lib',
      'aws-cdk-lib/aws-lambda',
      'constructs',
      '../retry-policies.ts',
      '../machines/machine-kit.ts',
      '../../core/contract/states.ts',
    ],
    mayNot: ['../../functions/order/handler.ts', '../../core/errors.ts', '../../cli/main.ts', '@sluice/embedded-aws'],
  },
  'infra/offender.ts': {
    may: [
      './bundle/bundle.ts',
      './constructs/verb-function.ts',
      '../core/contract/treasury.ts',
      '../core/treasury/config.ts',
      'cdk-nag',
      'esbuild',
      'node:fs',
    ],
    mayNot: ['../functions/movements.ts', '../core/money/amount.ts', 'jose', '@aws-sdk/client-dynamodb'],
  },
  'packages/service-sandbox/service/offender.ts': {
    may: ['./ledger.ts', '../service/clock.ts', 'node:http', 'node:crypto', 'decimal.js', 'zod/mini'],
    mayNot: [
      '../../core/contract/states.ts',
      '../../core/money/amount.ts',
      'jose',
      'zod',
      '@sluice/schedules',
      '@sluice/embedded-aws',
      '../../cli/main.ts',
    ],
  },
  'packages/service-sandbox/main.ts': {
    may: ['./service/sandbox.ts', 'node:util'],
    mayNot: ['../core/contract/states.ts', '@sluice/embedded-aws', 'commander'],
  },
  'packages/schedules/offender.ts': {
    may: ['./zone.ts'],
    mayNot: [
      'node:fs',
      'zod/mini',
      '../core/treasury/config.ts',
      '../functions/quote/quote.ts',
      '@sluice/embedded-aws',
      '../cli/main.ts',
    ],
  },
  'packages/embedded-aws/offender.ts': {
    may: ['./states/path.ts', '@sluice/schedules', 'dynalite', 'node:worker_threads'],
    mayNot: [
      '../core/contract/states.ts',
      '../core/errors.ts',
      '../functions/order/handler.ts',
      '@sluice/service-sandbox',
      '../cli/main.ts',
    ],
  },
  'cli/offender.ts': {
    may: [
      '../core/treasury/config.ts',
      '../core/contract/convert.ts',
      '../core/keys/key-material.ts',
      '@sluice/service-sandbox',
      'commander',
    ],
    mayNot: [
      '../functions/order/order.ts',
      '../functions/order/handler.ts',
      '../functions/movements.ts',
      'aws-cdk-lib',
      'esbuild',
    ],
  },
  'cli/terminal/offender.ts': {
    may: ['./output.ts', '../../core/clock.ts', '../../place/context.ts', '../../views/text/table.ts', 'commander'],
    mayNot: ['../run/run.ts', '../doctor/doctor.ts', '../../functions/order/order.ts'],
  },
  'operations/runs/offender.ts': {
    may: [
      '../connection/settings.ts',
      '../operation-error.ts',
      '../../core/runs/record/runs.ts',
      '@sluice/embedded-aws',
    ],
    mayNot: ['../../cli/run/run.ts', '../../views/text/table.ts', '../../console/app.ts', 'commander', 'hono'],
  },
  'operations/words/offender.ts': {
    may: ['./request-words.ts', '../../core/contract/runs.ts', '../../place/operation-error.ts'],
    mayNot: ['../../place/settings.ts', '../../views/text/table.ts', '@sluice/embedded-aws'],
  },
  'place/journal/offender.ts': {
    may: ['./journal-client.ts', '../settings.ts', '../../core/runs/record/runs.ts', '@sluice/embedded-aws'],
    mayNot: [
      '../../operations/runs/run-to-end.ts',
      '../../views/text/table.ts',
      '../../functions/order/order.ts',
      'aws-cdk-lib',
    ],
  },
  'views/movements/offender.ts': {
    may: [
      './sentences.ts',
      '../text/table.ts',
      '../../operations/words/request-words.ts',
      '../../core/contract/runs.ts',
    ],
    mayNot: ['../../cli/show/show.ts', '../../console/app.ts', '@aws-sdk/client-sfn', 'hono'],
  },
  'views/pages/offender.ts': {
    may: ['./layout.ts', '../html/markup.ts'],
    mayNot: ['node:fs', '../../console/session.ts'],
  },
  'console/offender.ts': {
    may: ['./session.ts', '../operations/overview/overview.ts', '../views/pages/run.ts', 'hono'],
    mayNot: ['../cli/approve/approve.ts', '@aws-sdk/client-sfn', 'commander', '../functions/order/order.ts'],
  },
}

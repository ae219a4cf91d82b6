// Owns the dashboard of a deployment: its alarms, every metric in the table of core/contract/metrics.ts, and AWS's
// metrics of machines, functions and queue.
import { Duration } from 'aws-cdk-lib'
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { METRIC_NAMESPACE, METRICS, type MetricName, type MetricTerms } from '../../core/contract/metrics.ts'
import { StateMachine as MachineName, type Verb } from '../../core/contract/states.ts'
import { nameIn } from './deployed-name.ts'
import { runbookLink } from './runbook-link.ts'
import { ofFunctions, UNATTENDED } from './watched-metrics.ts'

export interface OverviewProps {
  readonly alarms: readonly IAlarm[]
  readonly functions: readonly Verb[]
  readonly deadLetters: IMetric
}

const PERIOD = Duration.minutes(5)
/** Width of a graph: a third of the dashboard's 24 columns. */
const THIRD = 8

export class Overview extends Construct {
  constructor(scope: Construct, id: string, { alarms, deadLetters, functions }: OverviewProps) {
    super(scope, id)
    const name = nameIn(this, 'sluice')
    const graph = (title: string, left: readonly IMetric[]) => new GraphWidget({ title, left: [...left], width: THIRD })
    const machines = Object.values(MachineName).map((machine) =>
      StateMachine.fromStateMachineName(this, machine, nameIn(this, machine)),
    )
    const ofEach = (metricOf: (machine: (typeof machines)[number]) => IMetric) => machines.map(metricOf)
    new Dashboard(this, 'Dashboard', {
      dashboardName: name,
      // A day, so that schedules and daily budgets are visible whole.
      defaultInterval: Duration.days(1),
      widgets: [
        [
          new TextWidget({
            markdown: `**${name}**: what each alarm and metric means: ${runbookLink('')}`,
            width: 24,
            height: 1,
          }),
        ],
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 5 })],
        ...rowsOf(
          Object.entries(METRICS).map(([metric, terms]) =>
            graph(`${metric}: ${terms.says}`, linesOf(this, metric as MetricName, terms)),
          ),
        ),
        [
          graph(
            'Executions that failed',
            ofEach((machine) => machine.metricFailed({ period: PERIOD })),
          ),
          graph(
            'Functions',
            (['Errors', 'Throttles'] as const).flatMap((metric) =>
              UNATTENDED.map((alarm) => ofFunctions(this, alarm, metric, { deployed: functions, period: PERIOD })),
            ),
          ),
          graph('Dead letters', [deadLetters]),
        ],
      ],
    })
  }
}

function rowsOf(widgets: readonly IWidget[]): IWidget[][] {
  const perRow = 24 / THIRD
  return Array.from({ length: Math.ceil(widgets.length / perRow) }, (_, row) =>
    widgets.slice(row * perRow, (row + 1) * perRow),
  )
}

/** One line for each combination of its dimensions, whichever exist. */
function linesOf(scope: Construct, metric: MetricName, { by, statistic }: MetricTerms): readonly IMetric[] {
  return by.map((dimensions) => {
    const schema = [nameIn(scope, METRIC_NAMESPACE), ...dimensions].map((part) => `"${part}"`).join(',')
    return new MathExpression({
      expression: `SEARCH('{${schema}} MetricName="${metric}"', '${statistic}', ${PERIOD.toSeconds()})`,
      label: '',
      period: PERIOD,
    })
  })
}

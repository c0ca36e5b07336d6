import { adapterOnNode, adapterSeen, adapterSeenOnNode } from "./abandoned-work.ts";
import { adapterBehaviours } from "./behaviours.ts";
import { AdapterBench } from "./bench.ts";
import { AdapterControlPlane } from "./control-plane.ts";
import { adapterEndings } from "./endings.ts";
import type { AdapterOnTrial, RunningServer, SuiteRunner } from "./trial.ts";

/**
 * The contract of adapters, black box over HTTP: declares a suite of tests with the runner. All share one app, started
 * once, whose customers are strangers to each other.
 */
export function testAdapter(name: string, trial: AdapterOnTrial, runner: SuiteRunner): void {
  runner.describe(`the adapter contract: ${name}`, () => {
    const plane = new AdapterControlPlane();
    const running: RunningServer[] = [];
    let url = "";
    runner.beforeAll(async () => {
      const service = await trial.serve((request) => plane.handle(request));
      running.push(service);
      const app = await trial.start(service.url);
      running.push(app);
      url = app.url;
    });
    runner.afterAll(async () => {
      for (const server of running.reverse()) await server.close();
    });
    const { endingsAlone = false, seesHandler = true, onNode = false } = trial;
    const behaviours = endingsAlone
      ? adapterEndings
      : {
          ...adapterBehaviours,
          ...(seesHandler && adapterSeen),
          ...(onNode && adapterOnNode),
          ...(seesHandler && onNode && adapterSeenOnNode),
        };
    for (const [behaviour, check] of Object.entries(behaviours)) {
      runner.it(behaviour, () => check(new AdapterBench(url, plane, trial)));
    }
  });
}

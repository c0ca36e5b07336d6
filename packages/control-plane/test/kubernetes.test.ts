import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { CronJob } from "kubernetes-models/batch/v1/CronJob";
import { Job } from "kubernetes-models/batch/v1/Job";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { readConfig } from "../src/cli/config.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = fileURLToPath(new URL("../operations/kubernetes", import.meta.url));

const labels = z.record(z.string(), z.string());
const selector = z.object({ matchLabels: labels.default({}) });
const secret = z.strictObject({
  name: z.string(),
  valueFrom: z.strictObject({
    secretKeyRef: z.strictObject({ name: z.string(), key: z.string(), optional: z.literal(true).optional() }),
  }),
});
const probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const container = z.looseObject({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(secret),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  securityContext: z.unknown(),
});
const template = z.object({
  metadata: z.object({ labels }),
  spec: z.looseObject({
    automountServiceAccountToken: z.boolean(),
    terminationGracePeriodSeconds: z.int().default(30),
    securityContext: z.unknown(),
    containers: z.array(container).length(1),
  }),
});
const manifest = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  spec: z
    .looseObject({
      template: template.optional(),
      jobTemplate: z.looseObject({ spec: z.looseObject({ template }) }).optional(),
    })
    .optional(),
});

const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), "utf8")).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    const data: unknown = document.toJS();
    return { data, ...manifest.parse(data) };
  }),
);
/** Of the Prometheus Operator: Kubernetes publishes no schema for it. */
const podMonitor = z.strictObject({
  apiVersion: z.literal("monitoring.coreos.com/v1"),
  kind: z.literal("PodMonitor"),
  metadata: z.strictObject({ name: z.string(), namespace: z.string() }),
  spec: z.strictObject({
    selector: z.strictObject({ matchLabels: labels }),
    podMetricsEndpoints: z.array(
      z.strictObject({ port: z.string(), path: z.literal("/metrics"), interval: z.string() }),
    ),
  }),
});
const ofKubernetes = manifests.filter(({ kind }) => kind !== "PodMonitor");
const pods = manifests.flatMap(({ metadata: { name }, spec }) => {
  const pod = spec?.template ?? spec?.jobTemplate?.spec.template;
  return pod === undefined ? [] : [{ name, ...pod }];
});
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

/** Checks by the schemas that Kubernetes publishes, and tells the module that has the type of the kind. */
const kinds: Readonly<Record<string, readonly [module: string, check: (data: never) => void]>> = {
  Namespace: ["v1", (data) => new Namespace(data).validate()],
  ServiceAccount: ["v1", (data) => new ServiceAccount(data).validate()],
  Service: ["v1", (data) => new Service(data).validate()],
  Deployment: ["apps/v1", (data) => new Deployment(data).validate()],
  CronJob: ["batch/v1", (data) => new CronJob(data).validate()],
  Job: ["batch/v1", (data) => new Job(data).validate()],
  PodDisruptionBudget: ["policy/v1", (data) => new PodDisruptionBudget(data).validate()],
  HorizontalPodAutoscaler: ["autoscaling/v2", (data) => new HorizontalPodAutoscaler(data).validate()],
  NetworkPolicy: ["networking.k8s.io/v1", (data) => new NetworkPolicy(data).validate()],
};

function kindOf(kind: string) {
  const found = kinds[kind];
  if (found === undefined) throw new Error(`a kind without a schema here: ${kind}`);
  return found;
}

function check(kind: string, data: unknown): void {
  const [, validate] = kindOf(kind);
  validate(data as never);
}

describe("operations/kubernetes", () => {
  it("is what the schemas of Kubernetes take", () => {
    expect(new Set(ofKubernetes.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
    for (const { kind, data } of ofKubernetes) check(kind, data);
    expect(() => check("Deployment", { spec: { replicas: "two" } })).toThrow("replicas");
  });

  it("has no field that Kubernetes does not know, which its schemas let pass", async () => {
    const place = await mkdtemp(path.join(tmpdir(), "creditgate-kubernetes-"));
    try {
      await symlink(path.join(root, "node_modules"), path.join(place, "node_modules"));
      const constant = (kind: string, data: unknown, name: string) =>
        `export const ${name}: import("kubernetes-models/${kindOf(kind)[0]}/${kind}").I${kind} = ${JSON.stringify(data)};`;
      const misspelt = { apiVersion: "v1", kind: "Namespace", metadata: { nmae: "creditgate" } };
      await writeFile(
        path.join(place, "manifests.ts"),
        [
          ...ofKubernetes.map(({ kind, data }, at) => constant(kind, data, `manifest${at}`)),
          "// @ts-expect-error",
          constant("Namespace", misspelt, "misspelt"),
        ].join("\n"),
      );
      const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""];
      const tsc = path.join(root, "node_modules/typescript/bin/tsc");
      const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...options, "manifests.ts"], {
        cwd: place,
      }).catch((error: { stdout: string }) => error);
      expect(stdout).toBe("");
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });

  it("starts what there is: options of this version, secrets by reference only, one image", () => {
    const configs = pods.map(({ spec: { containers, terminationGracePeriodSeconds } }) => {
      const [{ args = [], env = [] } = {}] = containers;
      const environment = Object.fromEntries(
        env.map(({ name }) => [
          name,
          name.startsWith("DATABASE_") ? "postgres://a:b@host/creditgate" : `admin:${"x".repeat(40)}`,
        ]),
      );
      const config = readConfig(args, environment);
      // Killed before its own end, a process would cut off what it answers.
      if ("stopTimeoutMs" in config) {
        expect(config.stopTimeoutMs).toBeLessThan(terminationGracePeriodSeconds * 1_000);
      }
      return config;
    });
    expect(configs.map(({ command }) => command).toSorted()).toEqual([
      "migrate",
      "serve",
      "verify",
      "worker",
    ]);
    const served = configs.find(({ command }) => command === "serve");
    expect(served).toMatchObject({ settlement: false, host: "0.0.0.0", port: 4000, metricsPort: 9464 });
    expect(new Set(pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image))).size).toBe(1);
  });

  it("has the owner's secret in the migration only", () => {
    for (const { name, spec } of pods) {
      const secrets = spec.containers.flatMap(({ env }) =>
        env.map(({ valueFrom }) => valueFrom.secretKeyRef.name),
      );
      expect(new Set(secrets)).toEqual(
        new Set([name === "creditgate-migrate" ? "creditgate-owner" : "creditgate"]),
      );
    }
  });

  it("keeps to the restricted security of pods", () => {
    for (const { spec } of pods) {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(spec.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("probes the port that clients cannot take up", () => {
    const lasting = ofKind("Deployment").map(({ metadata }) => metadata.name);
    for (const { name, spec } of pods.filter(({ name }) => lasting.includes(name))) {
      const [only] = spec.containers;
      expect(only?.ports, name).toContainEqual({ name: "metrics", containerPort: 9464 });
      const asked = [only?.startupProbe, only?.readinessProbe, only?.livenessProbe].map(
        (probe) => probe?.httpGet,
      );
      expect(asked).toEqual(["/health", "/ready", "/health"].map((path) => ({ path, port: "metrics" })));
    }
  });

  it("selects pods that there are, in one namespace", () => {
    const isSelected = (matched: Readonly<Record<string, string>>) =>
      pods.some(({ metadata }) =>
        Object.entries(matched).every(([label, value]) => metadata.labels[label] === value),
      );
    for (const { kind, metadata, spec } of manifests) {
      expect(kind === "Namespace" ? metadata.name : metadata.namespace).toBe("creditgate");
      const matched =
        kind === "Service"
          ? labels.parse(spec?.selector)
          : selector.parse(spec?.selector ?? spec?.podSelector ?? {}).matchLabels;
      expect(isSelected(matched), metadata.name).toBe(true);
    }
    const [monitor] = ofKind("PodMonitor").map(({ data }) => podMonitor.parse(data));
    const ports = monitor?.spec.podMetricsEndpoints.map(({ port }) => port);
    expect(ports).toEqual(["metrics"]);
    const budgets = ofKind("PodDisruptionBudget").map(({ metadata }) => metadata.name);
    expect(budgets).toEqual(ofKind("Deployment").map(({ metadata }) => metadata.name));
  });

  it("takes no more connections than PostgreSQL has by default, also in an upgrade at full scale", () => {
    const [scaler] = ofKind("HorizontalPodAutoscaler").map(({ data }) =>
      z
        .object({
          spec: z.object({ minReplicas: z.int(), maxReplicas: z.int(), scaleTargetRef: z.unknown() }),
        })
        .parse(data),
    );
    const deployments = new Map(
      ofKind("Deployment").map(({ metadata, data }) => [
        metadata.name,
        z.object({ spec: z.object({ replicas: z.int() }) }).parse(data).spec.replicas,
      ]),
    );
    const { minReplicas, maxReplicas = 0, scaleTargetRef } = scaler?.spec ?? {};
    expect(scaleTargetRef).toEqual({ apiVersion: "apps/v1", kind: "Deployment", name: "creditgate-api" });
    expect(minReplicas).toBe(deployments.get("creditgate-api"));
    const workers = (deployments.get("creditgate-worker") ?? 0) + 1;
    // As OPERATIONS.md says: a replica takes up to 19, a worker 4; PostgreSQL keeps 3 of 100 for its superusers.
    expect((maxReplicas + 1) * 19 + workers * 4).toBeLessThanOrEqual(97);
  });
});

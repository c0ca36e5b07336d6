/** What tells series of one metric apart. Values come from us, or from a closed set: never from a request. */
export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(count?: number, labels?: Labels): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
  /** What observes values with these labels: for labels that come often, since it costs more to name them than to count. */
  with(labels: Labels): (value: number) => void;
}

/** One value, or one for each set of labels. */
export type Reading = readonly { readonly value: number; readonly labels?: Labels }[];

/** Metrics of one process, told in Prometheus' text format 0.0.4. */
export interface Exposition {
  counter(name: string, help: string): Counter;
  /** `bounds` are the upper ends of the buckets, rising; what is above them all is counted too. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** Read when it is asked for. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void;
  /** Rejects where a gauge cannot be read. */
  render(): Promise<string>;
}

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

interface Series {
  readonly labels: Labels;
  readonly buckets: number[];
  sum: number;
  count: number;
}

export function createExposition(): Exposition {
  const families: { readonly head: string; lines(): Promise<string[]> | string[] }[] = [];
  const family = (name: string, type: string, help: string, lines: () => Promise<string[]> | string[]) => {
    families.push({ head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines });
  };

  return {
    counter(name, help) {
      const totals = new Map<string, number>([["", 0]]);
      family(name, "counter", help, () =>
        [...totals]
          .filter(([labels]) => labels !== "" || totals.size === 1)
          .map(([labels, total]) => `${name}${labels} ${total}`),
      );
      return {
        add(count = 1, labels = {}) {
          const key = format(labels);
          totals.set(key, (totals.get(key) ?? 0) + count);
        },
      };
    },
    histogram(name, help, bounds) {
      const all = new Map<string, Series>();
      family(name, "histogram", help, () =>
        [...all.values()].flatMap((series) => lines(name, bounds, series)),
      );
      const observer = (labels: Labels) => {
        const key = format(labels);
        const series = all.get(key) ?? { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 };
        all.set(key, series);
        return (value: number): void => {
          const bucket = bounds.findIndex((bound) => value <= bound);
          if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
          series.sum += value;
          series.count += 1;
        };
      };
      return {
        observe: (value, labels = {}) => observer(labels)(value),
        with: observer,
      };
    },
    gauge(name, help, read) {
      family(name, "gauge", help, async () =>
        (await read()).map(({ value, labels = {} }) => `${name}${format(labels)} ${value}`),
      );
    },
    async render() {
      const rendered = await Promise.all(
        families.map(async ({ head, lines }) => [head, ...(await lines())].join("\n")),
      );
      return `${rendered.join("\n")}\n`;
    },
  };
}

function lines(name: string, bounds: readonly number[], { labels, buckets, sum, count }: Series): string[] {
  let below = 0;
  const cumulative = bounds.map((bound, index) => {
    below += buckets[index] ?? 0;
    return `${name}_bucket${format({ ...labels, le: String(bound) })} ${below}`;
  });
  return [
    ...cumulative,
    `${name}_bucket${format({ ...labels, le: "+Inf" })} ${count}`,
    `${name}_sum${format(labels)} ${sum}`,
    `${name}_count${format(labels)} ${count}`,
  ];
}

function format(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join()}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

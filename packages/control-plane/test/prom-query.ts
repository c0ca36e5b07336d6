import { parser } from "@prometheus-io/lezer-promql";

/** A metric that a query names, with the labels that it is selected or divided by. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** What a query reads; throws where Prometheus' own grammar cannot read the query. Labels that it groups by are of each of its metrics. */
export function selectorsOf(query: string): readonly Selector[] {
  const selectors: { metric: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  parser.parse(query).iterate({
    enter({ name, from, to, type, node }) {
      if (type.isError) throw new Error(`PromQL: at ${from} of ${query}`);
      const text = query.slice(from, to);
      if (name === "Identifier" && node.parent?.name === "VectorSelector") {
        selectors.push({ metric: text, labels: [] });
      } else if (name === "LabelName") {
        const isSelected = node.parent?.name === "UnquotedLabelMatcher";
        (isSelected ? (selectors.at(-1)?.labels ?? grouped) : grouped).push(text);
      }
    },
  });
  return selectors.map(({ metric, labels }) => ({ metric, labels: [...labels, ...grouped] }));
}

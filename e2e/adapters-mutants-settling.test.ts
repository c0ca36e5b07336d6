import { abortMutants } from "./adapter-mutants/abort-mutants.ts";
import { judge } from "./adapter-mutants/judgement.ts";
import { settlingMutants } from "./adapter-mutants/settling-mutants.ts";

judge([...settlingMutants, ...abortMutants]);

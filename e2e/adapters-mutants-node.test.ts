import { judge } from "./adapter-mutants/judgement.ts";
import { nodeMutants } from "./adapter-mutants/node-mutants.ts";

judge(nodeMutants);

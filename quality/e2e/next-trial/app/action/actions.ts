"use server";

import { withCreditsAction } from "@creditgate/next";
import { trial, work } from "./work.ts";

const { gate, options } = trial.on("reported");

export const act = withCreditsAction(gate, options, work);

/** The words of the demo. With the verdict, and what the reader may try, they fit into 24 lines of 80 columns. */
export function openingOf(processes: number): readonly string[] {
  const ours =
    processes === 1
      ? "and one by Creditgate. Starting them"
      : `one by Creditgate in ${processes} processes. Starting`;
  return [
    "The same customers, load and control plane, for two chats: one gated by hand, in",
    `an afternoon (src/demo/by-hand), ${ours} …`,
  ];
}

export function scenariosOf(processes: number): {
  readonly [scenario in "chat" | "race" | "stop" | "outage"]: string;
} {
  const killed =
    processes === 1
      ? "both servers are killed (-9) and start again"
      : `by hand and 1 of ${processes} are killed (-9)`;
  return {
    chat: "1 alice (prepaid) and bob (invoiced) chat until 402; alice pays and asks at once",
    race: "2 team asks 200 times at once, with 50.00 credits for answers of 1.00",
    stop: "3 erin presses stop in mid-answer and asks again at once, ten times",
    outage: `4 billing is down: dora is served, ${killed}`,
  };
}

export function farewellTo(dashboardUrl: string | undefined): string {
  const stay = "Both stay up until Ctrl-C.";
  return dashboardUrl === undefined ? stay : `${stay} Their dashboard: ${dashboardUrl}`;
}

/** What stays on the screen: with the reader's commands the table of the customers has to make room. */
export function lastPicture(
  table: readonly string[],
  verdict: readonly string[],
  commands: readonly string[] | undefined,
): readonly string[] {
  return commands === undefined ? ["", ...table, "", ...verdict] : ["", ...verdict, "", ...commands];
}

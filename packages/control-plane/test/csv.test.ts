import { describe, expect, it } from "vitest";
import { csvLine } from "../src/http/csv.ts";

describe("csvLine", () => {
  it("writes text in quotes, and amounts to the last digit", () => {
    expect(csvLine(["a", 'say "hi"', "a,b", "two\nlines", 3, -2.5, true, null, 1_000_001n, -5n])).toBe(
      '"a","say ""hi""","a,b","two\nlines",3,-2.5,true,,1.000001,-0.000005\r\n',
    );
  });

  it.each([
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    " =1",
    "\t=1",
    "\tplain",
    "'=1",
    "＝1",
    "＠SUM",
    '=HYPERLINK("http://x")',
    "|calc",
    "%0A=1",
  ])("defuses %j: a spreadsheet shows it, and does not compute it", (text) => {
    expect(csvLine([text])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
  });

  it.each([
    ["x;=cmd|' /C calc'!A0;", `x;'=cmd|' /C calc'!A0;`],
    ["a; +1;b\r\n-2", `a; '+1;b\r\n'-2`],
    ['{"reason":";@SUM(1)"}', `{""reason"":"";'@SUM(1)""}`],
    ["=1;=2", "'=1;'=2"],
    ["\r=1", "'\r'=1"],
    ["\n=1", "'\n'=1"],
  ])("defuses %j also where cells are separated by semicolons", (text, written) => {
    expect(csvLine([text])).toBe(`"${written}"\r\n`);
  });

  it.each(["alice", "a=1", "1-2", "O'Neil", "user@example.com", "", "c-1"])("leaves %j as it is", (text) => {
    expect(csvLine([text])).toBe(`"${text}"\r\n`);
  });
});

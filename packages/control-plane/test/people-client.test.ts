import { type AdminClient, createAdminClient } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runUsers } from "../src/cli/users.ts";
import { openPeopleScene, type PeopleScene, password, tokenOf } from "./people-scene.ts";
import { creditgate } from "./serve-process.ts";

let scene: PeopleScene;
beforeAll(async () => {
  // The command asks the database what time it is.
  scene = await openPeopleScene({ clock: Date });
});
afterAll(() => scene.plane.stop());

/** The client of a page at the control plane's own origin, in a browser that keeps cookies. */
function page(): AdminClient {
  const baseUrl = scene.plane.baseUrl;
  const cookies = new Map<string, string>();
  return createAdminClient({
    baseUrl,
    session: true,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      expect(headers.has("authorization")).toBe(false);
      headers.set("origin", baseUrl);
      if (cookies.size > 0) headers.set("cookie", [...cookies.values()].join("; "));
      const response = await fetch(url, { ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        const [cookie = ""] = line.split(";");
        cookies.set(cookie.split("=")[0] ?? "", cookie);
      }
      return response;
    },
  });
}

describe("createAdminClient", () => {
  it("signs in, and does for a person what that one may do", async () => {
    const operator = page();
    expect(await operator.account.signInWays()).toEqual({ identityProvider: null, hasUsers: false });
    const token = tokenOf(scene.plane.firstOwnerLink);
    expect(await operator.account.readLink({ token })).toMatchObject({ kind: "first_owner" });
    const who = await operator.account.useLink({ token, email: "o@example.com", name: "O", password });
    expect(who).toMatchObject({ user: { email: "o@example.com" }, operator: true });

    const acme = await operator.organizationNamed("Acme");
    const { link } = await acme.members.invite({ email: "m@example.com", roles: ["money", "keys"] });
    const { invitationId } = await acme.members.invite({ email: "x@example.com", roles: ["read"] });
    expect(await acme.members.invitations()).toHaveLength(2);
    expect(await acme.members.revokeInvitation(invitationId)).toMatchObject({ email: "x@example.com" });

    const member = page();
    await member.account.useLink({ token: tokenOf(link), password });
    const [joined] = await acme.members.list();
    expect(joined).toMatchObject({ email: "m@example.com", roles: ["money", "keys"] });
    const userId = joined?.userId ?? "";
    expect(await acme.members.edit(userId, { roles: ["read"] })).toMatchObject({ roles: ["read"] });
    await expect((await member.organizationNamed("Acme")).closePeriods()).rejects.toMatchObject({
      status: 403,
      problem: { code: "role_missing" },
    });
    const made = await member.account.tokens.create({ name: "ci" });
    const asToken = createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken: made.token });
    expect(await asToken.account.read()).toMatchObject({ user: { email: "m@example.com" }, session: null });
    expect(await member.account.tokens.list()).toHaveLength(1);
    expect(await member.account.tokens.revoke(made.tokenId)).toMatchObject({ revokedAt: expect.any(String) });
    const next = "another sentence of mine";
    await member.account.changePassword({ currentPassword: password, newPassword: next });
    await member.account.signOut();
    await expect(member.account.read()).rejects.toMatchObject({ status: 401 });
    await member.account.signIn({ email: "M@Example.com", password: next });
    await member.account.signOutEverywhere();

    expect(await operator.users.edit(userId, { disabled: true })).toMatchObject({ disabled: true });
    await operator.users.edit(userId, { disabled: false });
    expect((await operator.users.link(userId)).link).toContain("#token=cgl_");
    expect((await operator.users.inviteOperator({ email: "p@example.com" })).link).toContain("#token=cgl_");
    expect(await operator.users.list()).toHaveLength(2);
    expect(await acme.members.remove(userId)).toMatchObject({ userId });
  });

  it("has a token or a session, and not both", () => {
    const baseUrl = "https://billing.example";
    const both = { baseUrl, session: true, adminToken: "cga_a-token-for-these-tests" };
    expect(() => createAdminClient(both)).toThrow("session: expected no adminToken beside it, received both");
    expect(() => createAdminClient({ baseUrl, session: "yes" as never })).toThrow(
      "session: expected true or false",
    );
  });
});

describe("creditgate users", () => {
  const users = (...args: string[]) =>
    creditgate(["users", ...args], { DATABASE_URL: scene.plane.databaseUrl }).exit;

  /** In this process: what is refused prints nothing. */
  const told = (...args: string[]) =>
    runUsers(args, { DATABASE_URL: scene.plane.databaseUrl }, (error) => expect(error).toBeUndefined());

  it("lists accounts, and lets one in who has lost the password", async () => {
    expect((await users("list")).stdout).toBe("m@example.com\no@example.com (operator)\n");
    const made = await users("link", "O@example.com", "--public-url", "https://billing.example.com");
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^creditgate: works once, until 20/),
    });
    expect(made.stdout).toMatch(
      /^https:\/\/billing\.example\.com\/dashboard\/welcome#token=cgl_[\w-]{43}\n$/,
    );
    const browser = scene.browser();
    const next = "what I shall remember";
    const used = await browser.post("/links/use", { token: tokenOf(made.stdout.trim()), password: next });
    expect([used.status, used.json.operator]).toEqual([200, true]);
    expect((await scene.audit()).map(({ actor, action }) => [actor, action])).toContainEqual([
      "creditgate users",
      "user.link",
    ]);
  });

  it("makes an operator where nobody gets in", async () => {
    await expect(told("link", "new@example.com")).rejects.toThrow(
      "expected the e-mail of an account, or --operator to make one",
    );
    const made = await users("link", "new@example.com", "--operator");
    const used = await scene.browser().post("/links/use", { token: tokenOf(made.stdout.trim()), password });
    expect([used.status, used.json.operator]).toEqual([201, true]);
  });

  it.each([
    [["cook"], "users: expected one of list, link, received cook"],
    [["link"], "users link: expected EMAIL, received no EMAIL"],
    [["link", "nobody"], "users link: expected an e-mail address, received nobody"],
    [["list", "all"], "users list: expected options only, received all too"],
    [["list", "--cook"], "users list: expected one of --data, received --cook"],
  ])("names what it expected: %j", async (args, message) => {
    await expect(told(...args)).rejects.toThrow(message);
  });
});

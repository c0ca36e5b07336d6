import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { createLink, findLink } from "../src/people/links.ts";
import { type Browser, openPeopleScene, type PeopleScene, password, tokenOf } from "./people-scene.ts";
import { creditgate } from "./serve-process.ts";

let scene: PeopleScene;
beforeAll(async () => {
  scene = await openPeopleScene();
});
afterAll(() => scene.plane.stop());

const newEmail = () => `${randomUUID()}@example.com`;
const idOf = async (person: Browser) =>
  ((await person.get("/account")).json as { user: { userId: string } }).user.userId;

async function use(link: unknown): Promise<[number, unknown]> {
  scene.clock.time += 10_000;
  const body = { token: tokenOf(link), password };
  const { status, json } = await scene.browser().post("/links/use", body);
  return [status, json.code];
}

/** One who has been invited as an operator, and has signed in. */
async function operator(): Promise<Browser> {
  scene.clock.time += 10_000;
  const { json } = await scene.admin.post("/operators", { email: newEmail() });
  const one = scene.browser();
  expect((await one.post("/links/use", { token: tokenOf(json.link), password })).status).toBe(201);
  return one;
}

const invite = async (by: Browser) =>
  (await by.post(`${scene.path}/invitations`, { email: newEmail(), roles: ["owner"] })).json;
const inviteOperator = async (by: Browser) => (await by.post("/operators", { email: newEmail() })).json;

describe("a one-time link of one who may not make it any more", () => {
  it.each<[string, (userId: string) => Promise<unknown>]>([
    ["is removed", (userId) => scene.admin.post(`${scene.path}/members/${userId}/remove`)],
    [
      "is no owner any more",
      (userId) => scene.admin.post(`${scene.path}/members/${userId}`, { roles: ["money"] }),
    ],
    ["is shut out", (userId) => scene.admin.post(`/users/${userId}`, { disabled: true })],
  ])("invites no one: an owner who %s", async (_, dismiss) => {
    const owner = await scene.member(newEmail(), "owner");
    const [used, unused] = [await invite(owner), await invite(owner)];
    expect(await use(used.link)).toEqual([201, undefined]);
    await dismiss(await idOf(owner));
    const read = await scene.browser().post("/links/read", { token: tokenOf(unused.link) });
    expect([read.status, await use(unused.link)]).toEqual([404, [404, "link_unknown"]]);
    expect((await scene.admin.get(`${scene.path}/invitations?limit=100`)).text).not.toContain(
      String(unused.invitationId),
    );
  });

  it.each([
    ["is shut out", { disabled: true }],
    ["is no operator any more", { operator: false }],
  ])("makes no operator, no owner and no password: an operator who %s", async (_, change) => {
    const dismissed = await operator();
    const member = await scene.member(newEmail(), "read");
    const links = [
      (await inviteOperator(dismissed)).link,
      (await invite(dismissed)).link,
      (await dismissed.post(`/users/${await idOf(member)}/link`)).json.link,
    ];
    await scene.admin.post(`/users/${await idOf(dismissed)}`, change);
    for (const link of links) expect(await use(link)).toEqual([404, "link_unknown"]);
  });

  it("stays so when its maker, who was shut out, is let in again, as sessions and tokens do", async () => {
    const owner = await scene.member(newEmail(), "owner");
    const { link } = await invite(owner);
    const user = `/users/${await idOf(owner)}`;
    await scene.admin.post(user, { disabled: true });
    await scene.admin.post(user, { disabled: false });
    expect(await use(link)).toEqual([404, "link_unknown"]);
  });

  it("is no link for one who holds an account, either", async () => {
    const owner = await scene.member(newEmail(), "owner");
    const email = newEmail();
    const guest = await scene.member(email, "read");
    const { link } = (await owner.post(`${scene.path}/invitations`, { email, roles: ["owner"] })).json;
    await scene.admin.post(`${scene.path}/members/${await idOf(owner)}/remove`);
    expect((await guest.post("/links/use", { token: tokenOf(link) })).status).toBe(404);
  });

  it("ends with the admin token that made it", async () => {
    const { database, close } = connect(scene.plane.databaseUrl, 1);
    const at = new Date(scene.clock.time);
    const made = await createLink(
      database,
      {
        kind: "invitation",
        email: newEmail(),
        isOperator: true,
        createdBy: "admin:alice",
        makerId: undefined,
      },
      at,
    );
    const find = (tokenNames: readonly string[]) => findLink(database, made.secret, { at, tokenNames });
    expect(await find(["bob"])).toBeUndefined();
    expect(await find(["bob", "alice"])).toMatchObject({ link_id: made.link.link_id });
    await close();
  });
});

describe("operator invitations", () => {
  it("are listed, and revoked by any operator, which the audit log shows", async () => {
    const [one, another] = [await operator(), await operator()];
    const made = await inviteOperator(one);
    const list = async () => (await another.get("/operators/invitations?limit=100")).json.invitations;
    const { link: _, ...listed } = made;
    expect(await list()).toContainEqual(listed);
    const revoked = await another.post(`/operators/invitations/${made.invitationId}/revoke`);
    expect([revoked.status, revoked.json]).toEqual([200, listed]);
    expect(await list()).not.toContainEqual(listed);
    expect(await use(made.link)).toEqual([404, "link_unknown"]);
    expect(await scene.audit(1)).toEqual([
      expect.objectContaining({ action: "invitation.revoke", organizationId: null, subject: made.email }),
    ]);
    const again = await another.post(`/operators/invitations/${made.invitationId}/revoke`);
    expect(again.status).toBe(404);
  });

  it("are not those of organisations, and only operators see them", async () => {
    const owner = await scene.member(newEmail(), "owner");
    const ofOrganization = await invite(owner);
    expect((await owner.get("/operators/invitations")).status).toBe(403);
    const path = `/operators/invitations/${ofOrganization.invitationId}/revoke`;
    expect([(await owner.post(path)).status, (await scene.admin.post(path)).status]).toEqual([403, 404]);
    const invited = (await scene.admin.post("/operators", { email: newEmail() })).json;
    const elsewhere = `${scene.path}/invitations/${invited.invitationId}/revoke`;
    expect((await owner.post(elsewhere)).status).toBe(404);
  });

  it("are listed and revoked from the command line", async () => {
    const environment = {
      CREDITGATE_BASE_URL: scene.plane.baseUrl,
      CREDITGATE_ADMIN_TOKEN: "cga_a-token-for-these-tests",
    };
    const operators = async (...args: string[]) => {
      const { code, stdout, stderr } = await creditgate(["operators", ...args], environment).exit;
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    const email = newEmail();
    const { invitationId } = JSON.parse(await operators("invite", email));
    expect(await operators("invitations")).toContain(invitationId);
    expect(JSON.parse(await operators("revoke", invitationId))).toMatchObject({ invitationId, email });
    expect(await operators("invitations")).not.toContain(invitationId);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import {
  accessibilityFindings,
  hostile,
  openScene,
  overflow,
  password,
  type Scene,
  type Visit,
} from "./scene.ts";

describe.skipIf(browserMissing)("users and roles", () => {
  let scene: Scene;
  let owner: Visit;
  let rosa: Visit;
  let operator: Visit;
  const at = (rest: string) =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}${rest}`, scene.baseUrl).href;

  beforeAll(async () => {
    scene = await openScene();
    operator = await scene.openAsOperator("olga@example.com");
    owner = await scene.visit("mira@harbour.ai", "/people", "owner");
  });
  afterAll(() => scene?.close());

  it("invites a person by a link that is shown once, and takes an invitation back", async () => {
    const { page } = owner;
    await page.getByRole("row", { name: /mira@harbour.ai.*Owner/ }).waitFor();
    await page.getByRole("button", { name: "Invite", exact: true }).first().click();
    await page.getByLabel("Email").fill("rosa@harbour.ai");
    await page.getByLabel(/^Money/).check();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, "invite-light");
    await page.getByRole("button", { name: "Create link" }).click();
    const link = (await page.getByText(/#token=/).textContent()) ?? "";
    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.toContain("#token=");
    await page.getByRole("row", { name: /rosa@harbour.ai.*Reader, Money/ }).waitFor();

    await page.getByRole("button", { name: "Invite", exact: true }).first().click();
    await page.getByLabel("Email").fill("max@harbour.ai");
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "More for max@harbour.ai" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row", { name: /max@harbour.ai/ }).waitFor({ state: "detached" });

    rosa = await scene.open(link);
    await rosa.page.getByLabel("Your name").fill(hostile);
    await rosa.page.getByLabel("Password").fill(password);
    await rosa.page.getByRole("button", { name: "Create account" }).click();
    await rosa.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  });

  it("changes roles at once, and keeps the last owner", async () => {
    const { page } = owner;
    await page.reload();
    await page.getByRole("button", { name: `More for ${hostile}` }).click();
    await page.getByRole("menuitem", { name: "Edit roles" }).click();
    await page.getByLabel(/^Money/).uncheck();
    await page.getByRole("button", { name: "Save roles" }).click();
    await page.getByText(/is now Reader/).waitFor();
    await page.getByRole("button", { name: "More for mira@harbour.ai" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove member" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("opens another link where one did not work", async () => {
    const visit = await scene.open("/dashboard/welcome#token=cgl_none");
    await visit.page.getByRole("heading", { name: "This link is not valid" }).waitFor();
    await visit.page.goto(await scene.invite("nora@harbour.ai", "read"));
    await visit.page.getByLabel("Password").fill(password);
    await visit.page.getByRole("button", { name: "Create account" }).click();
    await visit.page.getByRole("heading", { name: "Overview" }).waitFor();
    await visit.context.close();
  });

  it("shows others no people, and refuses them", async () => {
    const { page } = rosa;
    expect(await page.getByRole("link", { name: "Users and roles" }).count()).toBe(0);
    await page.goto(at("/people"));
    await page.getByText("Owners only").waitFor();
    const status = await page.evaluate(
      async (path) => (await fetch(path)).status,
      `/admin/api/organizations/${scene.admin.organizationId}/members`,
    );
    expect(status).toBe(403);
  });

  it("makes a token that is shown once, and revokes it; changes the password, and ends all sessions", async () => {
    const { page } = rosa;
    await page.goto(at("/account"));
    await page.getByRole("button", { name: "New token" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("nightly export");
    await page.getByRole("button", { name: "Create token" }).click();
    const token = (await page.getByRole("dialog").locator("code").first().textContent()) ?? "";
    const asked = () =>
      fetch(`${scene.baseUrl}/admin/api/account`, { headers: { authorization: `Bearer ${token}` } });
    expect((await asked()).status).toBe(200);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /nightly export.*Active/ }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, "account-light");
    await page.getByRole("button", { name: "Revoke nightly export" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByRole("row", { name: /nightly export.*Revoked/ }).waitFor();
    expect((await asked()).status).toBe(401);

    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByLabel("Current password").fill("not the sentence");
    await page.getByLabel("New password").fill("another sentence of hers");
    await page.getByRole("dialog").getByRole("button", { name: "Change password" }).click();
    await page.getByText("The current password is wrong").waitFor();
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("dialog").getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed").waitFor();

    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "Sign in to Creditgate" }).waitFor();
    expect(rosa.complaints).toEqual([]);
  });

  it("shows operators all accounts", async () => {
    const { page } = operator;
    await page.goto(at("/people"));
    await page.getByRole("row", { name: /olga@example.com.*Operator/ }).waitFor();
    await page.getByRole("button", { name: "More for the account mira@harbour.ai" }).click();
    await page.getByRole("menuitem", { name: "Disable account" }).click();
    await page.getByText("All its sessions and tokens end").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: `More for the account ${hostile}` }).click();
    await page.getByRole("menuitem", { name: "Password reset link" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByText(/#token=/).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    expect(operator.complaints).toEqual([]);
  });

  it("invites an operator, shows the invitation until then, and takes it back", async () => {
    const { page } = operator;
    await page.goto(at("/people"));
    await page.getByRole("button", { name: "Invite an operator" }).click();
    await page.getByLabel("Email").fill("otto@example.com");
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    const invited = page.getByRole("region", { name: "Pending operator invitations" });
    await invited.getByRole("row", { name: /otto@example.com.*Operator.*user:olga@example.com/ }).waitFor();
    await page.getByRole("button", { name: "More for otto@example.com" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke" }).click();
    await invited.waitFor({ state: "detached" });
    expect(operator.complaints).toEqual([]);
    await operator.context.close();
  });

  it.each(["light", "dark"] as const)("is accessible in the %s theme, and fits 320 px", async (theme) => {
    const { page } = owner;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const path of ["/people", "/account"]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(at(path));
      await page
        .getByText(path === "/people" ? "rosa@harbour.ai" : "No tokens yet")
        .first()
        .waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(page, `${path.slice(1)}-${theme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await overflow(page)).toBe(0);
      await picture(page, `${path.slice(1)}-phone-${theme}`);
    }
    expect(owner.complaints).toEqual([]);
  });
});

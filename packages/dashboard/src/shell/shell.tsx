import { useQuery } from "@tanstack/react-query";
import { Link, lazyRouteComponent, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { admin, isPassing, isSignedOut, queryClient } from "../api/client.ts";
import { accountQuery, organizationsQuery, useAnswer, useOrganizationId } from "../api/query.ts";
import { type Floating, isApple, useKeys } from "../jump/use-keys.ts";
import { describeWaiting, settlementQuery } from "../overview/queries.ts";
import { ThemeButton } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon, Mark } from "../parts/icon.tsx";
import { Name } from "../parts/name.tsx";
import { notify } from "../parts/toasts.tsx";
import { visible } from "../parts/visible.ts";
import { useFocusKeeper } from "./focus-keeper.ts";
import { Navigation } from "./navigation.tsx";

const Palette = lazyRouteComponent(() => import("../jump/palette.tsx"), "Palette");
const SignInAgain = lazyRouteComponent(() => import("../sign-in/sign-in-again.tsx"), "SignInAgain");
const KeyList = lazyRouteComponent(() => import("../jump/key-list.tsx"), "KeyList");

/** The pages of one who has signed in, with the navigation around them once there is an organisation. */
export function Shell() {
  const organizationId = useOrganizationId();
  const account = useQuery(accountQuery);
  if (account.isPending) return <div className="app" aria-busy="true" />;
  // One who was recognized still is while the control plane does not answer: a dialog that is open stays.
  if (account.data === undefined) {
    return (
      <main className="wrap">
        <Failure
          error={account.error}
          what="Your account could not be loaded."
          onRetry={() => void account.refetch()}
        />
      </main>
    );
  }
  if (account.data === null) return <ToSignIn />;
  const { user } = account.data;
  return (
    <>
      {organizationId === "" ? <Outlet /> : <Around key={user?.userId} name={user?.name ?? "Token"} />}
      <Suspense>{isSignedOut(account.error) && <SignInAgain email={user?.email} />}</Suspense>
    </>
  );
}

function Around({ name }: { readonly name: string }) {
  const [floating, setFloating] = useState<Floating>();
  const close = () => setFloating(undefined);
  useKeys(setFloating);
  // There when it is asked for: what one types at once is not lost.
  useEffect(() => void Palette.preload?.(), []);
  useFocusKeeper();
  return (
    <div className="app">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Side name={name} onJump={() => setFloating("palette")} />
      <Top onJump={() => setFloating("palette")} />
      <main className="main" id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        {floating === "palette" && <Palette onClose={close} />}
        {floating === "key-list" && <KeyList onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Goes to the sign-in, which leads back here. */
function ToSignIn() {
  const navigate = useNavigate();
  const { href } = useLocation();
  // The address changes before this is gone: the page is where it began.
  const [next] = useState(href);
  useEffect(() => {
    void navigate({ to: "/sign-in", search: next === "/" ? {} : { next }, replace: true });
  }, [navigate, next]);
  return <div className="sign" aria-busy="true" />;
}

function useRoleName(): string {
  const { data: account } = useQuery(accountQuery);
  const organizationId = useOrganizationId();
  if (account?.operator) return "Operator";
  const roles = account?.organizations.find((one) => one.organizationId === organizationId)?.roles ?? [];
  return roles.map((role) => roleNames[role] ?? role).join(", ");
}

const roleNames: Readonly<Record<string, string>> = {
  owner: "Owner",
  money: "Money",
  keys: "Keys",
  read: "Reader",
};

function useOrganizationName(): string {
  const { data = [] } = useQuery(organizationsQuery);
  const organizationId = useOrganizationId();
  return data.find((one) => one.organizationId === organizationId)?.name ?? "";
}

function Side({ name, onJump }: { readonly name: string; readonly onJump: () => void }) {
  const role = useRoleName();
  return (
    <header className="side">
      <OrganizationChoice />
      <Button className="jump" onPress={onJump}>
        <Icon name="search" />
        Search or jump to
        <kbd>{isApple ? "⌘K" : "Ctrl K"}</kbd>
      </Button>
      <Navigation label="Main" />
      <div className="side-foot">
        <Health />
        <div className="me">
          <span>
            {name}
            <small>{role}</small>
          </span>
          <span className="end">
            <ThemeButton />
            <SignOutButton />
          </span>
        </div>
      </div>
    </header>
  );
}

/** The organisation of the page; a list where there are several. */
function OrganizationChoice() {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const name = useOrganizationName();
  return (
    <div className="org">
      <Mark />
      {organizations.length > 1 ? (
        <select
          className="org-select"
          aria-label="Organization"
          value={organizationId}
          onChange={({ target }) =>
            void navigate({
              to: "/organizations/$organizationId/overview",
              params: { organizationId: target.value },
            })
          }
        >
          {organizations.map((one) => (
            <option key={one.organizationId} value={one.organizationId}>
              {visible(one.name)}
            </option>
          ))}
        </select>
      ) : (
        <span>
          <b>
            <Name>{name}</Name>
          </b>
          <small>{location.host}</small>
        </span>
      )}
    </div>
  );
}

/** On a small screen, in place of the side. */
function Top({ onJump }: { readonly onJump: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeByKey = ({ key }: KeyboardEvent) => key === "Escape" && setIsOpen(false);
    document.addEventListener("keydown", closeByKey);
    return () => document.removeEventListener("keydown", closeByKey);
  }, [isOpen]);
  const organizationId = useOrganizationId();
  const name = useOrganizationName();
  return (
    <header className="top">
      <Link className="brand" to="/organizations/$organizationId/overview" params={{ organizationId }}>
        <Mark />
        {name}
      </Link>
      <Button className="icon-btn" aria-label="Search or jump to" onPress={onJump}>
        <Icon name="search" />
      </Button>
      <ThemeButton />
      <SignOutButton />
      <Button
        className="icon-btn"
        aria-label="Menu"
        aria-expanded={isOpen}
        onPress={() => setIsOpen((was) => !was)}
      >
        <Icon name="menu" />
      </Button>
      {isOpen && <Navigation label="Main, small screen" onLeave={() => setIsOpen(false)} />}
    </header>
  );
}

export function SignOutButton() {
  const navigate = useNavigate();
  async function signOut(): Promise<void> {
    try {
      await admin.account.signOut();
    } catch {
      notify("You are still signed in", "The control plane is not responding. Try again.");
      return;
    }
    // Nothing of this person stays in the page for the next one.
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  }
  return (
    <Button className="icon-btn" aria-label="Sign out" onPress={() => void signOut()}>
      <Icon name="signOut" />
    </Button>
  );
}

/** Whether settlement keeps up: balances run behind by as much as it does not. */
function Health() {
  const organizationId = useOrganizationId();
  const { data, dataUpdatedAt, error } = useAnswer(settlementQuery);
  if (isPassing(error)) {
    return (
      <span className="health">
        <span className="pulse warn" aria-hidden="true" />
        <span>
          <b>Not responding</b>
          Data may be out of date
        </span>
      </span>
    );
  }
  // Of a place of its own, so that nothing moves when it is known.
  if (organizationId === "" || data === undefined) return <span className="health" />;
  return (
    <Link className="health" to="/organizations/$organizationId/usage" params={{ organizationId }}>
      <span className={data.isLate ? "pulse warn" : "pulse"} aria-hidden="true" />
      <span>
        <b>{data.isLate ? "Settlement delayed" : "Settlement"}</b>
        {describeWaiting(data, dataUpdatedAt)}
      </span>
    </Link>
  );
}

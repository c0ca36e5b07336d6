import { type ReactNode, useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Closing } from "../api/edit.ts";
import { Icon } from "./icon.tsx";

/** What can be done, by the dialog that it opens; `false` is left out. */
type Actions = readonly (
  | { readonly name: string; readonly isDanger?: boolean; readonly dialog: ReactNode }
  | false
)[];

/** What else can be done, behind three dots; the label is "More for Dovetail Studio". */
export function MenuButton({ label, actions }: { label: string; actions: Actions }) {
  const [open, setOpen] = useState<string>();
  const shown = actions.filter((action) => action !== false);
  return (
    <>
      <MenuTrigger>
        <Button className="icon-btn above" aria-label={label}>
          <Icon name="more" className="dots" />
        </Button>
        <Popover className="menu-box" placement="bottom end">
          <Menu className="menu" onAction={(key) => setOpen(String(key))}>
            {shown.map(({ name, isDanger }) => (
              <MenuItem key={name} id={name} className={isDanger ? "menu-item danger" : "menu-item"}>
                {name}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      <Closing value={() => setOpen(undefined)}>{shown.find(({ name }) => name === open)?.dialog}</Closing>
    </>
  );
}

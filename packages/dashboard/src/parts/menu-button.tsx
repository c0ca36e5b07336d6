import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Icon } from "./icon.tsx";

interface MenuButtonProps<Action extends string> {
  /** "More for Dovetail Studio". */
  readonly label: string;
  readonly actions: readonly { readonly id: Action; readonly name: string; readonly isDanger?: boolean }[];
  readonly onAction: (action: Action) => void;
}

/** What else can be done, behind three dots. */
export function MenuButton<Action extends string>({ label, actions, onAction }: MenuButtonProps<Action>) {
  return (
    <MenuTrigger>
      <Button className="icon-btn above" aria-label={label}>
        <Icon name="more" className="dots" />
      </Button>
      <Popover className="menu-box" placement="bottom end">
        <Menu
          className="menu"
          onAction={(key) => {
            const chosen = actions.find(({ id }) => id === key);
            if (chosen !== undefined) onAction(chosen.id);
          }}
        >
          {actions.map(({ id, name, isDanger }) => (
            <MenuItem key={id} id={id} className={isDanger ? "menu-item danger" : "menu-item"}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
